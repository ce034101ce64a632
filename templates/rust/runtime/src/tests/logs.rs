//! Log events.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::flows::{RUN, find};
use super::scripted_server::{Scripted, ScriptedServer};
use super::scripted_socket::SocketStep;
use super::streams::{SPLIT, message, read};
use super::{FLOW, echo, input, settings};
use crate::http::{LogEvent, LogStep};
use crate::{Client, stream};

/// Returns a client and its collected log events.
fn logged(server: &ScriptedServer) -> (Client, Arc<Mutex<Vec<LogEvent>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let collected = Arc::clone(&events);
    let builder = settings(server).retry_budget(1).logger(move |event| {
        let mut events = collected.lock().expect("no logger has panicked");
        events.push(event.clone());
    });
    (builder.build().expect("the settings are right"), events)
}

fn lines(events: &Mutex<Vec<LogEvent>>) -> Vec<String> {
    let events = events.lock().expect("no logger has panicked");
    events.iter().map(LogEvent::to_string).collect()
}

/// Returns the reasons of failed attempts.
fn failures(events: &Mutex<Vec<LogEvent>>) -> Vec<String> {
    let events = events.lock().expect("no logger has panicked");
    let reasons = events.iter().filter_map(|event| match &event.step {
        LogStep::Failed { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    reasons.collect()
}

#[tokio::test]
async fn an_empty_budget_is_logged() {
    let server = ScriptedServer::start([Scripted::new(500, "")]);
    let (client, events) = logged(&server);
    echo(&client).await.expect_err("all fail");
    let events = events.lock().expect("no logger has panicked");
    let last = events.last().expect("there are events");
    assert!(matches!(last.step, LogStep::BudgetEmpty { .. }), "{last:?}");
    assert!(
        last.to_string().contains("the retry budget is empty"),
        "{last}"
    );
    assert_eq!(last.attempt, 2);
}

#[tokio::test]
async fn the_execution_of_a_flow_is_logged() {
    let running = json!({ "execution_id": RUN, "execution_status": "RUNNING" });
    let completed = json!({ "execution_id": RUN, "status": "COMPLETED" });
    let events = json!({ "events": [{ "type": "FLOW_COMPLETED", "output": {} }] });
    let script = [running, completed, events].map(|body| Scripted::json(200, &body));
    let server = ScriptedServer::start(script);
    let (client, events) = logged(&server);
    client.run(&FLOW, &input()).await.expect("the run succeeds");
    let lines = lines(&events);
    let of_run = lines.iter().filter(|line| line.contains(RUN)).count();
    assert_eq!((lines.len(), of_run), (4, 3), "{lines:?}");
    assert!(lines[1].ends_with(&format!("started a run (execution {RUN})")));
}

#[tokio::test]
async fn a_failed_poll_is_logged_as_a_retry() {
    let completed = json!({ "execution_id": RUN, "status": "COMPLETED" });
    let events = json!({ "events": [{ "type": "FLOW_COMPLETED", "output": {} }] });
    let away = Scripted::new(503, "{}");
    let found = [completed, events].map(|body| Scripted::json(200, &body));
    let server = ScriptedServer::start([away.clone(), away].into_iter().chain(found));
    let (client, events) = logged(&server);
    find(&client).wait().await.expect("the run succeeds");
    let events = events.lock().expect("no logger has panicked");
    let steps = events.iter().map(|event| {
        let is_retry = matches!(event.step, LogStep::Retrying { .. });
        (event.attempt, is_retry)
    });
    let record = [(1, false), (2, true), (2, false), (3, true), (3, false)];
    assert!(
        steps.eq(record.into_iter().chain([(1, false)])),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_lost_connection_is_logged_once() {
    let frames = Scripted::frames(&[message(1)]);
    let server = ScriptedServer::start([frames]);
    let (client, events) = logged(&server);
    let (_, error) = read(&mut client.stream_node(&SPLIT, &input())).await;
    let reason = error.expect("there is no last message").to_string();
    assert_eq!(failures(&events), [reason]);
    let ready = json!({ "type": "SESSION_READY", "limits": {} });
    let script = [
        Scripted::socket([SocketStep::Send(ready.clone()), SocketStep::Vanish]),
        Scripted::json(200, &json!({ "events": [] })),
        Scripted::socket([SocketStep::Send(ready), SocketStep::Vanish]),
    ];
    let server = ScriptedServer::start(script);
    let (client, events) = logged(&server);
    let session = client.open_session(&SPLIT).await;
    let mut session = session.expect("the service is ready");
    let error = session.next().await.and_then(Result::err);
    error.expect("the connection is lost");
    let mut followed = find(&client).follow().max_retries(0);
    let error = followed.next().await.and_then(Result::err);
    error.expect("the connection is lost");
    let failures = failures(&events);
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert!(failures[0].starts_with("the session was cut off"));
    assert!(failures[1].starts_with("the events were cut off"));
}

#[tokio::test]
async fn failed_input_is_logged_as_such() {
    let server = ScriptedServer::start([Scripted::new(200, "")]);
    let (client, events) = logged(&server);
    let inputs = stream::iter([Ok(input()), Err("no paper")]);
    let (_, error) = read(&mut client.upload(&SPLIT, inputs)).await;
    error.expect("the input fails");
    assert_eq!(failures(&events), ["the streamed input failed: no paper"]);
}

#[cfg(feature = "tracing")]
mod traced {
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::super::{KEY, client, echo};
    use super::{Scripted, ScriptedServer};

    /// Collects events of this crate: their level and fields.
    struct Collector(Arc<Mutex<Vec<(Level, String)>>>);

    struct Fields(String);

    impl Visit for Fields {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            self.0 += &format!("{}={value:?} ", field.name());
        }
    }

    impl Subscriber for Collector {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let mut fields = Fields(String::new());
            event.record(&mut fields);
            let mut events = self.0.lock().expect("no test has panicked");
            events.push((*event.metadata().level(), fields.0));
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    #[tokio::test]
    async fn attempts_are_events() {
        let run = "ab".repeat(16);
        let events = Arc::new(Mutex::new(Vec::new()));
        // A subscriber of this thread alone would miss callsites that other tests reach first.
        tracing::subscriber::set_global_default(Collector(Arc::clone(&events)))
            .expect("no other test sets one");
        let script = [Scripted::new(503, KEY), Scripted::new(200, "{}")];
        let script = script.map(|answer| answer.header("X-Execution-Id", run.as_str()));
        let server = ScriptedServer::start(script);
        echo(&client(&server)).await.expect("the call succeeds");
        let mut events = events.lock().expect("no test has panicked").clone();
        events.retain(|(_, fields)| fields.contains(&run));
        let levels: Vec<_> = events.iter().map(|(level, _)| *level).collect();
        assert_eq!(levels, [Level::DEBUG, Level::INFO, Level::DEBUG]);
        let text = format!("{events:?}");
        for field in ["status=503", "attempt=2", "method=POST", "[redacted]"] {
            assert!(text.contains(field), "{text}");
        }
        assert!(!text.contains(KEY), "{text}");
    }
}
