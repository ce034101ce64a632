//! Pauses of runs, and decisions on them.

use serde_json::{Value, json};

use super::client;
use super::flows::{RUN, find};
use super::scripted_server::{Scripted, ScriptedServer};
use crate::types::{Duration, Struct};
use crate::{Decision, ErrorKind, PauseStatus};

fn pause(id: &str, status: &str) -> Value {
    json!({
        "pause_id": id, "execution_id": RUN, "graph_id": "g-1", "node_name": "ask",
        "status": status, "interrupt_payload": { "question": "go?" }, "resume_schema": "acme.v1.Go",
        "expires_at": "2026-02-01T09:30:00.000Z", "resumed_at": null,
        "resume_url": "https://svc.example.com/secret",
    })
}

fn resumed() -> Scripted {
    Scripted::json(
        200,
        &json!({
            "pause_id": "p-1", "status": "RESUMED", "resumed_at": "2026-01-31T09:31:00.000Z",
            "resumed_by": "bob", "resume_value": null, "already_resumed": true,
        }),
    )
}

#[tokio::test]
async fn a_wait_ends_at_a_pause() {
    let record = json!({ "execution_id": RUN, "status": "RUNNING", "pause_id": "p-1" });
    let server = ScriptedServer::start([Scripted::json(200, &record)]);
    let error = find(&client(&server))
        .wait()
        .await
        .expect_err("it is paused");
    assert_eq!(error.kind(), ErrorKind::FlowPaused);
    assert_eq!(error.code(), Some("flow_paused"));
    assert_eq!(
        (error.pause_id(), error.execution_id()),
        (Some("p-1"), Some(RUN))
    );
}

#[tokio::test]
async fn pauses_are_listed() {
    let body = json!({ "pauses": [pause("p-1", "WAITING")] });
    let server = ScriptedServer::start([Scripted::json(200, &body)]);
    let pauses = find(&client(&server)).pauses().await.expect("there is one");
    let pause = &pauses[0];
    assert_eq!(
        (pause.id.as_str(), pause.execution_id.as_str()),
        ("p-1", RUN)
    );
    assert_eq!(pause.graph_id.as_deref(), Some("g-1"));
    assert_eq!(pause.status, PauseStatus::Waiting);
    assert_eq!(pause.question, Some(json!({ "question": "go?" })));
    assert_eq!(pause.decision_type.as_deref(), Some("acme.v1.Go"));
    let expires_at = pause.expires_at.expect("it expires");
    assert_eq!(expires_at.to_string(), "2026-02-01T09:30:00Z");
    assert!(pause.resumed_at.is_none() && pause.decision.is_none());
    assert_eq!(
        pause.resume_url.as_deref(),
        Some("https://svc.example.com/secret")
    );
    assert!(!format!("{pause:?}").contains("secret"));
    let path = format!("/invocations/v1/executions/{RUN}/pauses");
    assert_eq!(server.requests()[0].path, path);
}

#[tokio::test]
async fn links_of_pauses_are_never_printed() {
    let listed = json!({ "pauses": [pause("p-1", "WAITING")] });
    let malformed = json!({ "pauses": [pause("p-1", "WAITING"), {}] });
    let server = ScriptedServer::start([
        Scripted::json(200, &listed),
        Scripted::json(200, &malformed),
        Scripted::json(200, &malformed),
    ]);
    let client = client(&server);
    let run = find(&client);
    let response = run.pauses().response().await.expect("there is one");
    let printed = format!("{response:?}");
    assert!(printed.contains("p-1"), "{printed}");
    assert!(printed.contains(&format!("body: {} bytes", response.body.len())));
    assert!(!printed.contains("secret"), "{printed}");
    assert!(String::from_utf8_lossy(&response.body).contains("secret"));
    let error = run.pauses().await.expect_err("a pause has no id");
    let listing = client.pauses().stream().next().await;
    let other = listing
        .expect("there is an item")
        .expect_err("a pause has no id");
    for error in [error, other] {
        assert_eq!(error.kind(), ErrorKind::InvalidResponse);
        assert_eq!(error.body(), Some(&malformed));
        let printed = format!("{error} {error:?}");
        assert!(!printed.contains("secret"), "{printed}");
    }
}

