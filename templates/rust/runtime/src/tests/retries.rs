//! Retries.

use std::collections::HashSet;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde_json::json;
use tokio::time;

use super::flows::RUN;
use super::scripted_server::{Scripted, ScriptedServer};
use super::streams::SPLIT;
use super::{FLOW, KEY, client, echo, input, settings};
use crate::http::{Body, BoxFuture, Request, Response, StatusCode, Transport, TransportError};
use crate::retries::{parse_retry_after, wait_before};
use crate::types::Bytes;
use crate::{Client, Decision, ErrorKind, Fork};

fn ok() -> Scripted {
    Scripted::json(200, &json!({}))
}

#[tokio::test]
async fn transient_failures_are_retried() {
    for status in [408, 429, 500, 502, 503, 504] {
        let failure = Scripted::new(status, "{}");
        let server = ScriptedServer::start([failure.clone(), failure, ok()]);
        let answer = echo(&client(&server)).response().await;
        assert_eq!(answer.expect("the third attempt succeeds").attempts, 3);
        assert_eq!(server.keys().into_iter().collect::<HashSet<_>>().len(), 1);
    }
}

#[tokio::test]
async fn broken_connections_are_retried() {
    for broken in [ok().cut(0), ok().cut(20), ok().cut_body(1)] {
        let server = ScriptedServer::start([broken, ok()]);
        let answer = echo(&client(&server)).response().await;
        assert_eq!(answer.expect("the second attempt succeeds").attempts, 2);
    }
}

#[tokio::test]
async fn other_failures_are_not_retried() {
    for status in [400, 401, 403, 404, 409, 413, 422] {
        let server = ScriptedServer::start([Scripted::new(status, "{}"), ok()]);
        echo(&client(&server)).await.expect_err("it is a refusal");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn idempotency_keys_are_given_or_generated() {
    let server = ScriptedServer::start([Scripted::new(500, ""), ok()]);
    let client = client(&server);
    echo(&client)
        .idempotency_key("mine")
        .await
        .expect("the call succeeds");
    echo(&client).await.expect("the call succeeds");
    echo(&client).await.expect("the call succeeds");
    let keys = server.keys();
    assert_eq!(keys[..2], ["mine", "mine"]);
    assert_eq!(keys.into_iter().collect::<HashSet<_>>().len(), 3);
}

#[tokio::test]
async fn retries_end_with_the_last_error() {
    let server = ScriptedServer::start([Scripted::new(503, "{}")]);
    let error = echo(&client(&server)).max_retries(1).await;
    assert_eq!(
        error.expect_err("all fail").kind(),
        ErrorKind::UpstreamUnavailable
    );
    let client = settings(&server)
        .max_retries(0)
        .build()
        .expect("the settings are right");
    echo(&client).await.expect_err("all fail");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn retry_after_is_honoured() {
    let limited = Scripted::new(429, "{}").header("Retry-After", "0.2");
    let server = ScriptedServer::start([limited, ok()]);
    let started = Instant::now();
    echo(&client(&server))
        .await
        .expect("the second attempt succeeds");
    assert!(started.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn a_long_retry_after_ends_the_call() {
    let quota = json!({ "error": "quota_exceeded" });
    let server = ScriptedServer::start([
        Scripted::json(429, &quota).header("Retry-After", "86400"),
        Scripted::json(503, &json!({ "retry_after_seconds": 5 })),
    ]);
    let client = client(&server);
    let error = echo(&client).await.expect_err("nobody waits for a day");
    assert_eq!(error.kind(), ErrorKind::QuotaExceeded);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(86_400)));
    let reason =
        "; not tried again: the service asked to wait for 86400 s, which is longer than a minute";
    assert!(error.to_string().ends_with(reason), "{error}");
    let error = echo(&client).timeout(Duration::from_secs(2)).await;
    let error = error.expect_err("5 s are too long");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(5)));
    let reason =
        "; not tried again: the service asked to wait for 5 s, which is longer than the time left";
    assert!(error.to_string().ends_with(reason), "{error}");
    assert_eq!(server.requests().len(), 2);
    let error = echo(&client).max_retries(0).await;
    let error = error.expect_err("it is not retried anyway");
    assert!(!error.to_string().contains("not tried"), "{error}");
}

#[tokio::test]
async fn a_long_retry_after_of_a_permanent_failure_is_not_mentioned() {
    let refusal = Scripted::json(400, &json!({})).header("Retry-After", "100");
    let server = ScriptedServer::start([refusal]);
    let error = echo(&client(&server)).await;
    let error = error.expect_err("it is not retried anyway");
    assert!(!error.to_string().contains("not tried"), "{error}");
}

#[tokio::test]
async fn the_retry_budget_limits_retries() {
    let server = ScriptedServer::start([Scripted::new(500, "")]);
    let client = settings(&server).retry_budget(10).build();
    let client = client.expect("the settings are right");
    for _ in 0..20 {
        echo(&client).await.expect_err("all fail");
    }
    assert_eq!(server.requests().len(), 20 + 10);
}

#[tokio::test]
async fn a_successful_retry_is_refunded() {
    let failure = Scripted::new(503, "{}");
    let server = ScriptedServer::start([failure.clone(), ok(), failure.clone(), ok(), failure]);
    let client = settings(&server).retry_budget(1).build();
    let client = client.expect("the settings are right");
    for _ in 0..2 {
        echo(&client).await.expect("the retry succeeds");
    }
    let error = echo(&client).await.expect_err("all fail");
    assert_eq!(error.attempts(), 2);
    let reason = "; not tried again: the retry budget is empty";
    assert!(error.to_string().ends_with(reason), "{error}");
    let error = echo(&client).max_retries(0).await;
    let error = error.expect_err("it is not retried anyway");
    assert!(!error.to_string().contains("budget"), "{error}");
}

#[tokio::test]
async fn the_retry_budget_can_be_set() {
    for (count, requests) in [(0, 5), (1, 6), (3, 8)] {
        let server = ScriptedServer::start([Scripted::new(500, "")]);
        let client = settings(&server).retry_budget(count).build();
        let client = client.expect("the settings are right");
        for _ in 0..5 {
            echo(&client).await.expect_err("all fail");
        }
        assert_eq!(server.requests().len(), requests);
    }
    let server = ScriptedServer::start([Scripted::new(500, "")]);
    let client = settings(&server).without_retry_budget().build();
    let client = client.expect("the settings are right");
    for _ in 0..60 {
        echo(&client).await.expect_err("all fail");
    }
    assert_eq!(server.requests().len(), 180);
}

/// Responds after two and a half minutes.
struct Slow(StatusCode);

impl Transport for Slow {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let mut response = Response::new(Body::from("{}"));
        *response.status_mut() = self.0;
        Box::pin(async {
            time::sleep(Duration::from_secs(150)).await;
            Ok(response)
        })
    }
}

