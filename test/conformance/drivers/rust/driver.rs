//! The Rust SDK's driver: see test/conformance/README.md. Built as an example of the archive.

use std::error::Error as _;
use std::io::BufRead;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acme_conformance::json::ProtoJson;
use acme_conformance::stream::Stream;
use acme_conformance::{
    Call, Client, Decision, Error, ErrorKind, Execution, ExecutionEvent, FollowStream, Fork,
    FrameStream, Pause, Session, SessionLimits, SplitStream, json, messages, types,
};
use serde_json::{Map, Value, json as object};

type Result<T> = std::result::Result<T, Failure>;

enum Failure {
    Sdk(Error),
    Cancelled,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Sdk(error)
    }
}

/// The run that was started last: of one of the two flows, or of any flow.
enum Run {
    EchoTwice(Execution<messages::Everything>),
    Return(Execution<messages::Kinds>),
    Any(Execution<types::Value>),
}

#[tokio::main]
async fn main() {
    for line in std::io::stdin().lock().lines() {
        let request = serde_json::from_str(&line.expect("stdin is text")).expect("a line is JSON");
        println!("{}", respond(&request).await);
    }
}

async fn respond(request: &Value) -> Value {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut results = Vec::new();
    if let Err(failure) = perform_all(request, &log, &mut results).await {
        results.push(object!({ "error": describe(&failure) }));
    }
    let log = log.lock().expect("no logger has panicked").clone();
    object!({ "id": request["id"], "results": results, "log": log })
}

