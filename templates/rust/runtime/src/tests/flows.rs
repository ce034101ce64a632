//! Runs of flows.

use std::collections::VecDeque;
use std::error::Error as _;
use std::future;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::time;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{FLOW, KEY, client, input, settings};
use crate::http::{Body, BoxFuture, Request, Response, StatusCode, Transport, TransportError};
use crate::types::{Struct, Timestamp};
use crate::{Client, Error, ErrorKind, Execution, ExecutionStatus, Fork};

pub const RUN: &str = "00000000000000000000000000c0ffee";

/// Response to starting a flow, with additional `fields`.
fn accepted(fields: &Value) -> Scripted {
    let mut body = json!({ "accepted": true, "execution_id": RUN });
    for (name, value) in fields.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    Scripted::json(202, &body)
}

/// Response to a completed run.
fn ended(output: &Value) -> Scripted {
    accepted(&json!({ "result": { "success": true, "output": output, "completed_at": 1 } }))
}

/// Response with an execution record.
fn record(status: &str) -> Scripted {
    Scripted::json(200, &json!({ "execution_id": RUN, "status": status }))
}

/// Response with a page of events.
fn page(events: &Value) -> Scripted {
    Scripted::json(200, &json!({ "events": events }))
}

fn completed() -> Scripted {
    page(&json!([{ "type": "FLOW_COMPLETED", "output": { "count": 7 } }]))
}

async fn run(client: &Client) -> Result<Struct, Error> {
    client.run(&FLOW, &input()).await
}

pub fn find(client: &Client) -> Execution<Struct> {
    client.execution(&FLOW, RUN).expect("the id is one")
}

#[tokio::test]
async fn a_run_is_awaited() {
    let server = ScriptedServer::start([ended(&json!({ "count": 6 }))]);
    let answer = client(&server).run(&FLOW, &input()).response().await;
    let answer = answer.expect("the run succeeds");
    assert_eq!(
        (answer.status, answer.value["count"].as_i64()),
        (StatusCode::ACCEPTED, Some(6))
    );
    assert_eq!(answer.execution_id.as_deref(), Some(RUN));
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/invocations/v1/flows/invoke")
    );
    let body =
        json!({ "graph_id": "g-1", "input": { "count": 5 }, "wait": true, "timeout_seconds": 50 });
    assert_eq!(request.json(), body);
}

#[tokio::test]
async fn the_requested_wait_respects_the_timeout() {
    let limited = Scripted::new(429, "{}").header("Retry-After", "0");
    let server = ScriptedServer::start([limited, ended(&json!({}))]);
    let call = client(&server)
        .run(&FLOW, &input())
        .timeout(Duration::from_millis(9_900));
    let started = Instant::now();
    call.await.expect("the run succeeds");
    let left = Duration::from_millis(9_900).saturating_sub(started.elapsed());
    for wait in requested_waits(&server) {
        let seconds = wait.as_u64().expect("each attempt asks for a wait");
        assert!(seconds + 1 >= left.as_secs() && seconds <= 8, "{seconds}");
    }
    assert_eq!(server.requests().len(), 2);
    assert_eq!(server.keys()[0], server.keys()[1]);
}

fn requested_waits(server: &ScriptedServer) -> Vec<Value> {
    let requests = server.requests().into_iter();
    let waits = requests.map(|request| request.json()["timeout_seconds"].clone());
    waits.collect()
}

/// A proxy that cuts off slow responses would cut off the next one, too.
#[tokio::test]
async fn the_service_is_not_asked_to_wait_after_a_failed_attempt() {
    for failure in [Scripted::new(504, "slow"), ended(&json!({})).cut(0)] {
        let limited = Scripted::new(429, "{}").header("Retry-After", "0");
        let server = ScriptedServer::start([failure, limited, ended(&json!({}))]);
        let call = client(&server).run(&FLOW, &input()).without_timeout();
        call.await.expect("the run succeeds");
        let waits = [json!(50), Value::Null, Value::Null];
        assert_eq!(requested_waits(&server), waits);
    }
}

