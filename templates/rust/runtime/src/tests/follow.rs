//! Following runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time;

use super::flows::{find, silent};
use super::scripted_server::{Scripted, ScriptedServer};
use super::scripted_socket::SocketStep;
use super::{KEY, client, settings};
use crate::http::LogStep;
use crate::known_events::KnownEvents;
use crate::{Error, ErrorKind, FollowStream};

/// Returns an event with this id.
fn event(kind: &str, id: &str) -> Value {
    json!({ "type": kind, "event_ulid": id, "timestamp_ms": 5 })
}

fn page(events: &[Value]) -> Scripted {
    Scripted::json(200, &json!({ "events": events }))
}

fn ready() -> SocketStep {
    SocketStep::Send(json!({ "type": "SESSION_READY", "replay_events": 1000 }))
}

fn sent(kind: &str, id: &str) -> SocketStep {
    SocketStep::Send(event(kind, id))
}

/// Reads a stream to its end, and returns the ids of the events and the error.
async fn read(stream: &mut FollowStream) -> (Vec<String>, Option<Error>) {
    let mut ids = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => ids.push(event.ulid),
            Err(error) => {
                assert!(stream.next().await.is_none());
                return (ids, Some(error));
            }
        }
    }
    (ids, None)
}

#[tokio::test(start_paused = true)]
async fn unanswered_requests_do_not_stall_a_follower() {
    let answers = [
        Some(json!({ "events": [event("NODE_STARTED", "1")], "next_cursor": "c1" })),
        None,
        Some(json!({ "events": [event("FLOW_COMPLETED", "2")] })),
    ];
    let follow = || silent(answers.clone()).follow();
    for (mut events, seconds) in [
        (follow(), 30),
        (follow().without_timeout(), 30),
        (follow().attempt_timeout(Duration::from_secs(40)), 40),
    ] {
        let started = time::Instant::now();
        let (ids, error) = read(&mut events).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(ids, ["1", "2"]);
        assert_eq!(started.elapsed().as_secs(), seconds);
    }
}

#[tokio::test]
async fn each_event_is_returned_once_until_the_run_ends() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1"), event("NODE_LOG", "2")]),
        Scripted::socket([
            ready(),
            sent("NODE_LOG", "2"),
            sent("NODE_COMPLETED", "3"),
            sent("FLOW_FAILED", "4"),
        ]),
    ]);
    let mut events = find(&client(&server)).follow().header("X-Mine", "2");
    assert!(server.requests().is_empty());
    let (ids, error) = read(&mut events).await;
    assert_eq!((ids.join(""), error.is_none()), ("1234".to_owned(), true));
    drop(events);
    server.ended_sockets(1).await;
    let requests = server.requests();
    assert!(requests[0].path.ends_with("/events?decode=true&limit=1000"));
    assert!(requests[1].path.contains("/debug-stream?session_id="));
    assert_eq!(requests[1].header("upgrade"), Some("websocket"));
    assert_eq!(requests[1].header("x-mine"), Some("2"));
    let key = format!("Bearer {KEY}");
    assert_eq!(requests[1].header("authorization"), Some(key.as_str()));
}

#[tokio::test]
async fn a_follower_resumes_after_a_lost_connection() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), sent("NODE_STARTED", "1"), SocketStep::Vanish]),
        page(&[event("NODE_STARTED", "1"), event("NODE_LOG", "2")]),
        Scripted::socket([ready(), SocketStep::Close(1011, "")]),
        page(&[event("FLOW_COMPLETED", "3")]),
    ]);
    let (ids, error) = read(&mut find(&client(&server)).follow()).await;
    assert_eq!((ids.join(""), error.is_none()), ("123".to_owned(), true));
}

/// Returns the record of a run with this status.
fn record(status: &str) -> Scripted {
    Scripted::json(200, &json!({ "execution_id": "run", "status": status }))
}

