//! The course of a call: when to send, wait and give up.

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

/// One logical call: one idempotency key and one deadline over all its attempts.
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
    /// Begins a call.
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
            let problem = format!("the request cannot be sent: {error}");
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

    /// Takes the call from its first attempt to the answer of a success.
    ///
    /// `body` is asked before each attempt, with the time that is left.
    ///
    /// # Errors
    ///
    /// The last attempt's, when there is to be no further one.
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

    /// Gives the answer of the call to its caller, with what was read from it.
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

    /// Sends the request and takes in all of the answer.
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
                    format!("the request cannot be sent: {text}"),
                ),
                false => (
                    ErrorKind::ConnectionFailed,
                    format!("cannot reach the service at {base_url}: {text}"),
                ),
            };
            Error::new(kind, message).because(error)
        })?;
        let (status, headers, body) = response.collect().await.map_err(|error| {
            let message = format!("the connection broke in the answer: {}", explain(&error));
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

/// When a call with these options has to have ended.
pub fn deadline_of(connection: &Connection, options: &Options) -> Result<Option<Instant>, Error> {
    let timeout = check_timeout(options.timeout.unwrap_or(connection.settings.timeout))?;
    // A timeout beyond what the clock can tell is none.
    Ok(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
}

fn timed_out() -> Error {
    let message = "the call took longer than its timeout";
    Error::new(ErrorKind::TimedOut, message)
}
