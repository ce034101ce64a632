//! Custom transports.

use std::error::Error as _;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::streams::SPLIT;
use super::{FLOW, KEY, echo, input};
use crate::http::{Body, BoxFuture, Request, Response, Transport, TransportError, Upgraded};
use crate::types::Bytes;
use crate::{Client, ErrorKind, stream};

/// Responds without a network.
struct Canned(Arc<Mutex<Vec<String>>>);

impl Transport for Canned {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let shown = format!("{request:?}");
        self.0.lock().expect("no test has panicked").push(shown);
        let body = json!({ "count": 7 }).to_string();
        Box::pin(async { Ok(Response::new(body.into())) })
    }
}

/// Fails to send, with a different message for each kind of request.
struct Refusing;

impl Transport for Refusing {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        Box::pin(async { Err(TransportError::unsendable("no such proxy")) })
    }

    fn upload(&self, _: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        Box::pin(async { Err(TransportError::unsendable("no uploads")) })
    }

    fn upgrade(&self, _: Request<()>) -> BoxFuture<Result<Response<Upgraded>, TransportError>> {
        Box::pin(async { Err(TransportError::unsendable("no upgrades")) })
    }
}

fn over(transport: impl Transport) -> Client {
    let builder = Client::builder()
        .api_key(KEY)
        .base_url("https://svc.example/prefix/");
    builder
        .transport(transport)
        .build()
        .expect("the settings are right")
}

#[tokio::test]
async fn a_custom_transport_sends_calls_and_prints_no_key() {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let output = echo(&over(Canned(Arc::clone(&requests))))
        .await
        .expect("the call succeeds");
    assert_eq!(output["count"], 7);
    let shown = requests.lock().expect("no test has panicked").join("");
    assert!(
        shown.contains("svc.example") && shown.contains("/prefix/invocations"),
        "{shown}"
    );
    assert!(!shown.contains(KEY), "{shown}");
}

#[tokio::test]
async fn invalid_requests_are_not_retried() {
    let error = echo(&over(Refusing)).await.expect_err("it cannot be sent");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let shown = error.to_string();
    assert_eq!(shown, "cannot send the request: no such proxy");
}

#[tokio::test]
async fn a_program_can_share_a_transport() {
    let transport: Arc<dyn Transport> = Arc::new(Refusing);
    let client = over(Arc::clone(&transport));
    let sent = echo(&client).await.expect_err("it cannot be sent");
    let mut outputs = client.upload(&SPLIT, stream::iter([input()]));
    let uploaded = outputs.next().await.expect("there is something to say");
    let uploaded = uploaded.expect_err("it cannot be sent");
    let opened = client.open_session(&SPLIT).await;
    let opened = opened.expect_err("it opens no socket");
    for (error, cause) in [
        (sent, "no such proxy"),
        (uploaded, "no uploads"),
        (opened, "no upgrades"),
    ] {
        assert!(error.to_string().ends_with(cause), "{error}");
    }
}

/// Responds with a run without events.
struct Eventless;

impl Transport for Eventless {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let page = json!({ "events": [] }).to_string();
        Box::pin(async { Ok(Response::new(page.into())) })
    }
}

#[tokio::test]
async fn a_transport_without_upgrades_is_a_configuration_error() {
    let execution = over(Eventless).execution(&FLOW, "0".repeat(32));
    let mut events = execution.expect("the id is right").follow();
    let error = events.next().await.expect("there is something to say");
    let error = error.expect_err("it opens no socket");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    let problem = "implement Transport::upgrade";
    assert!(error.to_string().contains(problem), "{error}");
}

/// Fails with an error that contains the key.
struct Blabbing;

impl Transport for Blabbing {
    fn send(&self, request: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let key = request.headers()["authorization"].to_str();
        let problem = format!("bad header {}", key.expect("a key is text"));
        Box::pin(async { Err(TransportError::connection(problem)) })
    }
}

#[tokio::test]
async fn errors_of_transports_show_no_key() {
    let error = echo(&over(Blabbing)).max_retries(0).await;
    let error = error.expect_err("it fails");
    let source = error.source().expect("there is a cause");
    assert_eq!(source.to_string(), "bad header Bearer [redacted]");
    assert!(!format!("{error:?}").contains(KEY));
}