#[tokio::test]
async fn a_normal_closure_ends_the_stream_only_if_the_run_has_ended() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([
            ready(),
            sent("NODE_STARTED", "1"),
            SocketStep::Close(1000, ""),
        ]),
        record("RUNNING"),
        page(&[event("NODE_STARTED", "1"), event("NODE_LOG", "2")]),
        Scripted::socket([SocketStep::Close(1000, "")]),
        record("COMPLETED"),
        page(&[event("NODE_LOG", "2"), event("NODE_COMPLETED", "3")]),
    ]);
    let (ids, error) = read(&mut find(&client(&server)).follow()).await;
    assert_eq!((ids.join(""), error.is_none()), ("123".to_owned(), true));
    assert_eq!(server.requests().len(), 7);
}

#[tokio::test]
async fn normal_closures_count_as_lost_connections() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), SocketStep::Close(1000, "server restarting")]),
        record("RUNNING"),
    ]);
    let (ids, error) = read(&mut find(&client(&server)).follow().max_retries(0)).await;
    let error = error.expect("the connection is lost");
    assert_eq!((ids.len(), error.kind()), (1, ErrorKind::StreamInterrupted));
    let reason = "the service closed with 1000 server restarting";
    assert!(error.to_string().contains(reason), "{error}");
}

#[tokio::test]
async fn a_follower_gives_up_with_the_reason() {
    let closing = format!("no more for {KEY}");
    let closing = SocketStep::Close(1011, Box::leak(closing.into_boxed_str()));
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), closing]),
    ]);
    let (ids, error) = read(&mut find(&client(&server)).follow().max_retries(0)).await;
    let error = error.expect("the connection is lost");
    assert_eq!((ids.len(), error.kind()), (1, ErrorKind::StreamInterrupted));
    let id = find(&client(&server)).id().to_owned();
    assert_eq!(
        error.to_string(),
        format!(
            "the events were cut off: the service closed with 1011 no more for [redacted] (execution {id})"
        )
    );
    assert_eq!(error.execution_id(), Some(id.as_str()));
    assert!(!format!("{error:?}").contains(KEY));
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), sent("NODE_STARTED", "1"), sent("NODE_LOG", "2")]),
    ]);
    let mut events = find(&client(&server)).follow();
    for _ in 0..2 {
        let event = events.next().await.expect("the run goes on");
        event.expect("the connection is open");
    }
    drop(events);
    server.ended_sockets(1).await;
}

