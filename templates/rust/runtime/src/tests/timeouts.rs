//! Timeouts.

use std::time::{Duration, Instant};

use serde_json::json;

use super::scripted_server::{Scripted, ScriptedServer};
use super::{client, echo, settings};
use crate::ErrorKind;

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(1);

fn late() -> ScriptedServer {
    ScriptedServer::start([Scripted::json(200, &json!({})).delay(LONG)])
}

#[tokio::test]
async fn timeouts_include_retries() {
    let server = late();
    let started = Instant::now();
    let error = echo(&client(&server))
        .timeout(SHORT)
        .await
        .expect_err("it is late");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    let hasty = settings(&server)
        .timeout(SHORT)
        .build()
        .expect("the settings are right");
    let error = echo(&hasty).await.expect_err("it is late");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(started.elapsed() < LONG);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn dropping_a_call_cancels_it() {
    let server = late();
    let started = Instant::now();
    let call = tokio::time::timeout(SHORT, echo(&client(&server)).send());
    call.await.expect_err("the call is dropped");
    assert!(started.elapsed() < LONG);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_timeout_of_zero_is_rejected() {
    let server = late();
    let error = echo(&client(&server)).timeout(Duration::ZERO).await;
    assert_eq!(
        error.expect_err("0 is refused").kind(),
        ErrorKind::Configuration
    );
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn the_longest_timeout_means_no_limit() {
    let server = ScriptedServer::start([Scripted::json(200, &json!({}))]);
    let client = settings(&server).without_timeout().build();
    let client = client.expect("the settings are right");
    echo(&client).await.expect("the call succeeds");
    echo(&client)
        .timeout(Duration::MAX)
        .await
        .expect("the call succeeds");
}
