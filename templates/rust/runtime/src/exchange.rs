//! One request and its response.

use std::time::SystemTime;

use bytes::Bytes;
use http::Request;
use http::header::{self, HeaderValue};

use crate::answer::Answer;
use crate::connection::Settings;
use crate::content::{Content, Opened, Received};
use crate::error::{Error, ErrorKind, explain};
use crate::handshake::Handshake;
use crate::logical_call::{JSON, LogicalCall};
use crate::socket::Socket;
use crate::transport::{Body, Failure, TransportError, Upgraded};

const LATE: &str = "the response did not arrive within the timeout of the HTTP client";
const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");

impl LogicalCall {
    /// Sends the request and reads the head of the response.
    pub async fn exchange(&self, content: Content) -> Result<Received, Error> {
        let transport = &self.connection.transport;
        let sending = match content {
            Content::Whole(body) if body.is_empty() => transport.send(self.request(body, None)),
            Content::Whole(body) => transport.send(self.request(body, Some(JSON))),
            Content::Lines(lines) => transport.upload(self.request(lines, Some(LINES))),
            Content::Socket => return self.shake_hands().await,
        };
        let response = sending.await.map_err(|error| self.unsent(error))?;
        let (head, body) = response.into_parts();
        let answer = self.answer(head);
        if self.is_streamed && answer.is_event_stream() {
            return Ok((answer, Opened::Stream(body)));
        }
        Ok((answer, Opened::Body(body)))
    }

    async fn shake_hands(&self) -> Result<Received, Error> {
        let handshake = Handshake::new();
        let mut request = self.request((), None);
        handshake.ask(request.headers_mut());
        let sending = self.connection.transport.upgrade(request);
        let response = sending.await.map_err(|error| self.unsent(error))?;
        let (head, upgraded) = response.into_parts();
        let answer = self.answer(head);
        match upgraded {
            Upgraded::Body(body) => Ok((answer, Opened::Body(body))),
            Upgraded::Connection(connection) if handshake.is_accepted(&answer.headers) => {
                let socket = Socket::over(connection).await;
                Ok((answer, Opened::Socket(Box::new(socket))))
            }
            Upgraded::Connection(_) => Err(answer.unreadable("the handshake", "not a WebSocket")),
        }
    }

    fn unsent(&self, error: TransportError) -> Error {
        let Settings {
            api_key, base_url, ..
        } = &self.connection.settings;
        if let Some(failure) = error.of_input() {
            let message = api_key.redact(&failure.to_string());
            return Error::new(ErrorKind::InputFailed, message);
        }
        let (kind, message) = match error.failure() {
            Failure::Unsendable => {
                let cause = api_key.redact(&explain(&error));
                let message = format!("cannot send the request: {cause}");
                return Error::new(ErrorKind::Configuration, message);
            }
            Failure::TimedOut => (ErrorKind::TimedOut, LATE.to_owned()),
            Failure::Connection | Failure::Input => (
                ErrorKind::ConnectionFailed,
                format!("the connection to the service at {base_url} failed"),
            ),
        };
        Error::new(kind, message).with_source(self.redacted(error))
    }

    fn answer(&self, head: http::response::Parts) -> Answer {
        Answer {
            status: head.status,
            headers: head.headers,
            body: Bytes::new(),
            api_key: self.connection.settings.api_key.clone(),
            attempts: self.attempts,
            idempotency_key: self.idempotency_key.clone(),
            about: self.execution_id.clone(),
        }
    }

    /// Reads the body of a response.
    ///
    /// # Errors
    ///
    /// The body is incomplete. If the service rejected the request, the error is that rejection, with the part of the body that
    /// arrived.
    pub async fn collect(&self, mut answer: Answer, body: Body) -> Result<Received, Error> {
        let mut chunks = Vec::new();
        let reading = body.read(&mut chunks);
        let outcome = self.until(self.attempt_deadline, reading).await;
        // Most bodies arrive as a single chunk, which is not copied.
        answer.body = match chunks.len() {
            1 => chunks.remove(0),
            _ => chunks.concat().into(),
        };
        match outcome {
            Ok(Ok(())) => Ok((answer, Opened::Nothing)),
            Ok(Err(error)) => Err(self.broken_off(&answer, error)),
            Err(_) if !answer.status.is_success() => Err(answer.refusal(SystemTime::now())),
            Err(late) => Err(answer.unfinished(late.kind(), late.to_string())),
        }
    }

    fn broken_off(&self, answer: &Answer, error: TransportError) -> Error {
        let failure = match error.failure() {
            _ if !answer.status.is_success() => answer.refusal(SystemTime::now()),
            Failure::TimedOut => answer.unfinished(ErrorKind::TimedOut, LATE),
            _ => answer.unfinished(
                ErrorKind::InterruptedResponse,
                "the connection was lost while reading the response",
            ),
        };
        failure.with_source(self.redacted(error))
    }

    fn request<B>(&self, body: B, content_type: Option<HeaderValue>) -> Request<B> {
        let mut headers = self.headers.clone();
        if let Some(content_type) = content_type {
            headers.insert(header::CONTENT_TYPE, content_type);
        }
        let mut request = Request::new(body);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = headers;
        request
    }
}