#[tokio::test]
async fn dropped_waits_lose_no_event() {
    let page = page(&[event("FLOW_COMPLETED", "1")]);
    let server = ScriptedServer::start([page.delay(Duration::from_millis(50))]);
    let mut events = find(&client(&server)).follow();
    let event = loop {
        if let Ok(event) = time::timeout(Duration::from_millis(1), events.next()).await {
            break event;
        }
    };
    let event = event.expect("the run has an event");
    assert_eq!(event.expect("the history is there").ulid, "1");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn an_invalid_handshake_is_rejected() {
    let unproven = Scripted::new(101, "")
        .header("Connection", "upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Accept", "bm8=");
    let server = ScriptedServer::start([page(&[]), unproven]);
    let (_, error) = read(&mut find(&client(&server)).follow()).await;
    let error = error.expect("it is no socket");
    assert_eq!(error.kind(), ErrorKind::InvalidResponse);
    assert!(error.to_string().contains("not a WebSocket"), "{error}");
}

#[tokio::test]
async fn a_rejected_socket_fails_like_any_call() {
    let refusal = Scripted::json(403, &json!({ "error": "tenant_suspended" }));
    let server = ScriptedServer::start([page(&[]), refusal]);
    let events = settings(&server).max_retries(5).build();
    let events = find(&events.expect("the settings are right")).follow();
    let (_, error) = read(&mut events.without_timeout()).await;
    let error = error.expect("it is refused");
    assert_eq!(error.kind(), ErrorKind::TenantSuspended);
    assert_eq!(server.requests().len(), 2);
}

/// Returns the response of the service if a proxy has dropped the upgrade.
fn not_upgraded() -> Scripted {
    Scripted::json(426, &json!({ "error": "upgrade_required" }))
}

#[tokio::test]
async fn blocked_sockets_are_logged_and_replaced_by_polling() {
    let history = page(&[event("NODE_STARTED", "1")]);
    let server = ScriptedServer::start([
        history.clone(),
        not_upgraded(),
        history.clone(),
        not_upgraded(),
        history,
        not_upgraded(),
        page(&[event("NODE_LOG", "2"), event("FLOW_COMPLETED", "3")]),
    ]);
    let steps = Arc::new(Mutex::new(Vec::new()));
    let logged = Arc::clone(&steps);
    let client = settings(&server).logger(move |event| {
        if let LogStep::ReadingPages { .. } = event.step {
            logged
                .lock()
                .expect("no logger has panicked")
                .push(event.to_string());
        }
    });
    let client = client.build().expect("the settings are right");
    let (ids, error) = read(&mut find(&client).follow()).await;
    assert_eq!((ids.join(""), error.is_none()), ("123".to_owned(), true));
    let steps = steps.lock().expect("no logger has panicked");
    assert_eq!(steps.len(), 1, "{steps:?}");
    assert!(steps[0].contains("polling the run's events"), "{steps:?}");
}

#[tokio::test]
async fn a_socket_that_is_not_ready_in_time_is_lost() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([]),
        page(&[event("FLOW_COMPLETED", "2")]),
    ]);
    let mut events = find(&client(&server)).follow();
    events = events.timeout(Duration::from_secs(2));
    let (ids, error) = read(&mut events).await;
    assert_eq!((ids.join(""), error.is_none()), ("12".to_owned(), true));
}

/// Advances time once the server has received this number of requests.
async fn skip(server: &ScriptedServer, requests: usize, seconds: u64) {
    while server.requests().len() < requests {
        time::sleep(Duration::from_millis(5)).await;
    }
    time::pause();
    time::advance(Duration::from_secs(seconds)).await;
    time::resume();
}

#[tokio::test]
async fn a_silent_opening_is_lost_after_ten_seconds() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([]),
        page(&[event("FLOW_COMPLETED", "2")]),
    ]);
    let mut events = find(&client(&server)).follow().without_timeout();
    let started = time::Instant::now();
    let ((ids, error), ()) = tokio::join!(read(&mut events), skip(&server, 2, 10));
    assert_eq!((ids.join(""), error.is_none()), ("12".to_owned(), true));
    assert!(started.elapsed() < Duration::from_secs(12));
}

#[tokio::test]
async fn a_blocked_socket_is_retried_after_a_minute() {
    let history = page(&[event("NODE_STARTED", "1")]);
    let blocked = Scripted::new(403, "<html>blocked</html>");
    let mut script = Vec::new();
    for _ in 0..3 {
        script.extend([history.clone(), blocked.clone()]);
    }
    // More minutes than the reconnect limit, without new events. Each minute has a page, the record, and the page and the socket
    // after it.
    const MINUTES: usize = 10;
    for _ in 0..MINUTES {
        let next = [
            history.clone(),
            record("RUNNING"),
            history.clone(),
            blocked.clone(),
        ];
        script.extend(next);
    }
    script.extend([
        history.clone(),
        record("RUNNING"),
        history,
        Scripted::socket([ready(), sent("NODE_LOG", "2"), sent("FLOW_COMPLETED", "3")]),
        page(&[event("NODE_LOG", "2")]),
    ]);
    let server = ScriptedServer::start(script);
    let mut events = find(&client(&server)).follow().without_timeout();
    let minutes = async {
        for minute in 0..=MINUTES {
            skip(&server, 6 + 4 * minute + 2, 60).await;
        }
    };
    let ((ids, error), ()) = tokio::join!(read(&mut events), minutes);
    assert_eq!((ids.join(""), error.is_none()), ("123".to_owned(), true));
    assert_eq!(server.requests().len(), 6 + 4 * (MINUTES + 1) + 1);
}

