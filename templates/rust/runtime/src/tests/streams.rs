//! Streams.

use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures::stream::StreamExt;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::time;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{KEY, client, input, settings};
use crate::http::{
    Body, BoxFuture, HeaderValue, Request, Response, StatusCode, Transport, TransportError,
};
use crate::types::{Bytes, Struct};
use crate::{Client, Error, ErrorKind, Flow, FrameStream, Node, Pipeline, stream};

pub const SPLIT: Node<Struct, Struct, Pipeline> =
    Node::new("split", "/invocations/v1/nodes/a/b/1.0.0/Split");
const WRITE: Flow<Struct, Struct, Pipeline> = Flow::new("write", "g-1");
pub const ID: &str = "00000000000000000000000000c0ffee";

pub fn message(count: u64) -> Value {
    json!({ "execution_id": ID, "payload": { "count": count } })
}

pub fn last() -> Value {
    json!({ "is_final": true, "success": true, "input_frames": 2 })
}

fn write(client: &Client) -> FrameStream<Struct> {
    client.stream_flow(&WRITE, &input())
}

/// Reads a stream to its end.
pub async fn read(stream: &mut FrameStream<Struct>) -> (Vec<Value>, Option<Error>) {
    let mut counts = Vec::new();
    while let Some(output) = stream.next().await {
        match output {
            Ok(output) => counts.push(output["count"].clone()),
            Err(error) => {
                assert!(stream.next().await.is_none());
                return (counts, Some(error));
            }
        }
    }
    (counts, None)
}

#[test]
fn a_stream_fails_outside_of_a_runtime() {
    let runtime = Runtime::new().expect("a runtime can be created");
    let frames = Scripted::frames(&[message(1), message(2)]);
    let server = ScriptedServer::start([frames.hang_in_body(message(1).to_string().len() + 8)]);
    let opened = runtime.block_on(write(&client(&server)).send());
    let mut stream = opened.expect("the response begins");
    let first = runtime.block_on(stream.next());
    assert!(matches!(first, Some(Ok(_))), "{first:?}");
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(Some(Err(error))) = stream.poll_next_unpin(&mut context) else {
        panic!("it fails at once");
    };
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(error.execution_id(), Some(ID));
}

#[tokio::test]
async fn a_last_frame_may_have_a_null_payload() {
    let end = json!({ "payload": null, "is_final": true, "success": true });
    let failure = json!({ "payload": null, "is_final": true, "error": "tired" });
    let server = ScriptedServer::start([
        Scripted::frames(&[message(1), end]),
        Scripted::frames(&[message(1), failure]),
        Scripted::frames(&[json!({ "payload": null })]),
    ]);
    let client = client(&server);
    let (counts, error) = read(&mut write(&client)).await;
    assert_eq!(counts, [1]);
    assert!(error.is_none(), "{error:?}");
    for kind in [ErrorKind::FlowFailed, ErrorKind::InvalidResponse] {
        let (_, error) = read(&mut write(&client)).await;
        assert_eq!(error.expect("it fails").kind(), kind);
    }
}

#[tokio::test]
async fn a_null_payload_is_a_message_if_the_type_has_null() {
    const NULLS: Flow<Struct, Value, Pipeline> = Flow::new("nulls", "g-1");
    let end = json!({ "payload": null, "is_final": true, "success": true });
    let server = ScriptedServer::start([Scripted::frames(&[end])]);
    let mut stream = client(&server).stream_flow(&NULLS, &input());
    let item = stream.next().await.expect("there is a message");
    assert_eq!(item.expect("it is a message"), Value::Null);
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn messages_arrive_in_order() {
    let server = ScriptedServer::start([Scripted::frames(&[message(1), message(2), last()])]);
    let client = client(&server);
    let mut stream = write(&client).header("X-Mine", "2");
    assert!(server.requests().is_empty() && stream.response().is_none());
    let (counts, error) = read(&mut stream).await;
    assert_eq!(counts, [1, 2]);
    assert!(error.is_none());
    assert!(stream.next().await.is_none());
    assert_eq!(stream.execution_id(), Some(ID));
    let request = &server.requests()[0];
    assert_eq!(request.path, "/invocations/v1/flows/invoke/stream");
    assert_eq!(request.json()["timeout_seconds"], 300);
    assert_eq!(request.header("x-mine"), Some("2"));
    assert_eq!(
        request.header("accept"),
        Some("text/event-stream, application/json")
    );
}

#[tokio::test]
async fn the_timeout_of_streams_can_differ_from_that_of_calls() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let seconds = |index: usize| server.requests()[index].json()["timeout_seconds"].clone();
    let hasty = || settings(&server).timeout(Duration::from_secs(5));
    for (index, (builder, expected)) in [
        (hasty(), json!(5)),
        (hasty().stream_timeout(Duration::from_secs(90)), json!(90)),
        (hasty().without_stream_timeout(), json!(86_400)),
    ]
    .into_iter()
    .enumerate()
    {
        let client = builder.build().expect("the settings are right");
        let (_, error) = read(&mut write(&client)).await;
        assert!(error.is_none());
        assert_eq!(seconds(index), expected);
    }
}