#[tokio::test(start_paused = true)]
async fn no_run_is_started_four_minutes_after_the_first_failed_attempt() {
    let client = slow(StatusCode::GATEWAY_TIMEOUT);
    let run = client.execution(&FLOW, RUN).expect("the id is right");
    for error in [
        client.run(&FLOW, &input()).without_timeout().await.err(),
        client.start(&FLOW, &input()).without_timeout().await.err(),
        run.fork(Fork::default()).without_timeout().await.err(),
    ] {
        let error = error.expect("all attempts fail");
        assert_eq!(error.kind(), ErrorKind::UpstreamUnavailable);
        assert_eq!(error.attempts(), 2);
        let reason = "; not tried again: the first attempt that failed began too long ago";
        assert!(error.to_string().ends_with(reason), "{error}");
    }
    let client = slow(StatusCode::TOO_MANY_REQUESTS);
    let error = client.start(&FLOW, &input()).without_timeout().await;
    assert_eq!(error.expect_err("all attempts fail").attempts(), 5);
}

#[tokio::test(start_paused = true)]
async fn calls_that_start_no_run_are_retried_after_long_attempts() {
    let client = slow(StatusCode::GATEWAY_TIMEOUT);
    let run = client.execution(&FLOW, RUN).expect("the id is right");
    let mut output = client.stream_node(&SPLIT, &input()).without_timeout();
    for error in [
        echo(&client).without_timeout().await.err(),
        run.get().without_timeout().await.err(),
        run.resume("p-1", Decision::default())
            .without_timeout()
            .await
            .err(),
        output.next().await.and_then(Result::err),
    ] {
        assert_eq!(error.expect("all attempts fail").attempts(), 5);
    }
}

fn slow(status: StatusCode) -> Client {
    let client = Client::builder().api_key(KEY).base_url("http://svc.test");
    let client = client.transport(Slow(status)).max_retries(4).build();
    client.expect("the settings are right")
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
    let read = |text| parse_retry_after(text, now);
    assert_eq!(read(" 7 "), Some(Duration::from_secs(7)));
    assert_eq!(
        read("Sun, 06 Nov 1994 08:49:37 GMT"),
        Some(Duration::from_secs(7))
    );
    assert_eq!(read("Sat, 05 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
    for text in [
        "",
        "soon",
        "-1",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn delays_double_up_to_their_bound() {
    let (first, longest) = (Duration::from_millis(500), Duration::from_secs(8));
    for (retry, bound) in [(1, 0.5), (2, 1.0), (4, 4.0), (6, 8.0), (60, 8.0)] {
        for _ in 0..50 {
            let wait = wait_before(retry, None, first, longest);
            assert!(
                wait <= Duration::from_secs_f64(bound),
                "{wait:?} before retry {retry}"
            );
        }
    }
}