#[tokio::test]
async fn a_follower_gives_up_after_nine_consecutive_failures_of_any_duration() {
    let away = Scripted::new(503, "");
    let mut script = vec![
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), SocketStep::Vanish]),
    ];
    // Eight pages of history, each requested once.
    script.extend(vec![away; 8]);
    script.push(page(&[event("FLOW_COMPLETED", "2")]));
    let server = ScriptedServer::start(script);
    let client = settings(&server).max_retry_delay(Duration::from_millis(1));
    let client = client.build().expect("the settings are right");
    let (ids, error) = read(&mut find(&client).follow()).await;
    let error = error.expect("the service is away");
    assert_eq!(
        (ids.len(), error.kind()),
        (1, ErrorKind::UpstreamUnavailable)
    );
}

#[tokio::test]
async fn a_follower_gives_up_if_retry_after_is_too_long() {
    let server = ScriptedServer::start([
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), SocketStep::Vanish]),
        Scripted::new(503, "").header("Retry-After", "61"),
    ]);
    let (_, error) = read(&mut find(&client(&server)).follow()).await;
    let error = error.expect("the service is away");
    let reason =
        "; not tried again: the service asked to wait for 61 s, which is longer than a minute";
    assert!(error.to_string().contains(reason), "{error}");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn delays_grow_while_the_history_cannot_be_read() {
    const FIRST: Duration = Duration::from_millis(20);
    let mut script = vec![
        page(&[event("NODE_STARTED", "1")]),
        Scripted::socket([ready(), SocketStep::Vanish]),
    ];
    script.extend(vec![Scripted::new(503, ""); 8]);
    let server = ScriptedServer::start(script);
    let waits = Arc::new(Mutex::new(Vec::new()));
    let logged = Arc::clone(&waits);
    let client = settings(&server)
        .retry_delay(FIRST)
        .max_retry_delay(FIRST * 16)
        .logger(move |event| {
            if let LogStep::Retrying { wait, .. } = event.step {
                logged.lock().expect("no logger has panicked").push(wait);
            }
        });
    let client = client.build().expect("the settings are right");
    let (_, error) = read(&mut find(&client).follow()).await;
    assert!(error.is_some());
    let longest = waits
        .lock()
        .expect("no logger has panicked")
        .iter()
        .max()
        .copied();
    // A call with two retries waits for at most twice the first delay.
    assert!(longest > Some(FIRST * 2), "{longest:?}");
}

#[tokio::test]
async fn the_timeout_does_not_limit_the_whole_history() {
    const TIMEOUT: Duration = Duration::from_secs(2);
    let first = json!({ "events": [event("NODE_STARTED", "1")], "next_cursor": "c" });
    let away = Scripted::new(503, "");
    let server = ScriptedServer::start([
        Scripted::json(200, &first),
        away.clone(),
        away.clone(),
        away,
        page(&[event("FLOW_COMPLETED", "2")]),
    ]);
    let mut events = find(&client(&server)).follow().timeout(TIMEOUT);
    let first = events.next().await.expect("the run has an event");
    first.expect("the history is there");
    time::sleep(TIMEOUT).await;
    let (ids, error) = read(&mut events).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(ids, ["2"]);
}

#[test]
fn known_events_keep_only_the_latest_ids() {
    let mut known = KnownEvents::default();
    let ids = || (0..30_000).map(|number| format!("{number:026}"));
    // Events that happen at the same time may arrive out of order.
    let (first, second) = (format!("{:026}", 1), format!("{:026}", 2));
    assert!(known.add(&second) && known.add(&first));
    let added = ids().filter(|id| known.add(id)).count();
    assert_eq!((added, known.count()), (29_998, 30_000));
    assert!(ids().all(|id| known.has(&id) && !known.add(&id)));
    assert_eq!(known.latest.len(), 10_000);
    assert!(known.add("01J9ZQ8M8Y3V5T6W7X8Y9Z0A1C"));
}