#[tokio::test]
async fn a_sent_stream_has_a_response() {
    let frames = Scripted::frames(&[last()]).header("X-Execution-Id", ID);
    let server = ScriptedServer::start([Scripted::json(503, &json!({})), frames]);
    let stream = write(&client(&server)).send().await;
    let mut stream = stream.expect("the second attempt succeeds");
    let response = stream.response().expect("the response has begun");
    assert_eq!((response.status, response.attempts), (StatusCode::OK, 2));
    assert_eq!(stream.execution_id(), Some(ID));
    assert!(stream.next().await.is_none());
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_successful_retry_of_a_stream_is_refunded() {
    let refusal = Scripted::json(503, &json!({}));
    let frames = Scripted::frames(&[last()]);
    let server = ScriptedServer::start([refusal.clone(), frames.clone(), refusal, frames]);
    let client = settings(&server).retry_budget(1).build();
    let client = client.expect("the settings are right");
    for _ in 0..2 {
        let (_, error) = read(&mut write(&client)).await;
        assert!(error.is_none(), "{error:?}");
    }
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_stream_error_names_the_request() {
    let frames = Scripted::frames(&[message(1)]).header("X-Request-Id", "7d1f");
    let server = ScriptedServer::start([frames]);
    let (_, error) = read(&mut write(&client(&server))).await;
    let error = error.expect("the stream is cut off");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert_eq!(error.request_id(), Some("7d1f"));
    assert_eq!(error.execution_id(), Some(ID));
}

#[tokio::test]
async fn a_rejection_is_the_only_item() {
    let refusal = Scripted::json(400, &json!({ "error_message": "no such mode" }));
    let server = ScriptedServer::start([refusal]);
    let (counts, error) = read(&mut write(&client(&server))).await;
    let error = error.expect("the request is refused");
    assert_eq!((counts.len(), error.kind()), (0, ErrorKind::BadRequest));
}

#[tokio::test]
async fn the_error_of_the_last_frame_follows_the_messages() {
    let failure = json!({ "is_final": true, "error": format!("tired of {KEY}") });
    let server = ScriptedServer::start([Scripted::frames(&[message(1), failure])]);
    let client = client(&server);
    let streams = [
        (write(&client), ErrorKind::FlowFailed),
        (client.stream_node(&SPLIT, &input()), ErrorKind::NodeFailed),
    ];
    for (mut stream, kind) in streams {
        let (counts, error) = read(&mut stream).await;
        let error = error.expect("the stream fails");
        assert_eq!((counts.len(), error.kind()), (1, kind));
        assert_eq!(
            error.to_string(),
            format!("tired of [redacted] (execution {ID})")
        );
        assert_eq!(error.execution_id(), Some(ID));
    }
}

#[tokio::test]
async fn a_stream_without_a_last_frame_is_an_error() {
    let server = ScriptedServer::start([Scripted::frames(&[message(1)])]);
    let (counts, error) = read(&mut write(&client(&server))).await;
    let error = error.expect("the stream is cut off");
    assert_eq!(
        (counts.len(), error.kind()),
        (1, ErrorKind::StreamInterrupted)
    );
    assert_eq!(
        error.to_string(),
        format!("the stream was cut off: there was no last frame (execution {ID})")
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_timeout_of_the_client_limits_streams() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let timeout = settings(&server).timeout(Duration::from_secs(7));
    let client = timeout.build().expect("the settings are right");
    read(&mut write(&client)).await;
    read(&mut write(&client).timeout(Duration::from_millis(8_500))).await;
    read(&mut write(&client).without_timeout()).await;
    let given = server.requests().into_iter();
    let given: Vec<Value> = given
        .map(|request| request.json()["timeout_seconds"].clone())
        .collect();
    assert_eq!(given, [7, 9, 86_400]);
}

#[tokio::test]
async fn input_is_sent_as_lines() {
    let server = ScriptedServer::start([Scripted::frames(&[message(2), last()])]);
    let inputs = stream::iter([input(), input()]);
    let mut stream = client(&server).upload(&SPLIT, inputs);
    let (counts, error) = read(&mut stream).await;
    assert_eq!((counts, error.is_none()), (vec![json!(2)], true));
    let request = &server.requests()[0];
    assert_eq!(request.body, "{\"count\":5}\n{\"count\":5}\n");
    assert_eq!(request.header("content-type"), Some("application/x-ndjson"));
}

#[tokio::test]
async fn incomplete_input_is_an_error() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let mut stream = client(&server).upload(&SPLIT, stream::iter([input()]));
    let (_, error) = read(&mut stream).await;
    let error = error.expect("another number arrived");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert!(
        error.to_string().contains("2 of 1 input messages"),
        "{error}"
    );
}

#[tokio::test]
async fn failed_input_ends_the_request() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let inputs = stream::iter([Ok(input()), Err("no more rows")]);
    let mut stream = client(&server).upload(&SPLIT, inputs);
    let (_, error) = read(&mut stream).await;
    let error = error.expect("the input fails");
    assert_eq!(
        (error.kind(), error.attempts()),
        (ErrorKind::InputFailed, 1)
    );
    let source = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("no more rows"));
}

