//! Values that a program creates for its own tests.

use std::error::Error as _;
use std::sync::mpsc;
use std::time::Duration;

use futures::stream::{FusedStream, StreamExt};
use http::header::HOST;
use serde_json::json;

use super::{input, streams};
use crate::http::{Body, HeaderMap, HeaderValue, StatusCode, TransportError};
use crate::types::{Struct, Timestamp};
use crate::{
    Call, Client, ClientBuilder, Error, ErrorKind, EventStream, Events, Execution, ExecutionEvent,
    ExecutionRecord, ExecutionStatus, FollowStream, FrameStream, Pause, PauseStatus, PauseStream,
    Pauses, Response, ResumedPause, Session, SessionSender, SplitStream, Upload, event_kinds,
    stream,
};

#[test]
fn errors() {
    let limited = Error::new(ErrorKind::RateLimited, "too many requests")
        .with_status(StatusCode::TOO_MANY_REQUESTS)
        .with_code("rate_limited")
        .with_retry_after(Duration::from_secs(2));
    assert_eq!(limited.to_string(), "too many requests");
    assert_eq!(limited.status(), Some(StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(limited.code(), Some("rate_limited"));
    assert_eq!(limited.retry_after(), Some(Duration::from_secs(2)));
    assert!(limited.is_retryable());
    for (kind, is_retryable) in [
        (ErrorKind::ConnectionFailed, true),
        (ErrorKind::TimedOut, true),
        (ErrorKind::RateLimited, true),
        (ErrorKind::QuotaExceeded, true),
        (ErrorKind::Server, true),
        (ErrorKind::UpstreamUnavailable, true),
        (ErrorKind::WaitTimedOut, false),
        (ErrorKind::NotFound, false),
        (ErrorKind::Status, false),
    ] {
        let error = Error::new(kind, "it failed");
        assert_eq!(error.is_retryable(), is_retryable, "{kind:?}");
    }
    let late = Error::new(ErrorKind::Status, "late").with_status(StatusCode::REQUEST_TIMEOUT);
    assert!(late.is_retryable());
    let away = Error::new(ErrorKind::UpstreamUnavailable, "away");
    assert!(
        !away
            .with_retry_after(Duration::from_secs(61))
            .is_retryable()
    );
    let paused = Error::new(ErrorKind::FlowPaused, "the run waits")
        .with_execution_id("run-1")
        .with_pause_id("pause-1");
    assert_eq!(paused.execution_id(), Some("run-1"));
    assert_eq!(paused.pause_id(), Some("pause-1"));
    assert!(!paused.is_retryable());
    let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("svc.example"))]);
    let failed = Error::new(ErrorKind::NodeFailed, "no words")
        .with_headers(headers)
        .with_body(json!({ "words": 0 }))
        .with_request_id("request-1")
        .with_attempts(3)
        .with_idempotency_key("key-1")
        .with_source("the text is empty");
    let host = failed.headers().and_then(|headers| headers.get(HOST));
    assert_eq!(host, Some(&HeaderValue::from_static("svc.example")));
    assert_eq!(failed.body(), Some(&json!({ "words": 0 })));
    assert_eq!(failed.request_id(), Some("request-1"));
    assert_eq!(failed.attempts(), 3);
    assert_eq!(failed.idempotency_key(), Some("key-1"));
    let source = failed.source().map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("the text is empty"));
}

#[test]
fn records_and_events() {
    let time = "2026-01-31T09:30:00Z";
    let record = json!({ "execution_id": "run-1", "status": "RUNNING", "created_at": time });
    let record = ExecutionRecord::from_json(record).expect("it is a record");
    assert_eq!(record.status, ExecutionStatus::Running);
    assert_eq!(Ok(record.status.clone()), "RUNNING".parse());
    assert_eq!(record.status, "RUNNING".into());
    assert_eq!(record.created_at, time.parse::<Timestamp>().ok());
    for malformed in [
        json!({ "execution_id": "run-1" }),
        json!({ "execution_id": "run-1", "status": "RUNNING", "created_at": "today" }),
    ] {
        let error = ExecutionRecord::from_json(malformed).expect_err("it is malformed");
        assert_eq!(error.kind(), ErrorKind::Message);
    }
    let failed = json!({
        "execution_id": "run-1", "status": "FAILED", "error_message": "no words",
        "failed_node_name": "second",
    });
    let failed = ExecutionRecord::from_json(failed).expect("it is a record");
    assert_eq!(failed.error_message.as_deref(), Some("no words"));
    assert_eq!(failed.failed_node_name.as_deref(), Some("second"));
    let event = json!({ "type": "NODE_FAILED", "error": "no words", "pause_id": "pause-1" });
    let event = ExecutionEvent::from_json(event);
    assert_eq!(event.kind, event_kinds::NODE_FAILED);
    assert_eq!(event.error_message.as_deref(), Some("no words"));
    assert_eq!(event.pause_id.as_deref(), Some("pause-1"));
    let event = json!({ "type": "NODE_STARTED", "timestamp_ms": 5, "node_name": "first" });
    let event = ExecutionEvent::from_json(event);
    assert_eq!(
        (event.kind.as_str(), event.timestamp_ms),
        ("NODE_STARTED", 5)
    );
    assert_eq!(event.node_name.as_deref(), Some("first"));
}

