"""Refuses calls without the token of the deployment."""

import hmac
from collections.abc import Callable
from typing import Any

import grpc


class TokenCheck(grpc.ServerInterceptor):  # type: ignore[misc]
    """Ends calls without the token as UNAUTHENTICATED, before a handler sees them."""

    def __init__(self, token: str) -> None:
        """Expect this token."""
        self._expected = f"Bearer {token}".encode()

    def intercept_service(
        self, continuation: Callable[[Any], Any], handler_call_details: Any
    ) -> Any:
        """Let calls with the token pass."""
        metadata = dict(handler_call_details.invocation_metadata)
        given = metadata.get("authorization")
        # In constant time: the time of a refusal says nothing about the token.
        if given is not None and hmac.compare_digest(given.encode(), self._expected):
            return continuation(handler_call_details)
        reason = (
            "the call has no token"
            if given is None
            else "the token of the call is not the one of this container"
        )
        return _refusal(continuation(handler_call_details), reason)


def _refusal(handler: Any, reason: str) -> Any:
    """Return a handler that refuses, and streams as the method does."""

    def refuse(_: Any, context: Any) -> None:
        context.abort(grpc.StatusCode.UNAUTHENTICATED, reason)

    if handler is None:
        return None
    if handler.request_streaming:
        return grpc.stream_stream_rpc_method_handler(refuse)
    if handler.response_streaming:
        return grpc.unary_stream_rpc_method_handler(refuse)
    return grpc.unary_unary_rpc_method_handler(refuse)
