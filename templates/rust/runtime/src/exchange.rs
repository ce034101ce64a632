//! One request and its response.

use bytes::Bytes;
use http::Request;
use http::header::{self, HeaderValue};

use crate::answer::Answer;
use crate::content::{Content, Opened, Received};
use crate::error::{Error, ErrorKind};
use crate::handshake::Handshake;
use crate::logical_call::{JSON, LogicalCall};
use crate::socket::Socket;
use crate::transport::{Body, TransportError, Upgraded};

const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");

impl LogicalCall {
    /// Sends the request and reads the response, except for what stays open.
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
        self.collect(answer, body).await
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
            Upgraded::Body(body) => self.collect(answer, body).await,
            Upgraded::Connection(connection) if handshake.is_accepted(&answer.headers) => {
                let socket = Socket::over(connection).await;
                Ok((answer, Opened::Socket(Box::new(socket))))
            }
            Upgraded::Connection(_) => Err(answer.unreadable("the handshake", "not a WebSocket")),
        }
    }

    fn unsent(&self, error: TransportError) -> Error {
        let base_url = &self.connection.settings.base_url;
        let (kind, message) = match error.is_unsendable() {
            true => (
                ErrorKind::Configuration,
                "cannot send the request".to_owned(),
            ),
            false => (
                ErrorKind::ConnectionFailed,
                format!("cannot reach the service at {base_url}"),
            ),
        };
        Error::new(kind, message).because(self.redacted(error))
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

    async fn collect(&self, mut answer: Answer, body: Body) -> Result<Received, Error> {
        answer.body = body.collect().await.map_err(|error| {
            let message = "the connection was lost while reading the response";
            Error::new(ErrorKind::InterruptedAnswer, message).because(self.redacted(error))
        })?;
        Ok((answer, Opened::Nothing))
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
