//! 429 with `Retry-After`: the service paces its clients.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use tokio::time;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{client, echo, settings};
use crate::ErrorKind;
use crate::retries::wait_before;

fn ok() -> Scripted {
    Scripted::json(200, &json!({}))
}

fn limited() -> Scripted {
    Scripted::new(429, "{}").header("Retry-After", "1")
}

#[tokio::test]
async fn pacing_counts_neither_as_a_retry_nor_against_the_budget() {
    let server = ScriptedServer::start([limited(), limited(), ok()]);
    let client = settings(&server)
        .max_retries(1)
        .retry_budget(0)
        .max_retry_delay(Duration::from_millis(20))
        .build()
        .expect("the settings are right");
    let answer = echo(&client).response().await.expect("it succeeds at last");
    assert_eq!(answer.attempts, 3);
}

#[tokio::test]
async fn pacing_ends_with_the_timeout_of_the_call() {
    let server = ScriptedServer::start([limited()]);
    let started = Instant::now();
    let client = settings(&server).max_retry_delay(Duration::from_millis(20));
    let client = client.build().expect("the settings are right");
    let call = echo(&client)
        .max_retries(1)
        .timeout(Duration::from_millis(3_500));
    let error = call.await.expect_err("the call is out of time");
    // The timeout expires between two attempts or during one.
    let kinds = [ErrorKind::RateLimited, ErrorKind::TimedOut];
    assert!(kinds.contains(&error.kind()), "{error:?}");
    assert!(error.attempts() > 2, "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn pacing_is_not_retried_if_retries_are_disabled() {
    let server = ScriptedServer::start([limited(), ok()]);
    let error = echo(&client(&server)).max_retries(0).await;
    assert_eq!(
        error.expect_err("it is limited").kind(),
        ErrorKind::RateLimited
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn below_a_second_a_429_is_an_ordinary_failure() {
    for wait in ["0", "0.01", "0.999"] {
        let hurried = Scripted::new(429, "{}").header("Retry-After", wait);
        let server = ScriptedServer::start([hurried]);
        let client = settings(&server).retry_budget(1).build();
        let error = echo(&client.expect("the settings are right")).await;
        assert_eq!(error.expect_err("it is limited").attempts(), 2);
    }
}

#[tokio::test]
async fn below_a_second_the_usual_delay_applies() {
    let server = ScriptedServer::start([Scripted::new(429, "{}").header("Retry-After", "0")]);
    let long = Duration::from_secs(1_000_000);
    let client = settings(&server).retry_delay(long).max_retry_delay(long);
    let client = client.build().expect("the settings are right");
    let call = echo(&client).without_timeout().send();
    time::timeout(Duration::from_secs(2), call)
        .await
        .expect_err("it waits");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn calls_of_a_burst_all_succeed() {
    let mut script = vec![limited(); 100];
    script.push(ok());
    let server = ScriptedServer::start(script);
    let client = client(&server);
    let answers = join_all((0..60).map(|_| echo(&client).send())).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
}

#[test]
fn delays_are_random_and_at_least_retry_after() {
    let asked = Some(Duration::from_secs(1));
    let (first, longest) = (Duration::from_millis(500), Duration::from_secs(8));
    for retry in [1, 2, 10] {
        let waits: Vec<_> = (0..50)
            .map(|_| wait_before(retry, asked, first, longest))
            .collect();
        let range = Duration::from_secs(1)..=Duration::from_secs(2);
        assert!(waits.iter().all(|wait| range.contains(wait)), "{waits:?}");
        assert!(waits.iter().any(|wait| *wait != waits[0]), "{waits:?}");
    }
    let bound = Duration::from_millis(20);
    let waits: Vec<_> = (0..50)
        .map(|_| wait_before(1, asked, first, bound))
        .collect();
    let range = Duration::from_secs(1)..=Duration::from_secs(1) + bound;
    assert!(waits.iter().all(|wait| range.contains(wait)), "{waits:?}");
    let waits: Vec<_> = (0..50)
        .map(|_| wait_before(3, Some(Duration::ZERO), longest, longest))
        .collect();
    assert!(
        waits.iter().all(|wait| *wait <= Duration::from_secs(1)),
        "{waits:?}"
    );
    assert!(waits.iter().any(|wait| *wait > Duration::ZERO), "{waits:?}");
}
