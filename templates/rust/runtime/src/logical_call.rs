//! The logic of a call: when to send, wait and retry.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use tokio::time::{self, Instant};

use crate::answer::Answer;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::log::{LogEvent, LogStep};
use crate::options::{Options, add_headers, check_idempotency_key, check_timeout};
use crate::random::random_id;
use crate::response::Response;
use crate::retries::{may_pass, wait_before};
use crate::transport::HttpRequest;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A call: its attempts share one idempotency key and one deadline.
pub struct LogicalCall {
    connection: Arc<Connection>,
    method: Method,
    path: String,
    url: Url,
    headers: HeaderMap,
    idempotency_key: String,
    max_retries: u32,
    deadline: Option<Instant>,
    attempts: u32,
}

impl LogicalCall {
    /// Starts a call.
    ///
    /// # Errors
    ///
    /// An option is malformed.
    pub fn open(
        connection: &Arc<Connection>,
        method: Method,
        path: impl Into<String>,
        options: Options,
    ) -> Result<Self, Error> {
        let path = path.into();
        let settings = &connection.settings;
        let url = Url::parse(&format!("{}{path}", settings.base_url)).map_err(|error| {
            let problem = format!("cannot send the request: {error}");
            Error::new(ErrorKind::Configuration, problem)
        })?;
        let idempotency_key = options.idempotency_key.clone().unwrap_or_else(random_id);
        let mut headers = settings.headers.clone();
        if !options.headers.is_empty() {
            add_headers(&mut headers, &options.headers)?;
            headers.extend(settings.own_headers.clone());
        }
        let key = check_idempotency_key(&idempotency_key)?;
        headers.insert(IDEMPOTENCY_KEY, key);
        Ok(Self {
            connection: Arc::clone(connection),
            method,
            path,
            url,
            headers,
            idempotency_key,
            max_retries: options.max_retries.unwrap_or(settings.max_retries),
            deadline: deadline_of(connection, &options)?,
            attempts: 0,
        })
    }

    /// Sends the same body with every attempt.
    pub async fn send(&mut self, body: Bytes) -> Result<Answer, Error> {
        self.run(|_| body.clone()).await
    }

    /// Runs the call until it succeeds or fails.
    ///
    /// `body` is called before each attempt with the time left.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub async fn run(&mut self, body: impl Fn(Option<Duration>) -> Bytes) -> Result<Answer, Error> {
        loop {
            self.attempts += 1;
            let error = match self.attempt(body(self.time_left())).await {
                Ok(answer) => {
                    self.connection.budget.give_back();
                    return Ok(answer);
                }
                Err(error) => error,
            };
            let Some(wait) = self.wait_after(&error) else {
                return Err(error);
            };
            self.log(self.attempts + 1, || LogStep::Retrying {
                wait,
                reason: error.to_string(),
            });
            time::sleep(wait).await;
        }
    }

    /// Returns the response of the call with `value` read from it.
    pub fn respond<T>(&self, value: T, answer: Answer, execution_id: Option<&str>) -> Response<T> {
        let from_header = answer.execution_id();
        Response {
            execution_id: from_header.or_else(|| execution_id.map(str::to_owned)),
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            value,
            attempts: self.attempts,
            idempotency_key: self.idempotency_key.clone(),
        }
    }

    async fn attempt(&self, body: Bytes) -> Result<Answer, Error> {
        let started = Instant::now();
        let exchange = self.exchange(body);
        let outcome = match self.deadline {
            Some(deadline) => time::timeout_at(deadline, exchange)
                .await
                .unwrap_or_else(|_| Err(timed_out())),
            None => exchange.await,
        };
        let took = started.elapsed();
        match outcome {
            Ok(answer) => {
                let status = answer.status;
                self.log(self.attempts, || LogStep::Answered { status, took });
                match answer.is_success() {
                    true => Ok(answer),
                    false => Err(answer.refusal(SystemTime::now())),
                }
            }
            Err(error) => {
                let reason = || error.to_string();
                self.log(self.attempts, || LogStep::Failed {
                    reason: reason(),
                    took,
                });
                Err(error)
            }
        }
    }

    /// Sends the request and reads the complete response.
    async fn exchange(&self, body: Bytes) -> Result<Answer, Error> {
        let mut headers = self.headers.clone();
        if !body.is_empty() {
            headers.insert(header::CONTENT_TYPE, JSON);
        }
        let request = HttpRequest::new(self.method.clone(), self.url.clone(), headers, body);
        let explain = |error: &crate::transport::TransportError| {
            self.connection.settings.api_key.redact(&error.explain())
        };
        let response = self.connection.transport.send(request).await;
        let response = response.map_err(|error| {
            let text = explain(&error);
            let base_url = &self.connection.settings.base_url;
            let (kind, message) = match error.is_unsendable() {
                true => (
                    ErrorKind::Configuration,
                    format!("cannot send the request: {text}"),
                ),
                false => (
                    ErrorKind::ConnectionFailed,
                    format!("cannot reach the service at {base_url}: {text}"),
                ),
            };
            Error::new(kind, message).because(error)
        })?;
        let (status, headers, body) = response.collect().await.map_err(|error| {
            let message = format!(
                "the connection was lost while reading the response: {}",
                explain(&error)
            );
            Error::new(ErrorKind::InterruptedAnswer, message).because(error)
        })?;
        let api_key = &self.connection.settings.api_key;
        Ok(Answer::new(status.as_u16(), headers, body, api_key))
    }

    fn time_left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(Instant::now()))
    }

    fn wait_after(&self, error: &Error) -> Option<Duration> {
        if self.attempts > self.max_retries || !may_pass(error) {
            return None;
        }
        let settings = &self.connection.settings;
        let (first, longest) = (settings.retry_delay, settings.max_retry_delay);
        let wait = wait_before(self.attempts, error.retry_after(), first, longest)?;
        let is_too_long = self.time_left().is_some_and(|left| wait >= left);
        (!is_too_long && self.connection.budget.take()).then_some(wait)
    }

    fn log(&self, attempt: u32, step: impl FnOnce() -> LogStep) {
        if let Some(logger) = &self.connection.settings.logger {
            logger(&LogEvent {
                method: self.method.to_string(),
                path: self.path.clone(),
                attempt,
                step: step(),
            });
        }
    }
}

/// Sends a `GET` request.
pub async fn get(
    connection: &Arc<Connection>,
    path: String,
    options: Options,
) -> Result<(LogicalCall, Answer), Error> {
    let mut call = LogicalCall::open(connection, Method::GET, path, options)?;
    let answer = call.send(Bytes::new()).await?;
    Ok((call, answer))
}

/// Returns the deadline of a call with these options.
pub fn deadline_of(connection: &Connection, options: &Options) -> Result<Option<Instant>, Error> {
    let timeout = check_timeout(options.timeout.unwrap_or(connection.settings.timeout))?;
    // A timeout beyond the range of the clock means no limit.
    Ok(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
}

fn timed_out() -> Error {
    let message = "the call did not complete within its timeout";
    Error::new(ErrorKind::TimedOut, message)
}