#[tokio::test]
async fn a_failed_run_is_an_error() {
    let result = json!({ "result": { "success": false, "error_message": "no words" } });
    let server = ScriptedServer::start([accepted(&result)]);
    let error = run(&client(&server)).await.expect_err("the run failed");
    assert_eq!(
        (error.kind(), error.status()),
        (ErrorKind::FlowFailed, Some(StatusCode::ACCEPTED))
    );
    assert!(error.to_string().starts_with("no words"), "{error}");
    assert_eq!(error.execution_id(), Some(RUN));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_response_to_another_request_is_an_error() {
    let answer = accepted(&json!({})).header("Idempotency-Mismatch", "graph_id, input");
    let server = ScriptedServer::start([answer]);
    let call = client(&server).start(&FLOW, &input());
    let error = call.idempotency_key("order-4711").await;
    let error = error.expect_err("the run is another one");
    assert_eq!(error.kind(), ErrorKind::IdempotencyMismatch);
    assert_eq!(error.execution_id(), Some(RUN));
    let text = format!(
        "the idempotency key belongs to an earlier request that differs in its flow and input (execution {RUN})"
    );
    assert_eq!(error.to_string(), text);
    assert!(!error.is_retryable());
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_response_to_another_fork_is_an_error() {
    let fork = "1".repeat(32);
    let body = json!({ "execution_id": fork });
    let answer = Scripted::json(202, &body).header("Idempotency-Mismatch", "execution_id");
    let server = ScriptedServer::start([answer]);
    let error = find(&client(&server)).fork(Fork::default()).await;
    let error = error.expect_err("the fork is that of another run");
    assert_eq!(error.kind(), ErrorKind::IdempotencyMismatch);
    assert_eq!(error.execution_id(), Some(fork.as_str()));
}

#[tokio::test]
async fn a_cancellation_whose_response_was_lost_succeeds() {
    let refusal = Scripted::json(
        409,
        &json!({ "error": "EXECUTION_NOT_CANCELLABLE", "code": "execution_not_cancellable" }),
    );
    let lost = record("CANCELLED").cut(0);
    let server = ScriptedServer::start([lost.clone(), refusal.clone(), record("CANCELLED")]);
    let cancelled = find(&client(&server)).cancel().response().await;
    let cancelled = cancelled.expect("the first attempt has cancelled the run");
    assert_eq!(cancelled.value.status, ExecutionStatus::Cancelled);
    assert_eq!(cancelled.idempotency_key, server.keys()[0]);
    let server = ScriptedServer::start([lost, refusal.clone(), record("COMPLETED")]);
    let error = find(&client(&server)).cancel().await;
    let error = error.expect_err("the run has completed");
    assert_eq!(error.status(), Some(StatusCode::CONFLICT));
    assert_eq!(server.requests().len(), 3);
    let server = ScriptedServer::start([refusal]);
    let error = find(&client(&server)).cancel().await;
    error.expect_err("no attempt has cancelled the run");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_paused_run_is_an_error() {
    let paused = json!({ "execution_status": "PAUSED", "pause_id": "p-1" });
    let server = ScriptedServer::start([accepted(&paused)]);
    let error = run(&client(&server)).await.expect_err("the run waits");
    assert_eq!(error.kind(), ErrorKind::FlowPaused);
    assert_eq!(
        (error.pause_id(), error.execution_id()),
        (Some("p-1"), Some(RUN))
    );
    assert_eq!(error.status(), Some(StatusCode::ACCEPTED));
    assert!(error.headers().is_some());
}

#[tokio::test]
async fn the_client_polls_after_the_service_stops_waiting() {
    let running = accepted(&json!({ "execution_status": "RUNNING" }));
    let server =
        ScriptedServer::start([running, record("RUNNING"), record("COMPLETED"), completed()]);
    let output = run(&client(&server)).await.expect("the run succeeds");
    assert_eq!(output["count"], 7);
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_wait_that_times_out_has_the_execution_id() {
    let running = accepted(&json!({ "execution_status": "RUNNING" }));
    let server = ScriptedServer::start([running, record("RUNNING")]);
    let call = client(&server)
        .run(&FLOW, &input())
        .timeout(Duration::from_secs(3));
    let error = call.await.expect_err("the run is late");
    assert_eq!(error.kind(), ErrorKind::WaitTimedOut);
    assert!(error.kind().is_timeout());
    assert_eq!(error.execution_id(), Some(RUN));
}

/// With another idempotency key, the same call would start a second run.
#[tokio::test]
async fn a_polled_run_keeps_the_key_that_started_it() {
    let running = || accepted(&json!({ "execution_status": "RUNNING" }));
    let server = ScriptedServer::start([running(), record("COMPLETED"), completed()]);
    let call = client(&server).run(&FLOW, &input());
    let answer = call.idempotency_key("order-4711").response().await;
    let answer = answer.expect("the run succeeds");
    assert_eq!(answer.idempotency_key, "order-4711");
    let server = ScriptedServer::start([running(), record("RUNNING")]);
    let call = client(&server).run(&FLOW, &input());
    let error = call.timeout(Duration::from_secs(3)).await;
    let error = error.expect_err("the run is late");
    assert_eq!(error.kind(), ErrorKind::WaitTimedOut);
    assert_eq!(error.idempotency_key(), Some(&*server.keys()[0]));
}

#[tokio::test]
async fn a_wait_reports_the_key_that_started_its_run_or_none() {
    let failed = || page(&json!([{ "type": "FLOW_FAILED", "error": "no words" }]));
    let completed = [record("COMPLETED"), completed()];
    let failed = [record("FAILED"), failed(), record("FAILED"), failed()];
    let ended = completed.into_iter().chain(failed);
    let server = ScriptedServer::start([accepted(&json!({}))].into_iter().chain(ended));
    let client = client(&server);
    let run = client.start(&FLOW, &input()).await;
    let run = run.expect("the run starts");
    let answer = run.wait().response().await;
    let answer = answer.expect("the run succeeds");
    assert_eq!(answer.idempotency_key, server.keys()[0]);
    for (run, key) in [(run, Some(&*server.keys()[0])), (find(&client), None)] {
        let error = run.wait().await.expect_err("the run failed");
        assert_eq!(error.idempotency_key(), key);
    }
}

#[tokio::test]
async fn a_wait_uses_all_of_its_timeout() {
    let server = ScriptedServer::start([accepted(&json!({})), record("RUNNING")]);
    let client = client(&server);
    let started = Instant::now();
    let call = client.run(&FLOW, &input());
    let error = call.timeout(Duration::from_millis(1900)).await;
    let error = error.expect_err("the run is late");
    assert_eq!(error.kind(), ErrorKind::WaitTimedOut);
    assert_eq!(error.attempts(), 1);
    assert!(started.elapsed() >= Duration::from_millis(1900));
    let opening = json!({ "graph_id": "g-1", "input": { "count": 5 } });
    assert_eq!(server.requests()[0].json(), opening);
}

#[tokio::test]
async fn a_wait_does_not_retry_its_polls() {
    let away = Scripted::new(503, "{}");
    let server = ScriptedServer::start([
        away.clone(),
        away.clone(),
        record("COMPLETED"),
        away.clone(),
        record("COMPLETED"),
        completed(),
        away,
    ]);
    let client = settings(&server).max_retries(1).retry_budget(1).build();
    let client = client.expect("the settings are right");
    let output = find(&client).wait().await.expect("the run succeeds");
    assert_eq!(output["count"], 7);
    assert_eq!(server.requests().len(), 6);
    let error = find(&client).get().await.expect_err("the service is away");
    assert_eq!(error.attempts(), 2, "the budget is used up");
}

#[tokio::test]
async fn a_failed_poll_ends_the_wait_without_retries_or_after_too_long_a_delay() {
    let server = ScriptedServer::start([Scripted::new(503, "{}")]);
    let error = find(&client(&server)).wait().max_retries(0).await;
    let error = error.expect_err("the service is away");
    assert_eq!(error.kind(), ErrorKind::UpstreamUnavailable);
    let away = Scripted::new(503, "{}").header("Retry-After", "86400");
    let server = ScriptedServer::start([away]);
    let error = find(&client(&server)).wait().await;
    let error = error.expect_err("the service is away for a day");
    let reason =
        "; not tried again: the service asked to wait for 86400 s, which is longer than a minute";
    assert!(error.to_string().ends_with(reason), "{error}");
}

/// Responses to requests in order. Requests without a response are never answered.
struct Silent(Mutex<VecDeque<Option<Value>>>);

impl Transport for Silent {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let mut answers = self.0.lock().expect("no request has panicked");
        match answers.pop_front().flatten() {
            Some(answer) => {
                let response = Response::new(Body::from(answer.to_string()));
                Box::pin(async { Ok(response) })
            }
            None => Box::pin(future::pending()),
        }
    }
}

pub fn silent(answers: impl IntoIterator<Item = Option<Value>>) -> Execution<Struct> {
    let client = Client::builder().api_key(KEY).base_url("http://svc.test");
    let client = client.transport(Silent(Mutex::new(answers.into_iter().collect())));
    find(&client.build().expect("the settings are right"))
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_poll_does_not_use_up_the_wait() {
    let completed = json!({ "execution_id": RUN, "status": "COMPLETED" });
    let events = json!({ "events": [{ "type": "FLOW_COMPLETED", "output": { "count": 7 } }] });
    let answers = [
        None,
        Some(completed.clone()),
        None,
        Some(completed),
        Some(events),
    ];
    let wait = || silent(answers.clone()).wait();
    for (call, seconds) in [
        (wait(), 60),
        (wait().without_attempt_timeout(), 60),
        (wait().attempt_timeout(Duration::from_secs(5)), 10),
    ] {
        let started = time::Instant::now();
        let output = call.timeout(Duration::from_secs(70)).await;
        let output = output.expect("the run succeeds");
        assert_eq!(output["count"], 7);
        assert_eq!(started.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_without_responses_times_out() {
    let started = time::Instant::now();
    let error = silent([]).wait().timeout(Duration::from_secs(40)).await;
    let error = error.expect_err("there is no response");
    assert_eq!(started.elapsed().as_secs(), 40);
    assert_eq!(
        (error.kind(), error.attempts()),
        (ErrorKind::WaitTimedOut, 2)
    );
    assert!(error.source().is_some());
    let error = silent([]).wait().max_retries(0).await;
    let error = error.expect_err("there is no response");
    assert_eq!(
        (error.kind(), error.execution_id()),
        (ErrorKind::TimedOut, Some(RUN))
    );
    assert_eq!(started.elapsed().as_secs(), 70);
}

#[tokio::test]
async fn the_output_of_any_flow_is_json() {
    let output = json!({ "lines": [1, null, { "is_paid": true }] });
    let last = page(&json!([{ "type": "FLOW_COMPLETED", "output": output }]));
    let server = ScriptedServer::start([record("COMPLETED"), last]);
    let run = client(&server).any_execution(RUN).expect("the id is one");
    assert_eq!(run.id(), RUN);
    assert_eq!(run.wait().await.expect("the run succeeds"), output);
}

#[tokio::test]
async fn every_error_about_a_run_has_its_id() {
    let running = || accepted(&json!({ "execution_status": "RUNNING" }));
    let lost = [running(), Scripted::json(404, &json!({ "error": "x" }))];
    let invalid = [running(), Scripted::new(200, "<html>")];
    let wrong = [accepted(
        &json!({ "result": { "success": true, "output": [] } }),
    )];
    let without_end = [running(), record("COMPLETED"), page(&json!([]))];
    let scripts = [
        Vec::from(lost),
        Vec::from(invalid),
        Vec::from(wrong),
        Vec::from(without_end),
    ];
    for script in scripts {
        let server = ScriptedServer::start(script);
        let error = run(&client(&server)).await.expect_err("it fails");
        assert_eq!(error.execution_id(), Some(RUN), "{error:?}");
        assert!(error.attempts() > 0 && error.idempotency_key().is_some());
    }
    let server = ScriptedServer::start([running(), record("RUNNING").cut(0)]);
    let cut = client(&server).run(&FLOW, &input()).max_retries(0).await;
    let error = cut.expect_err("the record is cut off");
    assert_eq!(error.execution_id(), Some(RUN), "{error:?}");
    let server = ScriptedServer::start([Scripted::json(404, &json!({ "error": "x" }))]);
    let run = find(&client(&server));
    for error in [run.get().await, run.cancel().await].map(Result::unwrap_err) {
        assert_eq!(error.execution_id(), Some(RUN), "{error:?}");
    }
    let event = run.events().stream().next().await.expect("there is an end");
    let error = event.expect_err("the run is unknown");
    assert_eq!(error.execution_id(), Some(RUN), "{error:?}");
}

#[tokio::test]
async fn a_run_is_cancelled() {
    let server = ScriptedServer::start([record("CANCELLED")]);
    let cancelled = find(&client(&server)).cancel().response().await;
    let cancelled = cancelled.expect("the run is cancelled");
    assert_eq!(cancelled.value.status, ExecutionStatus::Cancelled);
    assert_eq!(cancelled.execution_id.as_deref(), Some(RUN));
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.body.as_str()),
        ("POST", "{}")
    );
    assert_eq!(
        request.path,
        format!("/invocations/v1/executions/{RUN}/cancel")
    );
}

#[tokio::test]
async fn invalid_responses_to_an_invocation_are_errors() {
    for body in [
        json!("text"),
        json!([]),
        json!({}),
        json!({ "execution_id": RUN, "result": { "success": true } }),
        json!({ "execution_id": RUN, "result": { "success": true, "output": [] } }),
    ] {
        let server = ScriptedServer::start([Scripted::json(202, &body)]);
        let error = run(&client(&server)).await.expect_err("it tells of no run");
        assert_eq!(error.kind(), ErrorKind::InvalidResponse, "{body}");
    }
}

#[tokio::test]
async fn starting_a_flow_returns_the_run() {
    let server = ScriptedServer::start([accepted(&json!({}))]);
    let run = client(&server)
        .start(&FLOW, &input())
        .await
        .expect("the run starts");
    assert_eq!(run.id(), RUN);
    assert_eq!(
        server.requests()[0].body,
        r#"{"graph_id":"g-1","input":{"count":5}}"#
    );
}

#[tokio::test]
async fn a_run_reads_its_record() {
    let times = json!({
        "execution_id": RUN, "status": "QUEUED", "created_at": "2026-01-31T09:30:00.5Z",
    });
    let server = ScriptedServer::start([Scripted::json(200, &times)]);
    let read = find(&client(&server))
        .get()
        .await
        .expect("the record is there");
    assert_eq!((read.id.as_str(), read.is_terminal()), (RUN, false));
    assert_eq!(read.status, ExecutionStatus::Queued);
    let created = Timestamp::new(1_769_851_800, 500_000_000);
    assert_eq!((read.created_at, read.completed_at), (Some(created), None));
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.body.as_str()),
        ("GET", "")
    );
    assert_eq!(request.path, format!("/invocations/v1/executions/{RUN}"));
}

#[tokio::test]
async fn an_unknown_status_is_kept() {
    let server = ScriptedServer::start([record("DREAMING")]);
    let read = find(&client(&server)).get().await;
    let read = read.expect("the record is there");
    assert_eq!(read.status.to_string(), "DREAMING");
    assert_eq!(read.status, ExecutionStatus::Unknown("DREAMING".to_owned()));
    assert!(!read.is_terminal());
}

#[tokio::test]
async fn a_record_with_a_malformed_time_is_an_error() {
    let times = json!({ "execution_id": RUN, "status": "QUEUED", "created_at": "now" });
    let server = ScriptedServer::start([Scripted::json(200, &times)]);
    let error = find(&client(&server))
        .get()
        .await
        .expect_err("it is no time");
    assert_eq!(error.kind(), ErrorKind::InvalidResponse);
    assert!(error.to_string().contains("created_at"), "{error}");
}

#[tokio::test]
async fn a_run_is_awaited_by_its_id() {
    let empty = Scripted::json(200, &json!({ "events": [], "next_cursor": "c" }));
    let server =
        ScriptedServer::start([record("RUNNING"), record("COMPLETED"), empty, completed()]);
    let output = find(&client(&server))
        .wait()
        .await
        .expect("the run succeeds");
    assert_eq!(output["count"], 7);
    let requests = server.requests();
    let query = "decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED";
    assert_eq!(
        requests[2].path,
        format!("/invocations/v1/executions/{RUN}/events?{query}")
    );
    assert!(requests[3].path.ends_with("&cursor=c"));
}

#[tokio::test]
async fn a_failed_run_without_a_last_event_has_the_error_of_its_record() {
    let failed = json!({ "execution_id": RUN, "status": "FAILED", "error_message": "no words" });
    let cancelled = json!({ "execution_id": RUN, "status": "CANCELLED" });
    for (record, reason) in [(failed, "no words"), (cancelled, "the run was cancelled")] {
        let record = Scripted::json(200, &record);
        let server = ScriptedServer::start([record, page(&json!([]))]);
        let error = find(&client(&server)).wait().await;
        let error = error.expect_err("the run failed");
        assert_eq!(error.kind(), ErrorKind::FlowFailed);
        assert!(error.to_string().starts_with(reason), "{error}");
    }
}

#[tokio::test]
async fn an_unsuccessful_run_is_an_error() {
    for status in ["FAILED", "CANCELLED", "FORKED"] {
        let failed = page(&json!([{ "type": "FLOW_FAILED", "error": "no words" }]));
        let server = ScriptedServer::start([record(status), failed]);
        let error = find(&client(&server))
            .wait()
            .await
            .expect_err("the run failed");
        assert_eq!(
            (error.kind(), error.execution_id()),
            (ErrorKind::FlowFailed, Some(RUN))
        );
        assert!(error.to_string().starts_with("no words"), "{error}");
    }
}

#[tokio::test]
async fn events_without_a_final_event_are_an_error() {
    let server = ScriptedServer::start([record("COMPLETED"), page(&json!([]))]);
    let error = find(&client(&server))
        .wait()
        .await
        .expect_err("the end is missing");
    assert_eq!(error.kind(), ErrorKind::InvalidResponse);
}

#[tokio::test]
async fn a_flow_is_warmed() {
    let server = ScriptedServer::start([Scripted::json(202, &json!({ "warmed": true }))]);
    client(&server)
        .warm(&FLOW)
        .await
        .expect("the service is told");
    let request = &server.requests()[0];
    assert_eq!(request.path, "/invocations/v1/flows/warm");
    assert_eq!(request.body, r#"{"graph_id":"g-1"}"#);
}

#[test]
fn malformed_ids_are_rejected() {
    let client = client(&ScriptedServer::start([]));
    for id in ["", "..", "00000000000000000000000000c0ffee/"] {
        let error = client.execution(&FLOW, id).expect_err("it is no id");
        assert_eq!(error.kind(), ErrorKind::Message);
        let error = client.any_execution(id).expect_err("it is no id");
        assert_eq!(error.kind(), ErrorKind::Message);
    }
}
