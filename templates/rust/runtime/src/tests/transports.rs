//! Custom transports.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{KEY, echo};
use crate::http::{
    BoxFuture, HeaderMap, HttpRequest, HttpResponse, StatusCode, Transport, TransportError,
};
use crate::{Client, ErrorKind};

/// Responds without a network.
struct Canned(Arc<Mutex<Vec<String>>>);

impl Transport for Canned {
    fn send(&self, request: HttpRequest) -> BoxFuture<Result<HttpResponse, TransportError>> {
        let shown = format!("{request:?}");
        self.0.lock().expect("no test has panicked").push(shown);
        let body = json!({ "count": 7 }).to_string();
        Box::pin(async { Ok(HttpResponse::new(StatusCode::OK, HeaderMap::new(), body)) })
    }
}

/// Fails to send.
struct Refusing;

impl Transport for Refusing {
    fn send(&self, _: HttpRequest) -> BoxFuture<Result<HttpResponse, TransportError>> {
        Box::pin(async { Err(TransportError::unsendable("no such proxy")) })
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
async fn calls_are_sent_through_it_and_print_no_key() {
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
    assert!(error.to_string().contains("no such proxy"), "{error}");
}
