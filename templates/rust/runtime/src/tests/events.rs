//! Events of runs.

use serde_json::{Value, json};

use super::client;
use super::flows::find;
use super::scripted_server::{Scripted, ScriptedServer};
use crate::ErrorKind;

fn page(body: &Value) -> Scripted {
    Scripted::json(200, body)
}

#[tokio::test]
async fn events_are_read_page_by_page() {
    let first = json!({ "type": "NODE_STARTED", "event_ulid": "1", "timestamp_ms": 5 });
    let second = json!({ "type": "NODE_DREAMT", "event_ulid": "2", "dream": "sheep" });
    let server = ScriptedServer::start([
        page(&json!({ "events": [first], "next_cursor": "next page" })),
        page(&json!({ "events": [second] })),
    ]);
    let events = find(&client(&server))
        .events()
        .node_name("a b")
        .page_size(1)
        .without_timeout()
        .header("X-Mine", "2");
    let mut stream = events.stream();
    let mut read = Vec::new();
    while let Some(event) = stream.next().await {
        let event = event.expect("the events are there");
        read.push((
            event.ulid,
            event.timestamp_ms,
            event.fields["dream"].clone(),
        ));
    }
    let expected = [
        ("1".to_owned(), 5, Value::Null),
        ("2".to_owned(), 0, json!("sheep")),
    ];
    assert_eq!(read, expected);
    let requests = server.requests();
    let headers = requests.iter().map(|request| request.header("x-mine"));
    assert!(headers.into_iter().all(|header| header == Some("2")));
    let queries = requests.into_iter().map(|request| {
        let (_, query) = request.path.split_once('?').expect("there is a query");
        query.to_owned()
    });
    let expected = [
        "decode=true&node_name=a+b&limit=1",
        "decode=true&node_name=a+b&limit=1&cursor=next+page",
    ];
    assert_eq!(queries.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn pages_are_retried_up_to_the_limit() {
    let server = ScriptedServer::start([Scripted::new(503, "{}")]);
    let events = find(&client(&server)).events().max_retries(1);
    let error = events.stream().next().await.expect("it fails");
    assert_eq!(error.expect_err("it fails").attempts(), 2);
    let pauses = client(&server).pauses().max_retries(0);
    let error = pauses.stream().next().await.expect("it fails");
    assert_eq!(error.expect_err("it fails").attempts(), 1);
}

#[tokio::test]
async fn an_unknown_run_is_an_error() {
    let server = ScriptedServer::start([Scripted::json(
        404,
        &json!({ "error": "execution not found" }),
    )]);
    let mut stream = find(&client(&server)).events().kind("NODE_FAILED").stream();
    let error = stream.next().await.expect("there is something to say");
    assert_eq!(
        error.expect_err("the run is unknown").kind(),
        ErrorKind::NotFound
    );
    assert!(stream.next().await.is_none());
}

/// Such a list would be read forever.
#[tokio::test]
async fn a_repeated_cursor_is_an_error() {
    let named = |cursor| json!({ "events": [], "pauses": [], "next_cursor": cursor });
    let around = ["1", "2", "1"].map(|cursor| page(&named(cursor)));
    let server = ScriptedServer::start([&around[..], &around, &around].concat());
    let client = client(&server);
    let run = find(&client);
    let (mut events, mut followed) = (run.events().stream(), run.follow());
    let mut pauses = client.pauses().stream();
    let errors = [
        events.next().await.and_then(Result::err),
        followed.next().await.and_then(Result::err),
        pauses.next().await.and_then(Result::err),
    ];
    for error in errors {
        let error = error.expect("the first page comes again");
        assert_eq!(error.kind(), ErrorKind::InvalidResponse, "{error}");
    }
    assert_eq!(server.requests().len(), 9);
}