async fn perform_all(
    request: &Value,
    log: &Arc<Mutex<Vec<String>>>,
    results: &mut Vec<Value>,
) -> Result<()> {
    let options = &request["client"];
    let told = Arc::clone(log);
    let mut builder = Client::builder().logger(move |event| {
        let mut lines = told.lock().expect("no logger has panicked");
        lines.push(format!("{event} {event:?}"));
    });
    if let Some(key) = options["apiKey"].as_str() {
        builder = builder.api_key(key);
    }
    if let Some(url) = options["baseUrl"].as_str() {
        builder = builder.base_url(url);
    }
    if let Some(timeout) = milliseconds(&options["timeoutMs"]) {
        builder = builder.timeout(timeout);
    }
    if let Some(timeout) = milliseconds(&options["attemptTimeoutMs"]) {
        builder = builder.attempt_timeout(timeout);
    }
    if let Some(count) = options["maxRetries"].as_u64() {
        builder = builder.max_retries(u32::try_from(count).expect("retries are few"));
    }
    if let Some(delay) = milliseconds(&options["retryDelayMs"]) {
        builder = builder.retry_delay(delay);
    }
    if let Some(delay) = milliseconds(&options["maxRetryDelayMs"]) {
        builder = builder.max_retry_delay(delay);
    }
    if let Some(retries) = options["retryBudget"].as_u64() {
        builder = builder.retry_budget(u32::try_from(retries).expect("retries are few"));
    }
    for (name, value) in headers(options) {
        builder = builder.header(name, value);
    }
    let client = builder.build()?;
    let shown = format!("{client:?}");
    log.lock().expect("no logger has panicked").push(shown);
    let mut run = None;
    let mut paused = String::new();
    let mut split = String::new();
    for step in request["steps"].as_array().into_iter().flatten() {
        match perform(&client, step, &mut run, &mut split, &paused).await {
            Ok(result) if !result["error"].is_null() => {
                results.push(result);
                return Ok(());
            }
            Ok(result) => results.push(result),
            Err(failure) if step["goesOn"] == true => {
                if let Failure::Sdk(error) = &failure {
                    paused = error.pause_id().unwrap_or_default().to_owned();
                    if let Some(id) = error.execution_id() {
                        run = Some(find(&client, step["alias"].as_str().unwrap_or_default(), id)?);
                    }
                }
                results.push(object!({ "error": describe(&failure) }));
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(())
}

/// Finds a run by its id.
fn find(client: &Client, alias: &str, id: &str) -> Result<Run> {
    Ok(match alias {
        "return" => Run::Return(client.return_execution(id)?),
        "any-flow" => Run::Any(client.any_execution(id)?),
        _ => Run::EchoTwice(client.echo_twice_execution(id)?),
    })
}

async fn perform(
    client: &Client,
    step: &Value,
    run: &mut Option<Run>,
    split: &mut String,
    paused: &str,
) -> Result<Value> {
    let alias = step["alias"].as_str().unwrap_or_default();
    if let Some(id) = step["executionId"].as_str() {
        *run = Some(find(client, alias, id)?);
    }
    match (step["do"].as_str().unwrap_or_default(), alias) {
        ("call", "echo") => call(step, client.echo(&input(step)?)).await,
        ("call", "echo-kinds") => call(step, client.echo_kinds(&input(step)?)).await,
        ("call", "echo-free") => call(step, client.echo_free(&input::<types::Struct>(step)?)).await,
        ("call", "class") => call(step, client.class(&input(step)?)).await,
        ("call", "größe") => call(step, client.grosse(&input(step)?)).await,
        ("call", "echo-twice") => call(step, client.echo_twice(&input(step)?)).await,
        ("call", "return") => call(step, client.r#return(&input(step)?)).await,
        ("stream", alias) => {
            let uploads = !step["inputTexts"].is_null();
            Ok(match alias {
                "parse-logs" if uploads => stream(step, client.upload_parse_logs(inputs(step))).await,
                "parse-logs" => stream(step, client.parse_logs(&input(step)?)).await,
                "continue-text" if uploads => {
                    stream(step, client.upload_continue_text(inputs(step))).await
                }
                "continue-text" => stream(step, client.continue_text(&input(step)?)).await,
                _ => stream(step, client.write_text(&input(step)?)).await,
            })
        }
        ("start", "return") => {
            let (result, started) = answer(step, client.start_return(&input(step)?)).await?;
            *run = Some(Run::Return(started.clone()));
            Ok(with_value(
                result,
                object!({ "executionId": started.id() }).to_string(),
            ))
        }
        ("start", _) => {
            let (result, started) = answer(step, client.start_echo_twice(&input(step)?)).await?;
            *run = Some(Run::EchoTwice(started.clone()));
            Ok(with_value(
                result,
                object!({ "executionId": started.id() }).to_string(),
            ))
        }
        ("create", _) => {
            let (result, created) = answer(step, client.create_parse_logs_stream()).await?;
            *split = created.id().to_owned();
            let value = object!({ "streamId": created.id() }).to_string();
            Ok(with_value(result, value))
        }
        ("upload", _) => {
            let found = find_split(client, step, split)?;
            let (result, upload) = answer(step, found.upload(inputs(step))).await?;
            let value = object!({
                "executionId": upload.execution_id, "inputFrames": upload.input_messages,
            });
            Ok(with_value(result, value.to_string()))
        }
        ("output", _) => {
            let found = find_split(client, step, split)?;
            Ok(match step["after"].as_str() {
                Some(id) => stream(step, found.output_after(id)).await,
                None => stream(step, found.output()).await,
            })
        }
        ("live", _) => live(step, client).await,
        ("warm", "return") => Ok(answer(step, client.warm_return()).await?.0),
        ("warm", _) => Ok(answer(step, client.warm_echo_twice()).await?.0),
        ("inbox", _) => {
            let mut pauses = client.pauses();
            for status in step["statuses"].as_array().into_iter().flatten() {
                pauses = pauses.status(status.as_str().unwrap_or_default().to_owned().into());
            }
            if let Some(size) = step["pageSize"].as_u64() {
                pauses = pauses.page_size(u32::try_from(size).expect("pages are small"));
            }
            let mut stream = pauses.stream();
            let mut read = Vec::new();
            while let Some(pause) = stream.next().await {
                read.push(show_pause(pause?));
            }
            Ok(object!({ "valueText": Value::from(read).to_string() }))
        }
        ("fork", _) => {
            let (id, forked) = match run.as_ref().expect("there is a run") {
                Run::EchoTwice(old) => {
                    let forked = old.fork(fork::<messages::Everything>(step)?).await?;
                    (forked.id().to_owned(), Run::EchoTwice(forked))
                }
                Run::Return(old) => {
                    let forked = old.fork(fork::<messages::Kinds>(step)?).await?;
                    (forked.id().to_owned(), Run::Return(forked))
                }
                Run::Any(old) => {
                    let forked = old.fork(fork::<types::Value>(step)?).await?;
                    (forked.id().to_owned(), Run::Any(forked))
                }
            };
            *run = Some(forked);
            let value = object!({ "executionId": id }).to_string();
            Ok(object!({ "valueText": value }))
        }
        (what, _) => match run.as_ref().expect("there is a run") {
            Run::EchoTwice(run) => look(what, step, run, paused).await,
            Run::Return(run) => look(what, step, run, paused).await,
            Run::Any(run) => look(what, step, run, paused).await,
        },
    }
}

/// What is done with a run.
async fn look<O>(what: &str, step: &Value, run: &Execution<O>, paused: &str) -> Result<Value>
where
    O: ProtoJson + Send + 'static,
{
    match what {
        "wait" => call(step, run.wait()).await,
        "pauses" => {
            let (result, pauses) = answer(step, run.pauses()).await?;
            let pauses: Vec<Value> = pauses.into_iter().map(show_pause).collect();
            Ok(with_value(result, Value::from(pauses).to_string()))
        }
        "resume" => {
            let id = step["pauseId"].as_str().unwrap_or(paused);
            let (result, resumed) = answer(step, run.resume(id, decision::<O>(step)?)).await?;
            let value = object!({
                "pauseId": resumed.pause_id, "status": resumed.status.as_str(),
                "resumedAt": resumed.resumed_at.map(to_milliseconds),
                "resumedBy": resumed.resumed_by, "decision": resumed.decision, "alreadyResumed": resumed.already_resumed,
            });
            Ok(with_value(result, present(value).to_string()))
        }
        "get" | "cancel" => {
            let call = if what == "get" { run.get() } else { run.cancel() };
            let (result, record) = answer(step, call).await?;
            let value = object!({
                "id": record.id, "status": record.status.as_str(), "graphId": record.graph_id,
                "createdAt": record.created_at.map(to_milliseconds),
                "updatedAt": record.updated_at.map(to_milliseconds),
                "completedAt": record.completed_at.map(to_milliseconds),
                "pauseId": record.pause_id, "latestCheckpointId": record.latest_checkpoint_id,
                "errorMessage": record.error_message, "failedNodeName": record.failed_node_name,
            });
            Ok(with_value(result, present(value).to_string()))
        }
        "events" => {
            let mut query = run.events();
            for kind in step["types"].as_array().into_iter().flatten() {
                query = query.kind(kind.as_str().unwrap_or_default());
            }
            if let Some(name) = step["nodeName"].as_str() {
                query = query.node_name(name);
            }
            if let Some(size) = step["pageSize"].as_u64() {
                query = query.page_size(u32::try_from(size).expect("pages are small"));
            }
            let mut stream = query.stream();
            let mut events = Vec::new();
            while let Some(event) = stream.next().await {
                events.push(show_event(event?));
            }
            Ok(object!({ "valueText": Value::from(events).to_string() }))
        }
        "follow" => Ok(follow(step, run.follow()).await),
        other => panic!("this driver cannot do {other}"),
    }
}

/// The stream of the step, or the one that was created last.
fn find_split(
    client: &Client,
    step: &Value,
    created: &str,
) -> Result<SplitStream<messages::LogChunk, messages::LogEntry>> {
    Ok(client.parse_logs_stream(step["streamId"].as_str().unwrap_or(created))?)
}

/// Gives the messages also of a session that fails.
async fn live(step: &Value, client: &Client) -> Result<Value> {
    let mut given = Vec::new();
    let mut session = None;
    let outcome = until_cancelled(step, async {
        let mut call = client.open_continue_text();
        if let Some(timeout) = milliseconds(&step["options"]["timeoutMs"]) {
            call = call.timeout(timeout);
        }
        if let Some(count) = step["options"]["maxRetries"].as_u64() {
            call = call.max_retries(u32::try_from(count).expect("retries are few"));
        }
        let session = session.insert(call.await?);
        converse(step, session, &mut given).await
    });
    let outcome = outcome.await;
    let mut result = object!({ "valueText": format!("[{}]", given.join(",")) });
    if let Some(session) = &session {
        result["executionId"] = session.execution_id().into();
        result["limits"] = show_limits(session.limits());
    }
    if let Err(failure) = outcome {
        result["error"] = describe(&failure);
    }
    Ok(result)
}

/// Sends all inputs, then takes the messages; or one after each input.
async fn converse<I: ProtoJson, O: ProtoJson>(
    step: &Value,
    session: &mut Session<I, O>,
    given: &mut Vec<String>,
) -> std::result::Result<(), Error> {
    for text in step["inputTexts"].as_array().into_iter().flatten() {
        let input = json::from_str(text.as_str().unwrap_or_default())?;
        session.send(&input).await?;
        if step["inTurn"] == true {
            if let Some(message) = session.next().await {
                given.push(json::to_string(&message?)?);
            }
        }
    }
    while given.len() < most(step) {
        match session.next().await {
            Some(message) => given.push(json::to_string(&message?)?),
            None => break,
        }
    }
    Ok(())
}

/// Prints limits by the names that the service gives them.
fn show_limits(limits: &SessionLimits) -> Value {
    present(object!({
        "input_frame_bytes": limits.input_message_bytes,
        "input_bytes": limits.input_bytes,
        "input_frames": limits.input_messages,
        "output_bytes": limits.output_bytes,
        "session_seconds": limits.duration.map(|limit| limit.as_secs()),
        "stall_seconds": limits.stall.map(|limit| limit.as_secs()),
    }))
}

/// Gives the events also of a run that cannot be followed to its end.
async fn follow(step: &Value, mut events: FollowStream) -> Value {
    let options = &step["options"];
    if let Some(timeout) = milliseconds(&options["timeoutMs"]) {
        events = events.timeout(timeout);
    }
    if let Some(count) = options["maxRetries"].as_u64() {
        events = events.max_retries(u32::try_from(count).expect("retries are few"));
    }
    for (name, value) in headers(options) {
        events = events.header(name, value);
    }
    let mut given = Vec::new();
    let outcome = until_cancelled(step, async {
        while given.len() < most(step) {
            match events.next().await {
                Some(event) => given.push(show_event(event?)),
                None => break,
            }
        }
        Ok(())
    });
    let outcome = outcome.await;
    let mut result = object!({ "valueText": Value::from(given).to_string() });
    if let Err(failure) = outcome {
        result["error"] = describe(&failure);
    }
    result
}

fn show_event(event: ExecutionEvent) -> Value {
    present(object!({
        "type": event.kind, "ulid": event.ulid, "timestampMs": event.timestamp_ms,
        "nodeName": event.node_name, "input": event.input, "output": event.output,
        "errorMessage": event.error_message, "pauseId": event.pause_id,
    }))
}

/// Decisions are messages of what the flow takes, which is what it gives.
fn fork<M: ProtoJson>(step: &Value) -> Result<Fork> {
    let fork = Fork::default().input(decision::<M>(step)?);
    Ok(match step["checkpointId"].as_str() {
        Some(id) => fork.checkpoint(id),
        None => fork,
    })
}

fn decision<M: ProtoJson>(step: &Value) -> Result<Decision> {
    let decision = if let Some(text) = step["decisionText"].as_str() {
        Decision::message(&json::from_str::<M>(text)?)
    } else if let Some(text) = step["decisionJsonText"].as_str() {
        Decision::json(&serde_json::from_str(text).expect("the decision is JSON"))
    } else if let Some(text) = step["decisionBytes"].as_str() {
        let bytes: types::Bytes = json::from_str(&Value::from(text).to_string())?;
        Decision::bytes(bytes)
    } else {
        Decision::default()
    };
    Ok(match step["resumedBy"].as_str() {
        Some(name) => decision.by(name),
        None => decision,
    })
}

fn show_pause(pause: Pause) -> Value {
    present(object!({
        "id": pause.id, "executionId": pause.execution_id, "graphId": pause.graph_id,
        "nodeName": pause.node_name, "status": pause.status.as_str(), "question": pause.question,
        "decisionType": pause.decision_type, "checkpointId": pause.checkpoint_id,
        "createdAt": pause.created_at.map(to_milliseconds),
        "expiresAt": pause.expires_at.map(to_milliseconds), "resumeUrl": pause.resume_url,
        "resumedAt": pause.resumed_at.map(to_milliseconds),
        "escalatedAt": pause.escalated_at.map(to_milliseconds),
        "resumedBy": pause.resumed_by, "decision": pause.decision,
    }))
}

async fn call<O: ProtoJson + 'static>(step: &Value, call: Call<O>) -> Result<Value> {
    let (result, output) = answer(step, call).await?;
    Ok(with_value(result, json::to_string(&output)?))
}

/// Gives the messages also of a stream that fails.
async fn stream<O: ProtoJson>(step: &Value, mut outputs: FrameStream<O>) -> Value {
    let options = &step["options"];
    if let Some(timeout) = milliseconds(&options["timeoutMs"]) {
        outputs = outputs.timeout(timeout);
    }
    if let Some(count) = options["maxRetries"].as_u64() {
        outputs = outputs.max_retries(u32::try_from(count).expect("retries are few"));
    }
    if let Some(key) = options["idempotencyKey"].as_str() {
        outputs = outputs.idempotency_key(key);
    }
    for (name, value) in headers(options) {
        outputs = outputs.header(name, value);
    }
    let mut given = Vec::new();
    let outcome = until_cancelled(step, take(step, &mut outputs, &mut given)).await;
    let mut result = object!({
        "executionId": outputs.execution_id(), "valueText": format!("[{}]", given.join(",")),
    });
    if let Err(failure) = outcome {
        result["error"] = describe(&failure);
    } else if let Some(response) = outputs.response().filter(|_| step["raw"] == true) {
        let headers = response.headers.iter();
        let headers: Map<String, Value> = headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().into()))
            .collect();
        result["answer"] = object!({
            "status": response.status.as_u16(), "headers": headers, "body": "",
        });
    }
    result
}

async fn take<O: ProtoJson>(
    step: &Value,
    outputs: &mut FrameStream<O>,
    given: &mut Vec<String>,
) -> std::result::Result<(), Error> {
    while given.len() < most(step) {
        match outputs.next().await {
            Some(output) => given.push(json::to_string(&output?)?),
            None => break,
        }
    }
    Ok(())
}

/// How many messages or events are taken.
fn most(step: &Value) -> usize {
    step["takes"].as_u64().map_or(usize::MAX, |takes| {
        usize::try_from(takes).expect("messages are few")
    })
}

fn inputs<I: ProtoJson + Send + 'static>(
    step: &Value,
) -> impl Stream<Item = std::result::Result<I, Error>> + Send + use<I> {
    let texts: Vec<String> = serde_json::from_value(step["inputTexts"].clone()).expect("texts");
    let pause = milliseconds(&step["inputPauseMs"]).unwrap_or_default();
    futures::stream::unfold(texts.into_iter().enumerate(), move |mut texts| async move {
        let (index, text) = texts.next()?;
        if index > 0 {
            tokio::time::sleep(pause).await;
        }
        Some((json::from_str(&text), texts))
    })
}

