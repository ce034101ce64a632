"""Hooks of schemathesis. Most requests get ids that exist, since made-up ones meet nothing but 404.

SVC_KNOWN_IDS holds JSON: {"path": {<operationId>: {<parameter>: value}}, "query": likewise, "body": {<operationId>: {<field>: value}}}.
"kept", in the form of "path", has what an operation must not be sent for.
"""

import json
import os
import random

import schemathesis

known = json.loads(os.environ["SVC_KNOWN_IDS"])
draw = random.Random(int(os.environ["SVC_KNOWN_IDS_SEED"]))

# Of four requests, so many get ids that exist.
SHARE = 3


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts known ids in place of generated ones."""
    operation = case.operation.definition.raw.get("operationId")
    if operation == "invokeFlow":
        shorten_wait(case.body)
    ids = known["path"].get(operation)
    kept = known["kept"].get(operation)
    if kept and kept.items() <= (case.path_parameters or {}).items():
        case.path_parameters.update(ids)
    if draw.randrange(4) >= SHARE:
        return
    if ids and case.path_parameters:
        case.path_parameters.update(ids)
    if operation in known["query"]:
        case.query = {**(case.query or {}), **known["query"][operation]}
    fields = known["body"].get(operation)
    if fields and isinstance(case.body, dict):
        case.body.update(fields)


def shorten_wait(body):
    """Bounds a wait. Schemathesis also tries ids that it has seen, among them that of a flow that runs for hours."""
    if not isinstance(body, dict) or body.get("wait") is not True:
        return
    seconds = body.get("timeout_seconds", 30)
    if isinstance(seconds, int) and 3 < seconds <= 300:
        body["timeout_seconds"] = 3


@schemathesis.check
def only_declared_failures(context, response, case):
    """No failure of the server, but for the one that the contract asks for: an invocation without graph_id."""
    if response.status_code < 500:
        return
    operation = case.operation.definition.raw.get("operationId")
    asked_for = {"accepted": False, "error_message": "graph_id is required"}
    invokes = operation in ("invokeFlow", "streamFlow")
    if invokes and response.status_code == 500 and asked_for.items() <= response.json().items():
        return
    raise AssertionError(f"{operation} failed with {response.status_code}: {response.text}")


@schemathesis.serializer("application/x-ndjson")
def one_line(context, value):
    """Sends a body of one frame."""
    return json.dumps(value).encode() + b"\n"


@schemathesis.deserializer("text/event-stream")
def frames(context, response):
    """Reads the frames of a stream. OpenAPI 3.0 has no schema for a stream: ours is that of the data of one event."""
    events = response.content.decode("utf-8").split("\n\n")
    return [json.loads(event.removeprefix("data: ")) for event in events if event.startswith("data: ")]