#[tokio::test]
async fn a_decision_is_sent() {
    let message = Struct::from_iter([("go".to_owned(), json!(true))]);
    for (decision, body) in [
        (Decision::default(), json!({ "pause_id": "p-1" })),
        (
            Decision::message(&message).by("ann").clone(),
            json!({ "pause_id": "p-1", "value": { "go": true }, "resumed_by": "ann" }),
        ),
        (
            Decision::json(&json!({ "go": [1, null] })),
            json!({ "pause_id": "p-1", "value": { "go": [1, null] } }),
        ),
        (
            Decision::bytes([251, 255]),
            json!({ "pause_id": "p-1", "value": "+/8=" }),
        ),
        (
            Decision::bytes([]),
            json!({ "pause_id": "p-1", "value": "" }),
        ),
    ] {
        let server = ScriptedServer::start([resumed()]);
        let resumed = find(&client(&server)).resume("p-1", decision).await;
        let resumed = resumed.expect("it is resumed");
        assert_eq!(resumed.status, PauseStatus::Resumed);
        assert!(resumed.already_resumed && resumed.decision.is_none());
        let request = &server.requests()[0];
        let path = format!("/invocations/v1/flows/{RUN}/resume");
        assert_eq!((request.method.as_str(), &request.path), ("POST", &path));
        assert_eq!(request.json(), body);
    }
}

#[tokio::test]
async fn invalid_decisions_are_rejected() {
    let server = ScriptedServer::start([]);
    let run = find(&client(&server));
    for (id, decision) in [
        ("p-1", Decision::json(&json!("go"))),
        ("p-1", Decision::json(&json!(["go"]))),
        ("p-1", Decision::message(&Duration::default())),
        ("", Decision::default()),
    ] {
        let error = run.resume(id, decision).await.expect_err("it is none");
        assert_eq!(error.kind(), ErrorKind::Message);
    }
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_rejected_decision_has_a_code() {
    let body = json!({
        "error": "PAUSE_NOT_WAITING", "code": "pause_not_waiting",
        "message": "the pause has expired",
    });
    let server = ScriptedServer::start([Scripted::json(409, &body)]);
    let refused = find(&client(&server)).resume("p-1", Decision::default());
    let error = refused.await.expect_err("it has expired");
    assert_eq!(error.kind(), ErrorKind::Status);
    assert_eq!(error.code(), Some("pause_not_waiting"));
    assert_eq!(error.execution_id(), Some(RUN));
}

#[tokio::test]
async fn pauses_of_all_runs_are_read_page_by_page() {
    let first = json!({ "pauses": [pause("p-2", "WAITING")], "next_cursor": "next page" });
    let second = json!({ "pauses": [pause("p-1", "DREAMING")] });
    let server = ScriptedServer::start([Scripted::json(200, &first), Scripted::json(200, &second)]);
    let pauses = client(&server).pauses().status(PauseStatus::Waiting);
    let mut stream = pauses.page_size(1).stream();
    let mut read = Vec::new();
    while let Some(pause) = stream.next().await {
        let pause = pause.expect("the pauses are there");
        read.push(format!("{} {}", pause.id, pause.status));
    }
    assert_eq!(read, ["p-2 WAITING", "p-1 DREAMING"]);
    assert_eq!(
        server.requests()[1].path,
        "/invocations/v1/pauses?status=WAITING&limit=1&cursor=next+page"
    );
}

#[tokio::test]
async fn responses_without_pauses_are_errors() {
    for body in [
        json!([]),
        json!({}),
        json!({ "pauses": {} }),
        json!({ "pauses": [{}] }),
    ] {
        let server = ScriptedServer::start([Scripted::json(200, &body)]);
        let error = find(&client(&server)).pauses().await;
        let error = error.expect_err("there are none");
        assert_eq!(error.kind(), ErrorKind::InvalidResponse);
    }
}
