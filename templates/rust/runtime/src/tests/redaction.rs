//! The API key only appears in its header.

use std::error::Error as _;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{KEY, echo, settings};
use crate::{Client, ErrorKind};

#[tokio::test]
async fn the_key_is_never_shown() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&lines);
    let echoed = json!({ "error_message": format!("bad header Bearer {KEY}") });
    let server = ScriptedServer::start([
        Scripted::json(503, &echoed),
        Scripted::json(422, &echoed)
            .header("X-Echo", KEY)
            .header("X-Execution-Id", KEY),
        Scripted::json(200, &json!([KEY])),
    ]);
    let builder = settings(&server).logger(move |event| {
        let mut lines = told.lock().expect("no logger has panicked");
        lines.push(format!("{event} {event:?}"));
    });
    let mut shown = vec![format!("{builder:?}")];
    let client = builder.build().expect("the settings are right");
    let call = echo(&client);
    shown.push(format!("{client:?} {call:?}"));
    let error = call.await.expect_err("it is a refusal");
    assert_eq!(error.kind(), ErrorKind::NodeFailed);
    assert!(error.to_string().contains("[redacted]"), "{error}");
    let invalid = echo(&client).await.expect_err("it is no object");
    assert_eq!(invalid.kind(), ErrorKind::InvalidResponse);
    assert_eq!(
        error.headers().map(|headers| &headers["x-echo"]),
        Some(&"[redacted]".parse().expect("it is a header value"))
    );
    shown.extend([&error, &invalid].map(|error| format!("{error} {error:?} {:?}", error.source())));
    shown.extend(lines.lock().expect("no logger has panicked").drain(..));
    assert!(
        shown
            .iter()
            .any(|line| line.contains("attempt 2 starts in")),
        "{shown:?}"
    );
    for line in shown {
        assert!(!line.contains(KEY), "{line}");
    }
}

#[tokio::test]
async fn truncated_messages_contain_no_part_of_the_key() {
    let echoed = format!("{}Bearer {KEY}", " .".repeat(240));
    let server = ScriptedServer::start([
        Scripted::new(422, echoed.as_str()),
        Scripted::new(308, "").header("Location", echoed.trim()),
    ]);
    let client = settings(&server).build().expect("the settings are right");
    for _ in 0..2 {
        let error = echo(&client).await.expect_err("it is a refusal");
        let (part, _) = KEY.split_at(8);
        assert!(!error.to_string().contains(part), "{error}");
    }
}

#[test]
fn calls_and_builders_show_no_secrets() {
    let builder = Client::builder()
        .api_key(KEY)
        .base_url("http://user:secret@localhost");
    let shown = format!("{builder:?}");
    assert!(!shown.contains("secret"), "{shown}");
    let client = builder.base_url("http://localhost").build();
    let call = echo(&client.expect("the settings are right")).header("X-Gateway", "secret");
    let shown = format!("{call:?}");
    assert!(
        shown.contains("X-Gateway") && !shown.contains("secret"),
        "{shown}"
    );
}

#[tokio::test]
async fn short_keys_are_not_redacted() {
    let body = json!({ "error": "INVALID_A", "message": "the test graph is missing" });
    let id = "a".repeat(32);
    let refusal = Scripted::json(404, &body).header("X-Execution-Id", &id);
    let server = ScriptedServer::start([refusal]);
    for key in ["test", "a", "e"] {
        let client = settings(&server).api_key(key).build();
        let error = echo(&client.expect("the settings are right")).await;
        let error = error.expect_err("it is a refusal");
        let text = format!("the test graph is missing (HTTP 404, execution {id})");
        assert_eq!(error.to_string(), text);
        assert_eq!(error.code(), Some("INVALID_A"));
        assert_eq!(error.body(), Some(&body));
        assert_eq!(error.execution_id(), Some(id.as_str()));
    }
}

#[tokio::test]
async fn values_are_not_redacted() {
    let answer = json!({ "text": "this is a test of keys" });
    let server = ScriptedServer::start([Scripted::json(200, &answer).header("X-Echo", "test")]);
    for key in ["test", "e", "\""] {
        let client = settings(&server).api_key(key).build();
        let call = echo(&client.expect("the settings are right"));
        let answer = call.response().await.expect("the call succeeds");
        assert_eq!(answer.value["text"], "this is a test of keys");
        assert_eq!(answer.body, r#"{"text":"this is a test of keys"}"#);
        assert_eq!(answer.headers["x-echo"], "test");
    }
}
