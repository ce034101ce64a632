//! Split streams.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Value, json};
use tokio::time;

use super::scripted_server::{Scripted, ScriptedServer};
use super::streams::{ID, SPLIT, last, message, read};
use super::{KEY, client, input, settings};
use crate::http::{Body, BoxFuture, Request, Response, Transport, TransportError};
use crate::types::{Bytes, Struct};
use crate::{Client, ErrorKind, Node, Pipeline, SplitStream, stream};

const STREAM: &str = "0192f1c0a3b1";

fn find(client: &Client) -> SplitStream<Struct, Struct> {
    client
        .find_stream(&SPLIT, STREAM)
        .expect("the id is one of a stream")
}

/// Returns an event stream in which each frame has its number as its id, starting at `first`.
fn stored(first: usize, frames: &[Value]) -> Scripted {
    let events = frames.iter().zip(first..);
    let events = events.map(|(frame, id)| format!("id: {id}\ndata: {frame}\n\n"));
    Scripted::new(200, events.collect::<String>()).header("Content-Type", "text/event-stream")
}

#[tokio::test]
async fn a_split_stream_is_created_for_a_node() {
    const NAMED: Node<Struct, Struct, Pipeline> = Node::new(
        "named",
        "/invocations/v1/nodes/a/b/1.0.0%2B7/Gr%C3%B6%C3%9Fe",
    );
    let server = ScriptedServer::start([Scripted::json(201, &json!({ "stream_id": STREAM }))]);
    let created = client(&server).create_stream(&NAMED).await;
    assert_eq!(created.expect("it is created").id(), STREAM);
    let request = &server.requests()[0];
    assert_eq!(request.path, "/invocations/v1/nodes/streams");
    assert_eq!(
        request.json(),
        json!({ "node_ref": "a/b/1.0.0+7/Gr\u{f6}\u{df}e" })
    );
}

#[test]
fn ids_are_checked() {
    let client = Client::builder().api_key("k").base_url("http://localhost");
    let client = client.build().expect("the settings are right");
    for id in ["", "../secrets", "a b", "\u{e9}"] {
        let error = client.find_stream(&SPLIT, id).expect_err(id);
        assert_eq!(error.kind(), ErrorKind::Message);
    }
    assert!(client.find_stream(&SPLIT, "Az09-_").is_ok());
}

#[tokio::test]
async fn an_upload_reports_the_number_of_messages() {
    let body = json!({ "execution_id": ID, "input_frames": 2 });
    let server = ScriptedServer::start([Scripted::json(200, &body)]);
    let inputs = stream::iter([input(), input()]);
    let upload = find(&client(&server)).upload(inputs).await;
    let upload = upload.expect("all of it arrives");
    assert_eq!(
        (upload.execution_id.as_str(), upload.input_messages),
        (ID, 2)
    );
    let request = &server.requests()[0];
    assert!(request.path.ends_with("/streams/0192f1c0a3b1/input"));
    assert_eq!(request.body, "{\"count\":5}\n{\"count\":5}\n");
}

#[tokio::test]
async fn an_incomplete_upload_is_an_error() {
    let body = json!({ "execution_id": ID, "input_frames": 1 });
    let server = ScriptedServer::start([Scripted::json(200, &body)]);
    let inputs = stream::iter([input(), input()]);
    let error = find(&client(&server)).upload(inputs).await;
    let error = error.expect_err("one message is missing");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert!(
        error.to_string().contains("1 of 2 input messages"),
        "{error}"
    );
    assert_eq!(error.execution_id(), Some(ID));
}

#[tokio::test]
async fn output_resumes_after_a_lost_connection() {
    let server = ScriptedServer::start([
        stored(0, &[message(1), message(2)]),
        Scripted::json(503, &json!({})),
        stored(2, &[message(3), last()]),
    ]);
    let mut output = find(&client(&server)).output();
    let (counts, error) = read(&mut output).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(counts, [1, 2, 3]);
    assert_eq!(output.last_event_id(), Some("2"));
    let ids = server.requests();
    let ids = ids.iter().map(|request| request.header("last-event-id"));
    assert_eq!(ids.collect::<Vec<_>>(), [None, Some("1"), Some("1")]);
}

