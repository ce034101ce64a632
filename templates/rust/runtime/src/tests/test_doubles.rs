//! Values that a program creates for its own tests.

use std::time::Duration;

use serde_json::json;

use super::{input, streams};
use crate::http::StatusCode;
use crate::types::Timestamp;
use crate::{
    Error, ErrorKind, ExecutionEvent, ExecutionRecord, ExecutionStatus, FrameStream, Pause,
    PauseStatus, Response, ResumedPause, Upload, event_kinds, stream,
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
    let paused = Error::new(ErrorKind::FlowPaused, "the run waits")
        .with_execution_id("run-1")
        .with_pause_id("pause-1");
    assert_eq!(paused.execution_id(), Some("run-1"));
    assert_eq!(paused.pause_id(), Some("pause-1"));
    assert!(!paused.is_retryable());
}

#[test]
fn records_and_events() {
    let time = "2026-01-31T09:30:00Z";
    let record = json!({ "execution_id": "run-1", "status": "RUNNING", "created_at": time });
    let record = ExecutionRecord::from_json(record).expect("it is a record");
    assert_eq!(record.status, ExecutionStatus::Running);
    assert_eq!(Ok(record.status), "RUNNING".parse());
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

#[test]
fn uploads() {
    let upload = Upload::new("run-1", 2);
    assert_eq!(
        (upload.execution_id.as_str(), upload.input_messages),
        ("run-1", 2)
    );
}
