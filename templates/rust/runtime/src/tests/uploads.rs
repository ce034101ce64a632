//! The source of streamed input ends with its call.

use std::future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::StreamExt;
use serde_json::json;
use tokio::sync::Notify;
use tokio::task;

use super::scripted_server::{Scripted, ScriptedServer};
use super::streams::{SPLIT, last, message, read};
use super::{client, input, settings};
use crate::ErrorKind;
use crate::error::explain;
use crate::http::{Body, BoxFuture, Request, Response, Transport, TransportError};
use crate::stream::{self, Stream};
use crate::types::{Bytes, Struct};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(1);

/// Yields messages, then stays pending forever.
struct Source {
    left: usize,
    is_dropped: Arc<Notify>,
}

impl Source {
    fn new() -> (Self, Arc<Notify>) {
        Self::of(1)
    }

    fn of(left: usize) -> (Self, Arc<Notify>) {
        let is_dropped = Arc::new(Notify::new());
        let source = Self {
            left,
            is_dropped: Arc::clone(&is_dropped),
        };
        (source, is_dropped)
    }
}

impl Stream for Source {
    type Item = Struct;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Struct>> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Poll::Ready(Some(input()))
            }
            None => Poll::Pending,
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.is_dropped.notify_one();
    }
}

async fn wait_for(is_dropped: &Notify) {
    let dropped = tokio::time::timeout(LONG, is_dropped.notified()).await;
    dropped.expect("the source is dropped");
}

#[tokio::test]
async fn a_timeout_drops_the_source() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let (source, is_dropped) = Source::new();
    let mut stream = client(&server).upload(&SPLIT, source).timeout(SHORT);
    let (_, error) = read(&mut stream).await;
    let error = error.expect("the input has no end");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    wait_for(&is_dropped).await;
}

#[tokio::test]
async fn a_rejection_drops_the_source() {
    let refusal = Scripted::json(404, &json!({ "error": "not_found" })).early();
    let server = ScriptedServer::start([refusal]);
    let client = client(&server);
    let found = client.find_stream(&SPLIT, "0192f1c0a3b1");
    let found = found.expect("the id is right");
    let (source, is_dropped) = Source::new();
    let error = found.upload(source).timeout(LONG).await;
    let error = error.expect_err("the upload is refused");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    wait_for(&is_dropped).await;
    let (source, is_dropped) = Source::new();
    let (_, error) = read(&mut client.upload(&SPLIT, source).timeout(LONG)).await;
    let error = error.expect("the upload is refused");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    wait_for(&is_dropped).await;
}

#[tokio::test]
async fn an_early_last_message_drops_the_source() {
    let last = json!({ "is_final": true, "success": true, "input_frames": 1 });
    let server = ScriptedServer::start([Scripted::frames(&[message(1), last]).early()]);
    let (source, is_dropped) = Source::new();
    let mut stream = client(&server).upload(&SPLIT, source).timeout(LONG);
    let (counts, error) = read(&mut stream).await;
    assert_eq!((counts.len(), error.is_none()), (1, true));
    wait_for(&is_dropped).await;
}

#[tokio::test]
async fn dropping_the_call_drops_the_source() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let (source, is_dropped) = Source::new();
    let sending = client(&server).upload(&SPLIT, source).send();
    let sending = tokio::time::timeout(SHORT, sending).await;
    sending.expect_err("the input has no end");
    wait_for(&is_dropped).await;
}

#[tokio::test]
async fn a_panic_is_a_failure_of_the_input() {
    let server = ScriptedServer::start([Scripted::frames(&[last()])]);
    let client = client(&server);
    let inputs = || {
        stream::iter((0..2).map(|row| match row {
            0 => input(),
            _ => panic!("row {row} is broken"),
        }))
    };
    let found = client.find_stream(&SPLIT, "0192f1c0a3b1");
    let found = found.expect("the id is right");
    let failures = [
        read(&mut client.upload(&SPLIT, inputs())).await.1,
        found.upload(inputs()).await.err(),
    ];
    for error in failures {
        let error = error.expect("the input panics");
        assert_eq!(error.kind(), ErrorKind::InputFailed);
        assert!(!error.is_retryable());
        assert!(explain(&error).ends_with("row 1 is broken"), "{error:?}");
    }
}

/// Reads the input in a separate task, up to a number of lines, and never responds.
struct Detached(usize);

impl Transport for Detached {
    fn send(&self, _: Request<Bytes>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        Box::pin(future::pending())
    }

    fn upload(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, TransportError>> {
        let (mut body, count) = (request.into_body(), self.0);
        tokio::spawn(async move {
            for _ in 0..count {
                match body.next().await {
                    Some(Ok(_)) => task::yield_now().await,
                    _ => return,
                }
            }
            future::pending().await
        });
        Box::pin(future::pending())
    }
}

#[tokio::test]
async fn a_transport_that_keeps_reading_does_not_keep_the_source() {
    let server = ScriptedServer::start([]);
    for (messages, lines) in [(1, usize::MAX), (usize::MAX, usize::MAX), (usize::MAX, 1)] {
        let client = settings(&server).transport(Detached(lines)).build();
        let client = client.expect("the settings are right");
        let (source, is_dropped) = Source::of(messages);
        let (_, error) = read(&mut client.upload(&SPLIT, source).timeout(SHORT)).await;
        let error = error.expect("there is no answer");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        wait_for(&is_dropped).await;
    }
}