#[test]
fn pauses() {
    let pause = json!({
        "pause_id": "pause-1", "execution_id": "run-1", "status": "WAITING",
        "interrupt_payload": { "amount": 5 },
    });
    let pause = Pause::from_json(pause).expect("it is a pause");
    assert_eq!(pause.status, PauseStatus::Waiting);
    assert_eq!(pause.question, Some(json!({ "amount": 5 })));
    let error = Pause::from_json(json!({ "pause_id": "pause-1" }));
    let error = error.expect_err("fields are missing");
    assert_eq!(error.kind(), ErrorKind::Message);
    let resumed = json!({ "pause_id": "pause-1", "status": "RESUMED", "already_resumed": true });
    let resumed = ResumedPause::from_json(resumed).expect("it is an answer");
    assert!(resumed.already_resumed);
    ResumedPause::from_json(json!({})).expect_err("fields are missing");
}

#[test]
fn responses() {
    let mut response = Response::new("ship");
    response.request_id = Some("request-1".to_owned());
    assert_eq!((response.value, response.attempts), ("ship", 1));
    assert_eq!(response.status, StatusCode::OK);
}

#[tokio::test]
async fn streams() {
    let messages = [
        Ok(input()),
        Err(Error::new(ErrorKind::NodeFailed, "no words")),
        Ok(input()),
    ];
    let stream = FrameStream::from_stream(stream::iter(messages));
    let mut stream = stream.timeout(Duration::from_secs(1)).send().await;
    let stream = stream.as_mut().expect("nothing is sent");
    assert!(stream.response().is_none());
    let (counts, error) = streams::read(stream).await;
    assert_eq!(counts, [5]);
    let error = error.expect("the second item is one");
    assert_eq!(error.kind(), ErrorKind::NodeFailed);
}

#[tokio::test]
async fn sessions() {
    let (to_test, sent) = mpsc::channel();
    let outputs = stream::iter([Ok(input()), Ok(input())]);
    let on_send = move |input: &Struct| to_test.send(input.clone()).expect("the test listens");
    let mut session = Session::from_stream(outputs, on_send);
    session.send(&input()).await.expect("the session is open");
    let sender = session.sender();
    sender.send(&input()).await.expect("the session is open");
    assert_eq!(sent.try_iter().collect::<Vec<_>>(), [input(), input()]);
    let output = session.next().await.and_then(Result::ok);
    assert_eq!(output, Some(input()));
    assert_eq!(read(session).await, (vec![input()], false));
    let error = sender.send(&input()).await;
    let error = error.expect_err("the session is closed");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert!(!error.is_retryable());
}

fn event(kind: &str) -> ExecutionEvent {
    ExecutionEvent::from_json(json!({ "type": kind }))
}

/// Reads a stream until it is terminated, even after an error.
async fn read<T>(mut stream: impl FusedStream<Item = Result<T, Error>> + Unpin) -> (Vec<T>, bool) {
    let (mut items, mut has_failed) = (Vec::new(), false);
    while let Some(item) = stream.next().await {
        assert!(!has_failed, "the error is the last item");
        match item {
            Ok(item) => items.push(item),
            Err(_) => has_failed = true,
        }
    }
    assert!(stream.is_terminated());
    assert!(stream.next().await.is_none());
    (items, has_failed)
}

#[tokio::test]
async fn streams_of_events_and_pauses() {
    let events = || {
        let lost = Error::new(ErrorKind::StreamInterrupted, "the service is gone");
        stream::iter([Ok(event("NODE_STARTED")), Err(lost), Ok(event("FORKED"))])
    };
    let first = vec![event("NODE_STARTED")];
    let followed = FollowStream::from_stream(events()).timeout(Duration::from_secs(1));
    assert_eq!(read(followed).await, (first.clone(), true));
    let recorded = EventStream::from_stream(events());
    assert_eq!(read(recorded).await, (first, true));
    let pause = json!({ "pause_id": "p-1", "execution_id": "run-1", "status": "WAITING" });
    let pause = Pause::from_json(pause).expect("it is a pause");
    let pauses = PauseStream::from_stream(stream::iter([Ok(pause.clone())]));
    assert_eq!(read(pauses).await, (vec![pause], false));
}

/// Threads can share the values that a program holds across an `await`.
#[test]
fn values_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Client>();
    check::<ClientBuilder>();
    check::<Call<Struct>>();
    check::<Error>();
    check::<Response<Struct>>();
    check::<Execution<Struct>>();
    check::<Events>();
    check::<EventStream>();
    check::<FollowStream>();
    check::<Pauses>();
    check::<PauseStream>();
    check::<FrameStream<Struct>>();
    check::<SplitStream<Struct, Struct>>();
    check::<Session<Struct, Struct>>();
    check::<SessionSender<Struct>>();
    check::<Body>();
    check::<TransportError>();
}

#[test]
fn uploads() {
    let upload = Upload::new("run-1", 2);
    assert_eq!(
        (upload.execution_id.as_str(), upload.input_messages),
        ("run-1", 2)
    );
}
