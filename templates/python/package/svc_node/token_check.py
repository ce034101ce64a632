"""Rejects calls without the deployment's token."""

import hmac
import re
from collections.abc import Callable
from typing import Any

import grpc


def check_token(token: str, what: str) -> str:
    """Return a valid deployment token.

    Raises ValueError for an invalid token. The message contains `what`, never the
    token.
    """
    if 16 <= len(token) <= 512 and re.fullmatch(r"[A-Za-z0-9\-._~+/]+=*", token):
        return token
    raise ValueError(
        f"{what} is invalid (it must have 16 to 512 letters, digits and -._~+/, "
        "with = at the end only): make one, for example with openssl rand -hex 32"
    )


class TokenCheck(grpc.ServerInterceptor):  # type: ignore[misc]
    """Rejects calls without the token as UNAUTHENTICATED, before any handler runs."""

    def __init__(self, token: str) -> None:
        """Require this token. Raises ValueError if it is invalid."""
        self._expected = f"Bearer {check_token(token, 'the token')}".encode()

    def intercept_service(
        self, continuation: Callable[[Any], Any], handler_call_details: Any
    ) -> Any:
        """Pass on calls with the token."""
        metadata = dict(handler_call_details.invocation_metadata)
        given = metadata.get("authorization")
        # Compares in constant time to prevent timing attacks.
        if given is not None and hmac.compare_digest(given.encode(), self._expected):
            return continuation(handler_call_details)
        reason = (
            "the call has no token"
            if given is None
            else "the token of the call is not the one of this container"
        )
        return _refusal(continuation(handler_call_details), reason)


def _refusal(handler: Any, reason: str) -> Any:
    """Return a handler that rejects calls, with the same streaming type."""

    def refuse(_: Any, context: Any) -> None:
        context.abort(grpc.StatusCode.UNAUTHENTICATED, reason)

    if handler is None:
        return None
    if handler.request_streaming:
        return grpc.stream_stream_rpc_method_handler(refuse)
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(refuse)
    return grpc.unary_unary_rpc_method_handler(refuse)
