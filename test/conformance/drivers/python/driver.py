"""The Python SDK's driver: see test/conformance/README.md. Takes the flavour, ``sync`` or ``async``."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import logging
import sys
import time
import traceback

from acme_conformance import AsyncClient, Client, SvcError, errors, messages
from acme_conformance import _protojson as codecs

EVERYTHING = (messages.Everything.from_json, messages.Everything.to_json)
KINDS = (messages.Kinds.from_json, messages.Kinds.to_json)
STRUCT = (
    lambda text: codecs.STRUCT.decode(codecs.parse_json(text)),
    lambda value: codecs.print_json(codecs.STRUCT.encode(value)),
)
MEMBERS = {
    "echo": ("echo", EVERYTHING),
    "echo-kinds": ("echo_kinds", KINDS),
    "echo-free": ("echo_free", STRUCT),
    "class": ("class_", EVERYTHING),
    "größe": ("grosse", EVERYTHING),
    "echo-twice": ("echo_twice", EVERYTHING),
    "return": ("return_", KINDS),
    "parse-logs": ("parse_logs", (messages.LogChunk.from_json, messages.LogEntry.to_json)),
    "continue-text": ("continue_text", (messages.Prompt.from_json, messages.Token.to_json)),
    "write-text": ("write_text", (messages.Prompt.from_json, messages.Token.to_json)),
    "any-flow": ("any_flow", (json.loads, json.dumps)),
}
CLASSES = {
    errors.AppKeyGraphDeniedError: "app-key-graph-denied",
    errors.BadRequestError: "bad-request",
    errors.ConfigurationError: "configuration",
    errors.ConnectionFailedError: "connection",
    errors.FlowFailedError: "flow-failed",
    errors.FlowPausedError: "flow-paused",
    errors.ForbiddenError: "forbidden",
    errors.IdempotencyMismatchError: "idempotency-mismatch",
    errors.InterruptedResponseError: "interrupted-response",
    errors.InvalidResponseError: "invalid-response",
    errors.MessageError: "value",
    errors.NodeFailedError: "node-failed",
    errors.NotFoundError: "not-found",
    errors.PayloadTooLargeError: "payload-too-large",
    errors.QuotaExceededError: "quota-exceeded",
    errors.RateLimitedError: "rate-limited",
    errors.ServerError: "server",
    errors.StatusError: "status",
    errors.StreamInterruptedError: "stream-interrupted",
    errors.TenantSuspendedError: "tenant-suspended",
    errors.TimedOutError: "timed-out",
    errors.UnauthorizedError: "unauthorized",
    errors.UpstreamUnavailableError: "upstream-unavailable",
    errors.WaitTimedOutError: "wait-timed-out",
}
SECONDS = {
    "timeoutMs": "timeout",
    "attemptTimeoutMs": "attempt_timeout",
    "retryDelayMs": "retry_delay",
    "maxRetryDelayMs": "max_retry_delay",
}
NAMES = {
    "apiKey": "api_key",
    "baseUrl": "base_url",
    "maxRetries": "max_retries",
    "retryBudget": "retry_budget",
    "idempotencyKey": "idempotency_key",
    "headers": "headers",
}


def options_of(given):
    seconds = {SECONDS[name]: value / 1000 for name, value in given.items() if name in SECONDS}
    return seconds | {NAMES[name]: value for name, value in given.items() if name in NAMES}


async def settle(result):
    return await result if inspect.isawaitable(result) else result


async def perform(client, step, state):
    name, (read, show_output) = MEMBERS[step["alias"]]
    options = options_of(step["options"])
    action = step["do"]

    async def call(method, show, *arguments):
        if not step.get("raw"):
            return {"valueText": show(await settle(getattr(client, method)(*arguments, **options)))}
        response = await settle(getattr(client.with_raw_response, method)(*arguments, **options))
        headers = {key.lower(): value for key, value in response.headers.items()}
        answer = {"status": response.status, "headers": headers, "body": response.body.decode()}
        return {"valueText": show(response.value), "answer": answer}

    def keep(execution):
        state["execution"] = execution
        return json.dumps({"executionId": execution.id})

    if action in {"call", "start"}:
        message = read(step["inputText"])
        if action == "call":
            return await call(name, show_output, message)
        return await call(f"start_{name.rstrip('_')}", keep, message)
    if action == "stream":
        return await streamed(client, name, read, show_output, step, options)
    if action == "inbox":
        found = client.pauses(status=step.get("statuses", ()), **page_size(step), **options)
        return {"valueText": json.dumps([show_pause(pause) for pause in await collect(found)])}
    if action == "create":
        state["stream"] = await settle(getattr(client, f"create_{name}_stream")(**options))
        return {"valueText": json.dumps({"streamId": state["stream"].id})}
    if action in {"upload", "output"}:
        stream = getattr(client, f"{name}_stream")(step["streamId"]) if "streamId" in step else state["stream"]
        if action == "upload":
            source = inputs if isinstance(client, Client) else async_inputs
            done = await settle(stream.upload(source(step, read), **options))
            value = {"executionId": done.execution_id, "inputFrames": done.input_frames}
            return {"valueText": json.dumps(value)}
        after = {"after": step["after"]} if "after" in step else {}
        return await taken(stream.output(**after, **options), show_output, step)
    if action == "live":
        session = getattr(client, f"open_{name}")(**options)
        return await conversed(session, read, show_output, step)
    if action == "warm":
        return await call(f"warm_{name.rstrip('_')}", lambda _: None)
    run = state.get("execution")
    if "executionId" in step:
        find = client.execution if name == "any_flow" else getattr(client, f"{name.rstrip('_')}_execution")
        run = find(step["executionId"])
    if action == "wait":
        return {"valueText": show_output(await settle(run.wait(**options)))}
    if action == "pauses":
        return {"valueText": json.dumps([show_pause(pause) for pause in await settle(run.pauses(**options))])}
    if action == "fork":
        message = decision_in(step, read)
        state["execution"] = await settle(run.fork(step.get("checkpointId"), message=message, **options))
        return {"valueText": json.dumps({"executionId": state["execution"].id})}
    if action == "resume":
        decision = decision_in(step, read)
        pause_id = step.get("pauseId", state.get("pause_id"))
        resumed = await settle(run.resume(pause_id, decision, resumed_by=step.get("resumedBy"), **options))
        value = {
            "pauseId": resumed.pause_id,
            "status": resumed.status,
            "resumedAt": show_time(resumed.resumed_at),
            "resumedBy": resumed.resumed_by,
            "decision": resumed.decision,
            "alreadyResumed": resumed.already_resumed,
        }
        return {"valueText": json.dumps(present(value))}
    if action in {"get", "cancel"}:
        record = await settle(getattr(run, action)(**options))
        value = {
            "id": record.id,
            "status": record.status,
            "graphId": record.graph_id,
            "createdAt": show_time(record.created_at),
            "updatedAt": show_time(record.updated_at),
            "completedAt": show_time(record.completed_at),
            "pauseId": record.pause_id,
            "latestCheckpointId": record.latest_checkpoint_id,
            "errorMessage": record.error_message,
            "failedNodeName": record.failed_node_name,
        }
        return {"valueText": json.dumps(present(value))}
    if action == "follow":
        return await taken(run.follow(**options), lambda event: json.dumps(show_event(event)), step)
    found = run.events(
        types=step.get("types", ()),
        node_name=step.get("nodeName"),
        **page_size(step),
        **options,
    )
    events = await collect(found)
    return {"valueText": json.dumps([show_event(event) for event in events])}


def show_event(event):
    return present(
        {
            "type": event.type,
            "ulid": event.ulid,
            "timestampMs": event.timestamp_ms,
            "nodeName": event.node_name,
            "input": event.input,
            "output": event.output,
            "errorMessage": event.error_message,
            "pauseId": event.pause_id,
        }
    )


async def streamed(client, name, read, show, step, options):
    if "inputTexts" in step:
        source = inputs if isinstance(client, Client) else async_inputs
        stream = getattr(client, f"upload_{name}")(source(step, read), **options)
    else:
        stream = getattr(client, name)(read(step["inputText"]), **options)
    given = []
    answer = {}
    error = None

    def result():
        value = {"valueText": f"[{','.join(given)}]", "executionId": stream.execution_id}
        return value | answer | ({} if error is None else {"error": error})

    def head(response):
        headers = {key.lower(): value for key, value in response.headers.items()}
        return {"answer": {"status": response.status, "headers": headers, "body": response.body.decode()}}

    async def take():
        nonlocal answer
        if isinstance(client, Client):
            with stream:
                for one in stream if step.get("takes") != 0 else ():
                    given.append(show(one))
                    if len(given) == step.get("takes"):
                        break
                answer = head(stream.response) if step.get("raw") else {}
            return
        async with stream:
            if step.get("takes") != 0:
                async for one in stream:
                    given.append(show(one))
                    if len(given) == step.get("takes"):
                        break
            answer = head(await stream.response()) if step.get("raw") else {}

    try:
        await take()
    except SvcError as raised:
        error = failure(raised)
    except asyncio.CancelledError as raised:
        error = {"class": "cancelled", "message": str(raised), "printed": repr(raised)}
    return result()


async def taken(messages, show, step):
    """Give the messages of an iterator that is also a context, also those before an error."""
    given = []
    error = None

    def is_enough(message):
        given.append(show(message))
        return len(given) == step.get("takes")

    async def take():
        if hasattr(messages, "__iter__"):
            with messages:
                any(map(is_enough, messages))
            return
        async with messages:
            async for message in messages:
                if is_enough(message):
                    return

    try:
        await take()
    except SvcError as raised:
        error = failure(raised)
    except asyncio.CancelledError as raised:
        error = {"class": "cancelled", "message": str(raised), "printed": repr(raised)}
    return {"valueText": f"[{','.join(given)}]"} | ({} if error is None else {"error": error})


LIMITS = {
    "input_message_bytes": "input_frame_bytes",
    "input_messages": "input_frames",
}


async def conversed(session, read, show, step):
    given = []
    result = {}

    async def next_message():
        """Return whether there was one."""
        message = await anext(session, None) if hasattr(session, "__anext__") else next(session, None)
        if message is not None:
            given.append(show(message))
        return message is not None

    async def converse():
        limits = present({LIMITS.get(name, name): getattr(session.limits, name) for name in session.limits.__slots__})
        result.update(executionId=session.execution_id, limits=limits)
        for index, text in enumerate(step["inputTexts"]):
            if index > 0 and step.get("inTurn"):
                await next_message()
            await settle(session.send(read(text)))
        while len(given) != step.get("takes") and await next_message():
            pass

    async def run():
        if hasattr(session, "__enter__"):
            with session:
                await converse()
            return
        async with session:
            await converse()

    try:
        await run()
    except SvcError as raised:
        result["error"] = failure(raised)
    except asyncio.CancelledError as raised:
        result["error"] = {"class": "cancelled", "message": str(raised), "printed": repr(raised)}
    return result | {"valueText": f"[{','.join(given)}]"}


def inputs(step, read):
    for index, text in enumerate(step["inputTexts"]):
        if index > 0:
            time.sleep(step.get("inputPauseMs", 0) / 1000)
        yield read(text)


async def async_inputs(step, read):
    for index, text in enumerate(step["inputTexts"]):
        if index > 0:
            await asyncio.sleep(step.get("inputPauseMs", 0) / 1000)
        yield read(text)


async def collect(found):
    return [each async for each in found] if hasattr(found, "__aiter__") else list(found)


def decision_in(step, read):
    if "decisionText" in step:
        return read(step["decisionText"])
    if "decisionJsonText" in step:
        return json.loads(step["decisionJsonText"])
    return base64.b64decode(step["decisionBytes"]) if "decisionBytes" in step else None


def page_size(step):
    return {"page_size": step["pageSize"]} if "pageSize" in step else {}


def show_pause(pause):
    return present(
        {
            "id": pause.id,
            "executionId": pause.execution_id,
            "graphId": pause.graph_id,
            "nodeName": pause.node_name,
            "status": pause.status,
            "question": pause.question,
            "decisionType": pause.decision_type,
            "checkpointId": pause.checkpoint_id,
            "createdAt": show_time(pause.created_at),
            "expiresAt": show_time(pause.expires_at),
            "resumeUrl": pause.resume_url,
            "resumedAt": show_time(pause.resumed_at),
            "escalatedAt": show_time(pause.escalated_at),
            "resumedBy": pause.resumed_by,
            "decision": pause.decision,
        }
    )


def show_time(time):
    """Show a time as the service writes it, in milliseconds."""
    return time and time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def present(fields):
    return {name: value for name, value in fields.items() if value is not None}


async def perform_or_cancel(client, step, state):
    """Cancel the task of the step after its time."""
    task = asyncio.ensure_future(perform(client, step, state))
    if "cancelAfterMs" in step:
        asyncio.get_running_loop().call_later(step["cancelAfterMs"] / 1000, task.cancel)
    return await task


def failure(error):
    retry_after = error.retry_after
    return {
        "class": CLASSES[type(error)],
        "message": str(error),
        "printed": "".join(traceback.format_exception(error)) + repr(vars(error)),
        "status": error.status,
        "body": error.body,
        "executionId": error.execution_id,
        "requestId": error.request_id,
        "idempotencyKey": error.idempotency_key,
        "retryAfterMs": None if retry_after is None else retry_after * 1000,
        "pauseId": getattr(error, "pause_id", None),
        "code": error.code,
    }


class Lines(logging.Handler):
    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.getMessage()} {vars(record)}")


async def respond(request, make_client):
    results = []
    handler = Lines()
    logger = logging.Logger("driver", logging.DEBUG)
    logger.addHandler(handler)
    state = {}
    try:
        client = make_client(**options_of(request["client"]), logger=logger)
        handler.lines.append(f"{client!r} {vars(client)}")
        for step in request["steps"]:
            try:
                results.append(await perform_or_cancel(client, step, state))
            except SvcError as error:
                if "goesOn" not in step:
                    raise
                results.append({"error": failure(error)})
                if isinstance(error, errors.FlowPausedError):
                    state |= {"execution": error.execution, "pause_id": error.pause_id}
            if "error" in results[-1] and "goesOn" not in step:
                break
    except SvcError as error:
        results.append({"error": failure(error)})
    except asyncio.CancelledError as error:
        results.append({"error": {"class": "cancelled", "message": str(error), "printed": repr(error)}})
    else:
        await settle(client.aclose() if hasattr(client, "aclose") else client.close())
    return {"id": request["id"], "results": results, "log": handler.lines}


async def main(flavour):
    make_client = {"sync": Client, "async": AsyncClient}[flavour]
    for line in sys.stdin:
        response = await respond(json.loads(line), make_client)
        print(json.dumps(response), flush=True)


asyncio.run(main(sys.argv[1]))
