//! Live sessions.

use std::error::Error as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::scripted_server::{Scripted, ScriptedServer};
use super::scripted_socket::SocketStep;
use super::streams::{ID, SPLIT, last, message};
use super::{KEY, client, input, settings};
use crate::types::Struct;
use crate::{Error, ErrorKind, Session};

fn ready() -> SocketStep {
    let limits = json!({ "input_frame_bytes": 11, "session_seconds": 300 });
    SocketStep::Send(json!({ "type": "SESSION_READY", "execution_id": ID, "limits": limits }))
}

async fn open(server: &ScriptedServer) -> Session<Struct, Struct> {
    let session = client(server).open_session(&SPLIT).await;
    session.expect("the service is ready")
}

async fn next(session: &mut Session<Struct, Struct>) -> Result<Value, Error> {
    let message = session.next().await.expect("the session has a message");
    message.map(|message| message["count"].clone())
}

#[tokio::test]
async fn messages_travel_in_both_directions() {
    let server = ScriptedServer::start([Scripted::socket([
        ready(),
        SocketStep::Receive(1),
        SocketStep::Send(message(1)),
        SocketStep::Receive(2),
        SocketStep::Send(message(2)),
        SocketStep::Send(last()),
        SocketStep::Close(1000, ""),
    ])]);
    let mut session = open(&server).await;
    assert_eq!(session.execution_id(), Some(ID));
    assert_eq!(session.limits().input_message_bytes, Some(11));
    assert_eq!(session.limits().duration, Some(Duration::from_secs(300)));
    assert_eq!(session.limits().stall, None);
    for count in [1, 2] {
        session.send(&input()).await.expect("the session is open");
        let answered = next(&mut session).await;
        assert_eq!(answered.expect("the session is open"), count);
    }
    assert!(session.next().await.is_none());
    assert!(session.next().await.is_none());
    session.close();
    let sent = ["{\"count\":5}", "{\"count\":5}"];
    assert_eq!(server.ended_sockets(1).await, [sent]);
    let path = &server.requests()[0].path;
    assert_eq!(path, "/invocations/v1/nodes/a/b/1.0.0/Split/live");
}