/// Sends a call with the options of its step.
async fn answer<O: 'static>(step: &Value, mut call: Call<O>) -> Result<(Value, O)> {
    let options = &step["options"];
    if let Some(timeout) = milliseconds(&options["timeoutMs"]) {
        call = call.timeout(timeout);
    }
    if let Some(count) = options["maxRetries"].as_u64() {
        call = call.max_retries(u32::try_from(count).expect("retries are few"));
    }
    if let Some(key) = options["idempotencyKey"].as_str() {
        call = call.idempotency_key(key);
    }
    for (name, value) in headers(options) {
        call = call.header(name, value);
    }
    if step["raw"] != true {
        return Ok((object!({}), until_cancelled(step, call.send()).await?));
    }
    let response = until_cancelled(step, call.response()).await?;
    let headers: Map<String, Value> = response
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().into()))
        .collect();
    let body = String::from_utf8_lossy(&response.body);
    let answer = object!({ "status": response.status.as_u16(), "headers": headers, "body": body });
    Ok((object!({ "answer": answer }), response.value))
}

/// Drops the call when its time has come.
async fn until_cancelled<T>(
    step: &Value,
    call: impl Future<Output = std::result::Result<T, Error>>,
) -> Result<T> {
    match milliseconds(&step["cancelAfterMs"]) {
        None => Ok(call.await?),
        Some(Duration::ZERO) => Err(Failure::Cancelled),
        Some(after) => match tokio::time::timeout(after, call).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(Failure::Cancelled),
        },
    }
}