/// Responds with an event stream that has this body.
struct Streaming(fn() -> Body);

impl Transport for Streaming {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let mut response = Response::new(self.0());
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert("content-type", kind);
        Box::pin(async { Ok(response) })
    }
}

fn streaming(body: fn() -> Body) -> Client {
    let server = ScriptedServer::start([]);
    let client = settings(&server).transport(Streaming(body)).build();
    client.expect("the settings are right")
}

#[tokio::test(start_paused = true)]
async fn a_silent_connection_is_lost() {
    let client = streaming(|| Body::from_stream(futures::stream::pending()));
    let (_, error) = read(&mut write(&client)).await;
    let error = error.expect("nothing arrives");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert!(error.to_string().contains("90 seconds"), "{error}");
}

/// Reads the first messages slowly, and returns the number of all messages.
async fn read_slowly(mut stream: FrameStream<Struct>, slow: usize) -> (usize, Option<Error>) {
    let mut count = 0;
    while let Some(output) = stream.next().await {
        if let Err(error) = output {
            return (count, Some(error));
        }
        count += 1;
        if count <= slow {
            time::sleep(Duration::from_secs(4) / u32::try_from(slow).expect("it is small")).await;
        }
    }
    (count, None)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_loses_no_message_that_has_arrived() {
    let mut frames: Vec<_> = (1..=8).map(message).collect();
    frames.push(last());
    let server = ScriptedServer::start([Scripted::chunks(&frames)]);
    let cut_off = Scripted::chunks(&frames[..8]);
    let length = message(1).to_string().len();
    let hanging = ScriptedServer::start([cut_off.hang_in_body(4 * length)]);
    let stream = |server| write(&client(server)).timeout(Duration::from_secs(2));
    let (once, often, (count, error)) = tokio::join!(
        read_slowly(stream(&server), 1),
        read_slowly(stream(&server), 8),
        read_slowly(stream(&hanging), 1),
    );
    for (count, error) in [once, often] {
        assert_eq!((count, error.is_none()), (8, true), "{error:?}");
    }
    let error = error.expect("the rest is late");
    assert_eq!((count, error.kind()), (3, ErrorKind::TimedOut));
}

#[tokio::test]
async fn an_endless_stream_times_out_with_a_slow_reader() {
    let client = streaming(|| {
        let comment = "x".repeat(100_000);
        let chunk = Bytes::from(format!("data: {}\n\n:{comment}\n\n", message(1)));
        Body::from_stream(futures::stream::repeat_with(move || Ok(chunk.clone())))
    });
    let stream = write(&client).timeout(Duration::from_millis(300));
    let reading = read_slowly(stream, 50);
    let read = time::timeout(Duration::from_secs(60), reading).await;
    let (_, error) = read.expect("the stream ends");
    assert_eq!(error.expect("it is late").kind(), ErrorKind::TimedOut);
}
