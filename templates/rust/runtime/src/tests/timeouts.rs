//! Timeouts.

use std::error::Error as StdError;
use std::time::{Duration, Instant};

use serde_json::json;

use super::flows::RUN;
use super::scripted_server::{Scripted, ScriptedServer};
use super::{FLOW, client, echo, input, settings};
use crate::error::explain;
use crate::{Error, ErrorKind};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(2);

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
async fn a_hanging_attempt_is_retried() {
    let hangs = Scripted::json(200, &json!({})).delay(LONG);
    let server = ScriptedServer::start([hangs, Scripted::json(200, &json!({ "count": 6 }))]);
    let call = echo(&client(&server)).attempt_timeout(SHORT);
    let answer = call.response().await.expect("the second attempt succeeds");
    assert_eq!(answer.attempts, 2);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_call_can_disable_the_timeout_of_attempts() {
    let slow = Scripted::json(200, &json!({})).delay(SHORT / 10);
    let server = ScriptedServer::start([slow]);
    let hasty = settings(&server).attempt_timeout(SHORT / 100);
    let hasty = hasty.build().expect("the settings are right");
    let call = echo(&hasty).without_attempt_timeout();
    let answer = call.response().await.expect("the first attempt succeeds");
    assert_eq!(answer.attempts, 1);
}

#[tokio::test]
async fn timeouts_of_an_http_client_end_attempts() {
    let hangs = Scripted::json(200, &json!({}));
    let http_client = reqwest::Client::builder().no_proxy().timeout(SHORT);
    let http_client = http_client.build().expect("it can be created");
    for hangs in [hangs.clone().delay(LONG), hangs.hang_in_body(1)] {
        let server = ScriptedServer::start([hangs, Scripted::json(200, &json!({}))]);
        let hasty = settings(&server).http_client(http_client.clone()).build();
        let hasty = hasty.expect("the settings are right");
        let call = echo(&hasty).response();
        let answer = call.await.expect("the second attempt succeeds");
        assert_eq!(answer.attempts, 2);
    }
    let server = late();
    let hasty = settings(&server).http_client(http_client).build();
    let hasty = hasty.expect("the settings are right");
    let error = echo(&hasty).max_retries(0).await;
    let error = error.expect_err("it is late");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(error.to_string().contains("HTTP client"), "{error}");
}

#[tokio::test]
async fn a_call_fails_when_all_attempts_hang() {
    let server = late();
    let hasty = settings(&server).attempt_timeout(SHORT);
    let hasty = hasty.build().expect("the settings are right");
    let error = echo(&hasty).await.expect_err("all hang");
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::TimedOut, 3));
    assert!(error.to_string().contains("attempt"), "{error}");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn an_error_response_with_a_stalled_body_reports_its_status() {
    let refusal = Scripted::json(401, &json!({ "error": "unknown key" })).hang_in_body(9);
    let server = ScriptedServer::start([refusal]);
    let http_client = reqwest::Client::builder().no_proxy().timeout(SHORT);
    let http_client = http_client.build().expect("it can be created");
    for hasty in [
        settings(&server).attempt_timeout(SHORT),
        settings(&server).timeout(SHORT),
        settings(&server).http_client(http_client),
    ] {
        let hasty = hasty.build().expect("the settings are right");
        let error = echo(&hasty).await.expect_err("it is refused");
        assert_eq!(
            (error.kind(), error.attempts()),
            (ErrorKind::Unauthorized, 1)
        );
        assert_eq!(error.body(), Some(&json!("{\"error\":")));
    }
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_timeout_reports_the_failure_of_an_earlier_attempt() {
    let fails = Scripted::json(503, &json!({ "error": "overloaded" }));
    let hangs = Scripted::json(200, &json!({})).delay(LONG);
    for is_of_attempt in [true, false] {
        let server = ScriptedServer::start([fails.clone(), hangs.clone()]);
        let client = client(&server);
        let call = match is_of_attempt {
            true => echo(&client).attempt_timeout(SHORT),
            false => echo(&client).timeout(SHORT),
        };
        let error = call.await.expect_err("the last attempts hang");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        let message = error.to_string();
        assert!(
            message.ends_with("; an earlier attempt failed"),
            "{message}"
        );
        let earlier = error.source().and_then(|source| source.downcast_ref());
        let earlier: &Error = earlier.expect("the first attempt failed");
        assert_eq!(earlier.kind(), ErrorKind::UpstreamUnavailable);
    }
}

#[tokio::test]
async fn the_timeout_of_a_wait_reports_the_failure_of_an_earlier_poll() {
    let fails = Scripted::json(503, &json!({ "error": "overloaded" }));
    let hangs = Scripted::json(200, &json!({})).delay(LONG);
    let server = ScriptedServer::start([fails, hangs]);
    let execution = client(&server).execution(&FLOW, RUN);
    let execution = execution.expect("the id is right");
    let error = execution.wait().timeout(SHORT).await;
    let error = error.expect_err("the run does not end in time");
    assert_eq!(error.kind(), ErrorKind::WaitTimedOut);
    assert!(explain(&error).contains("overloaded"), "{error:?}");
}

#[tokio::test]
async fn the_requested_wait_respects_the_attempt_timeout() {
    let ended = json!({
        "execution_id": RUN, "result": { "success": true, "output": {}, "completed_at": 1 },
    });
    let server = ScriptedServer::start([Scripted::json(202, &ended)]);
    let call = client(&server).run(&FLOW, &input());
    let call = call.attempt_timeout(Duration::from_millis(9_900));
    call.await.expect("the run succeeds");
    assert_eq!(server.requests()[0].json()["timeout_seconds"], 8);
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
