//! Requests and responses of calls.

use serde_json::json;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{ECHO, KEY, client, echo, input};
use crate::ErrorKind;
use crate::http::StatusCode;

fn ok() -> Scripted {
    Scripted::json(200, &json!({ "count": 6 }))
}

#[tokio::test]
async fn requests_contain_the_input_and_the_identity_of_the_sdk() {
    let server = ScriptedServer::start([ok()]);
    let output = echo(&client(&server)).await.expect("the call succeeds");
    assert_eq!(output["count"], 6);
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.body.as_str()),
        ("POST", r#"{"count":5}"#)
    );
    assert_eq!(request.path, "/invocations/v1/nodes/a/b/1.0.0/Echo");
    assert_eq!(
        request.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    assert_eq!(request.header("accept"), Some("application/json"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("x-svc-client"), Some(crate::IDENTITY));
}

#[tokio::test]
async fn raw_responses_are_complete() {
    let head = ok()
        .header("X-Execution-Id", "e".repeat(32))
        .header("X-Request-Id", "7d1f")
        .header("X-Other", "1");
    let server = ScriptedServer::start([head]);
    let answer = echo(&client(&server))
        .header("X-Mine", "2")
        .response()
        .await;
    let answer = answer.expect("the call succeeds");
    assert_eq!((answer.status, answer.attempts), (StatusCode::OK, 1));
    assert_eq!(answer.body, r#"{"count":6}"#);
    assert_eq!(answer.headers["x-other"], "1");
    assert_eq!(answer.execution_id, Some("e".repeat(32)));
    assert_eq!(answer.request_id.as_deref(), Some("7d1f"));
    assert_eq!(server.keys(), [answer.idempotency_key]);
    assert_eq!(server.requests()[0].header("x-mine"), Some("2"));
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let moved = Scripted::new(307, "").header("Location", "https://new.example.com/");
    let server = ScriptedServer::start([moved]);
    let error = echo(&client(&server))
        .await
        .expect_err("a redirect is no output");
    assert_eq!(
        (error.kind(), error.status()),
        (ErrorKind::Status, Some(StatusCode::TEMPORARY_REDIRECT))
    );
    assert!(
        error.to_string().contains("https://new.example.com/"),
        "{error}"
    );
    assert_eq!(server.requests().len(), 1);
}

#[cfg(feature = "gzip")]
#[tokio::test]
async fn responses_can_be_compressed() {
    // `{"count":6}`
    let packed = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 206, 47, 205, 43, 81, 178, 50, 171, 5, 0,
        110, 244, 154, 149, 11, 0, 0, 0,
    ];
    let packed = Scripted::new(200, packed).header("Content-Encoding", "gzip");
    let server = ScriptedServer::start([packed]);
    let answer = echo(&client(&server)).response().await;
    let answer = answer.expect("the call succeeds");
    assert_eq!(answer.body, r#"{"count":6}"#);
    let accepted = server.requests()[0]
        .header("accept-encoding")
        .map(str::to_owned);
    assert_eq!(accepted.as_deref(), Some("gzip"));
}

#[tokio::test]
async fn a_call_that_is_not_awaited_sends_nothing() {
    let server = ScriptedServer::start([ok()]);
    drop(echo(&client(&server)));
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn calls_can_be_sent_between_threads() {
    let server = ScriptedServer::start([ok()]);
    let client = client(&server);
    let call = tokio::spawn(async move { client.call(&ECHO, &input()).await });
    let output = call
        .await
        .expect("the task ends")
        .expect("the call succeeds");
    assert_eq!(output["count"], 6);
}