#[tokio::test]
async fn output_begins_after_an_event() {
    let server = ScriptedServer::start([Scripted::new(204, "")]);
    let mut output = find(&client(&server)).output_after("7");
    let (counts, error) = read(&mut output).await;
    assert_eq!((counts.len(), error.is_none()), (0, true));
    assert_eq!(server.requests()[0].header("last-event-id"), Some("7"));
    let mut output = find(&client(&server)).output_after("a\nb");
    let (_, error) = read(&mut output).await;
    let error = error.expect("the id is no header");
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

#[tokio::test]
async fn output_gives_up_after_connections_without_messages() {
    let server = ScriptedServer::start([stored(0, &[message(1)]), stored(1, &[])]);
    let client = settings(&server).max_retries(3).build();
    let mut output = find(&client.expect("the settings are right")).output();
    let (counts, error) = read(&mut output).await;
    let error = error.expect("there is no last message");
    assert_eq!(
        (counts.len(), error.kind()),
        (1, ErrorKind::StreamInterrupted)
    );
    assert_eq!(server.requests().len(), 9);
}

#[tokio::test]
async fn output_without_ids_is_not_resumed() {
    let server = ScriptedServer::start([Scripted::frames(&[message(1)])]);
    let (counts, error) = read(&mut find(&client(&server)).output()).await;
    let error = error.expect("there is no last message");
    assert_eq!(
        (counts.len(), error.kind()),
        (1, ErrorKind::StreamInterrupted)
    );
    assert_eq!(server.requests().len(), 1);
}

/// Resuming after the previous id would deliver the second message again.
#[tokio::test]
async fn output_is_not_resumed_after_a_message_without_its_own_id() {
    for id in ["", "id: a\0b\n", "id:\n"] {
        let events = format!(
            "id: 0\ndata: {}\n\n{id}data: {}\n\n",
            message(1),
            message(2)
        );
        let cut = Scripted::new(200, events).header("Content-Type", "text/event-stream");
        let server = ScriptedServer::start([cut]);
        let (counts, error) = read(&mut find(&client(&server)).output()).await;
        let error = error.expect("there is no last message");
        assert_eq!(
            (counts.len(), error.kind()),
            (2, ErrorKind::StreamInterrupted)
        );
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_failure_of_the_node_is_not_retried() {
    let failure = json!({ "is_final": true, "error": "tired" });
    let server = ScriptedServer::start([stored(0, &[message(1), failure])]);
    let (counts, error) = read(&mut find(&client(&server)).output()).await;
    let error = error.expect("the node fails");
    assert_eq!((counts.len(), error.kind()), (1, ErrorKind::NodeFailed));
    assert_eq!(server.requests().len(), 1);
}

/// Cuts off the first response after five minutes without a message.
#[derive(Default)]
struct Impatient(AtomicBool);

impl Transport for Impatient {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let was_sent = self.0.swap(true, Ordering::Relaxed);
        let comments = stream::iter(0..5).then(|_| async {
            time::sleep(Duration::from_secs(60)).await;
            Ok(Bytes::from(": all is well\n\n"))
        });
        let body = match was_sent {
            true => Body::from(format!("id: 1\ndata: {}\n\n", last())),
            false => Body::from_stream(comments),
        };
        let mut response = Response::new(body);
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(CONTENT_TYPE, kind);
        Box::pin(async { Ok(response) })
    }
}

#[tokio::test(start_paused = true)]
async fn output_resumes_after_any_duration() {
    let client = Client::builder().api_key(KEY).base_url("http://svc.test");
    let client = client.transport(Impatient::default()).build();
    let client = client.expect("the settings are right");
    let (_, error) = read(&mut find(&client).output().without_timeout()).await;
    assert!(error.is_none(), "{error:?}");
}