fn describe(failure: &Failure) -> Value {
    let Failure::Sdk(error) = failure else {
        return object!({ "class": "cancelled", "message": "the call was dropped" });
    };
    let mut printed = format!("{error:?}");
    let mut source = error.source();
    while let Some(cause) = source {
        printed = format!("{printed} {cause} {cause:?}");
        source = cause.source();
    }
    object!({
        "class": class(error.kind()),
        "message": error.to_string(),
        "printed": printed,
        "status": error.status().map(|status| status.as_u16()),
        "body": error.body(),
        "executionId": error.execution_id(),
        "requestId": error.request_id(),
        "idempotencyKey": error.idempotency_key(),
        "retryAfterMs": error.retry_after().map(|wait| wait.as_secs_f64() * 1000.0),
        "pauseId": error.pause_id(),
        "code": error.code(),
    })
}

fn class(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Configuration => "configuration",
        ErrorKind::Message => "value",
        ErrorKind::ConnectionFailed => "connection",
        ErrorKind::InterruptedResponse => "interrupted-response",
        ErrorKind::StreamInterrupted => "stream-interrupted",
        ErrorKind::TimedOut => "timed-out",
        ErrorKind::WaitTimedOut => "wait-timed-out",
        ErrorKind::FlowFailed => "flow-failed",
        ErrorKind::FlowPaused => "flow-paused",
        ErrorKind::InvalidResponse => "invalid-response",
        ErrorKind::IdempotencyMismatch => "idempotency-mismatch",
        ErrorKind::BadRequest => "bad-request",
        ErrorKind::Unauthorized => "unauthorized",
        ErrorKind::Forbidden => "forbidden",
        ErrorKind::TenantSuspended => "tenant-suspended",
        ErrorKind::AppKeyGraphDenied => "app-key-graph-denied",
        ErrorKind::NotFound => "not-found",
        ErrorKind::PayloadTooLarge => "payload-too-large",
        ErrorKind::NodeFailed => "node-failed",
        ErrorKind::RateLimited => "rate-limited",
        ErrorKind::QuotaExceeded => "quota-exceeded",
        ErrorKind::Server => "server",
        ErrorKind::UpstreamUnavailable => "upstream-unavailable",
        ErrorKind::Status => "status",
        other => panic!("the driver does not know {other:?}"),
    }
}

fn input<I: ProtoJson>(step: &Value) -> Result<I> {
    Ok(json::from_str(
        step["inputText"].as_str().unwrap_or_default(),
    )?)
}

fn with_value(mut result: Value, text: String) -> Value {
    result["valueText"] = text.into();
    result
}

fn present(mut fields: Value) -> Value {
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

/// Prints a time as the service does, always with milliseconds.
fn to_milliseconds(time: types::Timestamp) -> String {
    let text = time.to_string();
    match time.nanos {
        0 => text.replace('Z', ".000Z"),
        _ => text,
    }
}

fn milliseconds(value: &Value) -> Option<Duration> {
    Some(Duration::from_secs_f64(value.as_f64()? / 1000.0))
}

fn headers(options: &Value) -> impl Iterator<Item = (&String, &str)> {
    let given = options["headers"].as_object().into_iter().flatten();
    given.map(|(name, value)| (name, value.as_str().unwrap_or_default()))
}
