//! Invalid and unsuccessful responses.

use std::error::Error as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::scripted_server::{Scripted, ScriptedServer};
use super::streams::SPLIT;
use super::{client, echo, input};
use crate::http::StatusCode;
use crate::{Error, ErrorKind};

#[tokio::test]
async fn error_statuses_are_mapped_to_kinds() {
    let cases = [
        (
            400,
            json!({ "error_message": "no such field" }),
            ErrorKind::BadRequest,
        ),
        (
            401,
            json!({ "error": "unauthorized" }),
            ErrorKind::Unauthorized,
        ),
        (403, json!({ "error": "forbidden" }), ErrorKind::Forbidden),
        (
            403,
            json!({ "error": "tenant_suspended" }),
            ErrorKind::TenantSuspended,
        ),
        (
            403,
            json!({ "error": "app_key_graph_denied" }),
            ErrorKind::AppKeyGraphDenied,
        ),
        (
            404,
            json!({ "error_message": "node not found" }),
            ErrorKind::NotFound,
        ),
        (
            413,
            json!({ "error": "payload_too_large" }),
            ErrorKind::PayloadTooLarge,
        ),
        (
            418,
            json!({ "message": "short and stout" }),
            ErrorKind::Status,
        ),
        (
            422,
            json!({ "error_message": "no words" }),
            ErrorKind::NodeFailed,
        ),
        (
            429,
            json!({ "error": "rate limit exceeded" }),
            ErrorKind::RateLimited,
        ),
        (
            429,
            json!({ "error": "quota_exceeded" }),
            ErrorKind::QuotaExceeded,
        ),
        (500, json!({ "error_message": "broken" }), ErrorKind::Server),
        (
            502,
            json!({ "error_message": "lost" }),
            ErrorKind::UpstreamUnavailable,
        ),
        (
            503,
            json!({ "error": "quota_unavailable" }),
            ErrorKind::UpstreamUnavailable,
        ),
        (504, json!("<html>"), ErrorKind::UpstreamUnavailable),
    ];
    for (status, body, kind) in cases {
        let text = match &body {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let answer = Scripted::new(status, text)
            .header("X-Execution-Id", "f".repeat(32))
            .header("X-Request-Id", "7d1f");
        let server = ScriptedServer::start([answer]);
        let error = echo(&client(&server))
            .max_retries(0)
            .await
            .expect_err("it is a refusal");
        assert_eq!(error.kind(), kind);
        assert_eq!(error.status(), StatusCode::from_u16(status).ok());
        let headers = error.headers().expect("there are headers");
        assert_eq!(headers["x-execution-id"], "f".repeat(32).as_str());
        assert_eq!(error.attempts(), 1);
        assert_eq!(error.idempotency_key(), Some(server.keys()[0].as_str()));
        assert!(kind.is_refusal());
        assert_eq!(error.body(), Some(&body));
        assert_eq!(error.execution_id(), Some("f".repeat(32).as_str()));
        assert_eq!(error.request_id(), Some("7d1f"));
        let place = format!(
            "(HTTP {status}, execution {}, request 7d1f)",
            "f".repeat(32)
        );
        assert!(error.to_string().ends_with(&place), "{error}");
        if let Some(said) = body.as_object().and_then(|fields| fields.values().next()) {
            let text = error.to_string();
            assert!(
                text.starts_with(said.as_str().unwrap_or_default()),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn invalid_responses_are_errors() {
    for body in ["<html>", "", "[[[", "[]", "\"\u{fffd}"] {
        let server = ScriptedServer::start([Scripted::new(200, body)]);
        let error = echo(&client(&server)).await.expect_err("it is no output");
        assert_eq!(
            (error.kind(), error.status()),
            (ErrorKind::InvalidResponse, Some(StatusCode::OK))
        );
        assert_eq!(server.requests().len(), 1);
        assert_eq!(error.attempts(), 1);
        assert_eq!(error.idempotency_key(), Some(server.keys()[0].as_str()));
        assert!(error.headers().is_some());
    }
    let server = ScriptedServer::start([Scripted::new(200, r#"{"count":1,"count":2}"#)]);
    let error = echo(&client(&server)).await.expect_err("it is no output");
    assert!(error.to_string().contains(": response"), "{error}");
}

#[tokio::test]
async fn truncated_responses_are_errors() {
    let answer = Scripted::json(200, &json!({ "count": 6 })).cut_body(3);
    let server = ScriptedServer::start([answer]);
    let error = echo(&client(&server)).await.expect_err("the answer is cut");
    assert_eq!(error.kind(), ErrorKind::InterruptedResponse);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn errors_keep_the_head_of_a_truncated_response() {
    let answer = Scripted::json(200, &json!({ "count": 6 }))
        .header("X-Execution-Id", "f".repeat(32))
        .header("X-Request-Id", "7d1f");
    let server = ScriptedServer::start([answer.clone().cut_body(3)]);
    let interrupted = echo(&client(&server)).max_retries(0).await;
    let server = ScriptedServer::start([answer.hang_in_body(3)]);
    let late = echo(&client(&server)).timeout(Duration::from_secs(3)).await;
    let kinds = [ErrorKind::InterruptedResponse, ErrorKind::TimedOut];
    for (outcome, kind) in [interrupted, late].into_iter().zip(kinds) {
        let error = outcome.expect_err("the answer is not complete");
        assert_eq!(error.kind(), kind);
        assert_eq!(error.status(), Some(StatusCode::OK));
        assert_eq!(error.execution_id(), Some("f".repeat(32).as_str()));
        assert_eq!(error.request_id(), Some("7d1f"));
        assert!(error.headers().is_some() && error.body().is_none());
        assert!(error.is_retryable());
    }
}

#[tokio::test]
async fn truncated_error_responses_report_their_status() {
    let body = json!({ "error_message": "no such field" });
    let refusal = |status| Scripted::json(status, &body).header("X-Request-Id", "7d1f");
    let server = ScriptedServer::start([refusal(400).cut_body(5)]);
    let error = echo(&client(&server)).await.expect_err("it is a refusal");
    assert_eq!(error.kind(), ErrorKind::BadRequest);
    assert_eq!(error.request_id(), Some("7d1f"));
    assert_eq!(error.body(), Some(&json!("{\"err")));
    assert!(error.source().is_some() && !error.is_retryable());
    assert_eq!(server.requests().len(), 1);
    let answer = Scripted::json(200, &json!({ "count": 6 }));
    let server = ScriptedServer::start([refusal(503).cut_body(5), answer]);
    echo(&client(&server)).await.expect("the retry succeeds");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn unreachable_services_are_errors() {
    let client = client(&ScriptedServer::start([]));
    let error = echo(&client).await.expect_err("nobody answers");
    assert!(error.kind().is_connection_failure(), "{error:?}");
    assert_eq!(error.attempts(), 3);
    assert!(error.idempotency_key().is_some());
    assert!(error.status().is_none() && error.headers().is_none());
}

#[tokio::test]
async fn errors_do_not_repeat_their_sources() {
    let client = client(&ScriptedServer::start([]));
    let error = echo(&client).await.expect_err("nobody answers");
    let mut source = error.source();
    assert!(source.is_some());
    let mut shown = vec![error.to_string()];
    while let Some(cause) = source {
        shown.push(cause.to_string());
        source = cause.source();
    }
    for (index, text) in shown.iter().enumerate() {
        let others = shown.iter().skip(index + 1);
        assert!(
            !others.into_iter().any(|other| text.contains(other)),
            "{shown:?}"
        );
    }
}

#[tokio::test]
async fn a_closed_connection_is_not_reported_as_unreachable() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({})).cut(0)]);
    let error = echo(&client(&server)).max_retries(0).await;
    let error = error.expect_err("there is no response");
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed);
    let expected = format!("the connection to the service at {} failed", server.url());
    assert_eq!(error.to_string(), expected);
}

#[test]
fn errors_show_only_known_details() {
    let error = Error::new(ErrorKind::Message, "no such field").with_source("a cause");
    assert_eq!(
        format!("{error:?}"),
        r#"Error { kind: Message, message: "no such field", source: "a cause" }"#
    );
}

#[tokio::test]
async fn errors_print_the_body_of_a_rejection() {
    let body = json!({ "error_message": "no words", "words": 17 });
    let server = ScriptedServer::start([Scripted::json(422, &body)]);
    let error = echo(&client(&server)).await.expect_err("it is a refusal");
    assert!(format!("{error:?}").contains("17"), "{error:?}");
}

#[tokio::test]
async fn responses_that_are_not_json_are_reported_with_their_content_type() {
    let page = Scripted::new(200, "<html>").header("Content-Type", "text/html; charset=utf-8");
    let server = ScriptedServer::start([page]);
    let client = client(&server);
    let error = echo(&client).await.expect_err("it is a page");
    assert_eq!(
        error.to_string(),
        "invalid response to echo: not JSON: expected value at line 1 column 1; \
         its content type is text/html; charset=utf-8"
    );
    let output = client.stream_node(&SPLIT, &input()).next().await;
    let error = output.expect("there is an item").expect_err("it is a page");
    let end = "not an event stream; its content type is text/html; charset=utf-8";
    assert!(error.to_string().ends_with(end), "{error}");
}

#[tokio::test]
async fn messages_of_a_gateway_are_shown_unchanged() {
    let said = [
        r#"{"z": {"message": "upstream timed out"}, "a": 1}"#,
        "null",
    ];
    let server = ScriptedServer::start(said.map(|said| Scripted::new(418, said)));
    let client = client(&server);
    for said in said {
        let error = echo(&client).await.expect_err("it is a refusal");
        assert_eq!(error.to_string(), format!("{said} (HTTP 418)"));
    }
}
