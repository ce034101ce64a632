"""The nodes of acme/greeter."""

from collections.abc import Iterator

from messages import GreetReply, GreetRequest
from svc_node import Context, Handlers


def greet(request: GreetRequest, context: Context) -> GreetReply:
    """Greet a person by name."""
    if not request.name:
        # Not retryable: every attempt with this input would fail.
        context.fail("name must not be empty", retryable=False)
    context.log("info", f"greeting, attempt {context.attempt}")
    return GreetReply(text=f"Hello, {request.name}!")


def greet_all(
    requests: Iterator[GreetRequest], context: Context
) -> Iterator[GreetReply]:
    """Greet each person of a stream as soon as they arrive."""
    for request in requests:
        yield GreetReply(text=f"Hello, {request.name}!")


def welcome(request: GreetRequest, context: Context) -> GreetReply:
    """Greet a person, and ask a human for the name if it is missing."""
    if not request.name:
        # In a flow, the run waits for the decision, which replaces the input.
        # Nothing of this call is kept. Put everything that the node needs into the
        # question, so that the decision can return it (docs/node-containers.md,
        # "Asking a human").
        context.pause({"question": "Who should be welcomed?"})
    return GreetReply(text=f"Welcome, {request.name}!")


HANDLERS: Handlers = {"Greet": greet, "GreetAll": greet_all, "Welcome": welcome}