#[tokio::test]
async fn a_sender_works_in_a_task_until_the_session_ends() {
    let steps = [
        ready(),
        SocketStep::Receive(3),
        SocketStep::Send(message(7)),
    ];
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let mut session = open(&server).await;
    let sender = session.sender();
    let sending = tokio::spawn(async move {
        for _ in 0..3 {
            sender.send(&input()).await.expect("the session is open");
        }
        sender
    });
    let answered = next(&mut session).await;
    assert_eq!(answered.expect("the session is open"), 7);
    let sender = sending.await.expect("the task has not panicked");
    drop(session);
    let error = loop {
        if let Err(error) = sender.send(&input()).await {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert_eq!(
        error.to_string(),
        format!("the session is closed (execution {ID})")
    );
    assert!(server.ended_sockets(1).await[0].len() >= 3);
}

#[tokio::test]
async fn nothing_is_sent_once_the_session_is_closed() {
    let server = ScriptedServer::start([Scripted::socket([ready()])]);
    let session = open(&server).await;
    let sender = session.sender();
    session.close();
    let error = sender.send(&input()).await.expect_err("it is closed");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert_eq!(
        error.to_string(),
        format!("the session is closed (execution {ID})")
    );
    assert!(!error.is_retryable());
    assert!(server.ended_sockets(1).await[0].is_empty());
}

#[tokio::test]
async fn closing_a_session_sends_a_close_frame() {
    let steps = || Scripted::socket([ready(), SocketStep::ReceiveClose]);
    let server = ScriptedServer::start([steps(), steps()]);
    open(&server).await.close();
    drop(open(&server).await);
    assert_eq!(server.ended_sockets(2).await, [["1000"], ["1000"]]);
}

#[tokio::test]
async fn the_close_reason_is_reported_to_readers_and_senders() {
    let closing = format!("slow consumer {KEY}");
    let closing = SocketStep::Close(1013, Box::leak(closing.into_boxed_str()));
    let server = ScriptedServer::start([Scripted::socket([ready(), closing])]);
    let mut session = open(&server).await;
    let error = next(&mut session).await.expect_err("it is closed");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    let expected = format!(
        "the session was cut off: the service closed with 1013 slow consumer [redacted] (execution {ID})"
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.execution_id(), Some(ID));
    assert!(session.next().await.is_none());
    let error = session.send(&input()).await.expect_err("it is closed");
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_too_large_message_is_rejected_and_leaves_the_session_open() {
    let steps = [
        ready(),
        SocketStep::Receive(1),
        SocketStep::Send(message(1)),
    ];
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let mut session = open(&server).await;
    let large = Struct::from_iter([("count".to_owned(), json!(55))]);
    let error = session.send(&large).await.expect_err("it is too large");
    assert_eq!(error.kind(), ErrorKind::Message);
    let expected = "input message 0 has 12 bytes of JSON; the service takes 11";
    assert_eq!(error.to_string(), expected);
    assert!(!error.is_retryable());
    session.send(&input()).await.expect("the session is open");
    let answered = next(&mut session).await;
    assert_eq!(answered.expect("the session is open"), 1);
    session.close();
    assert_eq!(server.ended_sockets(1).await, [["{\"count\":5}"]]);
}

#[tokio::test]
async fn rejected_sessions_are_not_retryable() {
    let lost = ErrorKind::StreamInterrupted;
    for (code, kind, is_retryable) in [
        (1001, lost, true),
        (1002, lost, false),
        (1003, lost, false),
        (1007, lost, false),
        (1008, lost, false),
        (1009, ErrorKind::PayloadTooLarge, false),
        (1011, lost, true),
        (1013, lost, true),
    ] {
        let steps = [ready(), SocketStep::Close(code, "why")];
        let server = ScriptedServer::start([Scripted::socket(steps)]);
        let mut session = open(&server).await;
        let received = next(&mut session).await.expect_err("it is closed");
        let sent = session.send(&input()).await.expect_err("it is closed");
        for error in [received, sent] {
            assert_eq!(error.kind(), kind, "{code}");
            assert_eq!(error.is_retryable(), is_retryable, "{code}");
            let reason = format!("the service closed with {code} why");
            assert!(error.to_string().contains(&reason), "{error}");
        }
    }
}

#[tokio::test]
async fn a_lost_session_is_not_reopened() {
    let steps = [ready(), SocketStep::Send(message(1)), SocketStep::Vanish];
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let mut session = open(&server).await;
    assert!(next(&mut session).await.is_ok());
    let error = next(&mut session).await.expect_err("it is lost");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert_eq!(server.requests().len(), 1);
}

/// The program reads only after its message has failed and the wait for the cause is over.
#[tokio::test]
async fn a_failed_send_reports_the_reason_and_loses_no_output() {
    let output = [message(1), message(2), message(3), last()].map(SocketStep::Send);
    let steps = [ready()].into_iter().chain(output);
    let steps = steps.chain([SocketStep::Vanish]);
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let mut session = open(&server).await;
    let error = loop {
        if let Err(error) = session.send(&input()).await {
            break error;
        }
    };
    let expected = format!("the session was cut off: the connection was lost (execution {ID})");
    assert_eq!(error.to_string(), expected);
    assert!(error.source().is_some());
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    for count in [1, 2, 3] {
        let answered = next(&mut session).await;
        assert_eq!(answered.expect("it has arrived"), count);
    }
    assert!(session.next().await.is_none());
}

/// The service gives up on a program that does not read, but its reason may be lost behind unread messages.
#[tokio::test]
async fn a_stalled_session_reports_that_the_program_did_not_read() {
    for (stall, is_named) in [(1, true), (60, false)] {
        let limits = json!({ "stall_seconds": stall });
        let ready = json!({ "type": "SESSION_READY", "execution_id": ID, "limits": limits });
        let steps = [ready, message(1), message(2), message(3)].map(SocketStep::Send);
        let steps = steps.into_iter().chain([SocketStep::Vanish]);
        let server = ScriptedServer::start([Scripted::socket(steps)]);
        let mut session = open(&server).await;
        // In a single step, the pause could pass before the messages have arrived.
        for _ in 0..15 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        for count in [1, 2, 3] {
            let answered = next(&mut session).await;
            assert_eq!(answered.expect("it has arrived"), count);
        }
        let error = next(&mut session).await.expect_err("it is lost");
        assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
        let lost = "the session was cut off: the connection was lost";
        let reason = "; messages were not read for longer than the 1 s that the service allows";
        let reason = if is_named { reason } else { "" };
        let expected = format!("{lost}{reason} (execution {ID})");
        assert_eq!(error.to_string(), expected);
        assert!(error.source().is_some());
    }
}

#[tokio::test]
async fn a_session_lost_before_it_is_ready_is_reopened() {
    let server = ScriptedServer::start([
        Scripted::socket([SocketStep::Vanish]),
        Scripted::socket([ready()]),
    ]);
    let response = client(&server).open_session(&SPLIT).response().await;
    let response = response.expect("the second one is ready");
    assert_eq!(
        (response.attempts, response.execution_id.as_deref()),
        (2, Some(ID))
    );
}

#[tokio::test]
async fn a_session_that_does_not_get_ready_times_out() {
    let server = ScriptedServer::start([Scripted::socket([])]);
    let opening = client(&server).open_session(&SPLIT).max_retries(0);
    let error = opening.timeout(Duration::from_secs(3)).await;
    let error = error.expect_err("the service says nothing");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    server.ended_sockets(1).await;
}

#[tokio::test]
async fn an_invalid_first_message_is_an_error() {
    let steps = [SocketStep::Send(message(1))];
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let error = client(&server).open_session(&SPLIT).await;
    let error = error.expect_err("the service is not ready");
    assert_eq!(error.kind(), ErrorKind::InvalidResponse);
    server.ended_sockets(1).await;
}

#[tokio::test]
async fn a_failure_of_the_node_follows_its_messages() {
    let failure = json!({ "is_final": true, "error": "tired" });
    let steps = [
        ready(),
        SocketStep::Send(message(1)),
        SocketStep::Send(failure),
    ];
    let server = ScriptedServer::start([Scripted::socket(steps)]);
    let mut session = open(&server).await;
    assert!(next(&mut session).await.is_ok());
    let error = next(&mut session).await.expect_err("the node fails");
    assert_eq!(error.kind(), ErrorKind::NodeFailed);
    assert!(session.next().await.is_none());
    let error = session.send(&input()).await.expect_err("it has ended");
    assert_eq!(
        error.to_string(),
        format!("the session is closed (execution {ID})")
    );
    assert!(server.ended_sockets(1).await[0].is_empty());
}

#[tokio::test]
async fn the_attempt_timeout_applies_until_the_service_is_ready() {
    let server = ScriptedServer::start([Scripted::socket([]), Scripted::socket([ready()])]);
    let call = client(&server).open_session(&SPLIT);
    let opened = call.attempt_timeout(Duration::from_secs(2)).response();
    let opened = opened.await.expect("the second attempt succeeds");
    assert_eq!(opened.attempts, 2);
}

#[tokio::test]
async fn a_session_that_never_gets_ready_refunds_nothing() {
    let server = ScriptedServer::start([Scripted::socket([SocketStep::Vanish])]);
    let client = settings(&server).retry_budget(1).max_retries(5).build();
    let client = client.expect("the settings are right");
    let error = client.open_session(&SPLIT).await.expect_err("it is lost");
    assert_eq!(error.kind(), ErrorKind::StreamInterrupted);
    assert!(error.to_string().contains("retry budget"), "{error}");
    assert_eq!(server.requests().len(), 2);
}
