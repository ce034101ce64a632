//! The logic of a call: when to send, wait and retry.

use std::convert::identity;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Uri};
use reqwest::Url;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{self, Instant};

use crate::answer::Answer;
use crate::box_error::BoxError;
use crate::connection::Connection;
use crate::content::{Content, Opened, Received};
use crate::error::{Error, ErrorKind, LONGEST_RETRY_AFTER, explain};
use crate::log::{LogEvent, LogStep};
use crate::options::{Options, add_headers, check_idempotency_key, identify};
use crate::random::random_id;
use crate::response::Response;
use crate::retries::{is_pacing, wait_before};
use crate::transport::Body;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
pub const JSON: HeaderValue = HeaderValue::from_static("application/json");
const STREAM_OR_JSON: HeaderValue = HeaderValue::from_static("text/event-stream, application/json");

/// The minimum number of consecutive lost connections that a call survives if it outlasts outages.
const LEAST_RECONNECTS: u32 = 8;

/// How long after the first failed attempt a retry of a request that starts a run may begin. The service forgets idempotency keys
/// after five minutes.
const LONGEST_RETRYING: Duration = Duration::from_secs(4 * 60);

/// A call. Its attempts share one idempotency key and one deadline.
pub struct LogicalCall {
    pub connection: Arc<Connection>,
    pub method: Method,
    path: String,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub idempotency_key: String,
    max_retries: u32,
    deadline: Option<Instant>,
    attempt_timeout: Option<Duration>,
    pub attempts: u32,
    /// When the last attempt began.
    started: Instant,
    /// The deadline of the last attempt.
    pub attempt_deadline: Option<Instant>,
    /// The number of attempts that count as retries. Attempts that the service paced do not count.
    retries: u32,
    /// The failure of an earlier attempt, unless it timed out. It becomes the cause of a later timeout.
    earlier: Option<Error>,
    /// When the first failed attempt began. Failures with a 429 do not count.
    first_failed: Option<Instant>,
    /// Whether the call starts a run, at most one per idempotency key.
    is_start: bool,
    /// Whether the call outlasts an outage of the service. Its retries then do not draw on the budget.
    outlasts: bool,
    /// Whether the next attempt is a retry that was taken from the budget.
    is_drawn: bool,
    /// The execution that the call concerns.
    pub execution_id: Option<String>,
    /// Whether event streams are returned as they begin.
    pub is_streamed: bool,
    /// Whether an upgrade to a WebSocket that a proxy rejected is retried.
    pub retries_upgrade: bool,
}

impl LogicalCall {
    /// Starts a call.
    ///
    /// # Errors
    ///
    /// An option is malformed, or there is no tokio runtime.
    pub fn open(
        connection: &Arc<Connection>,
        method: Method,
        path: impl Into<String>,
        options: Options,
    ) -> Result<Self, Error> {
        check_runtime()?;
        let path = path.into();
        let settings = &connection.settings;
        let uri = uri_of(&format!("{}{path}", settings.base_url))?;
        let idempotency_key = options.idempotency_key.clone().unwrap_or_else(random_id);
        let mut headers = settings.headers.clone();
        if !options.headers.is_empty() {
            headers = settings.given_headers.clone();
            add_headers(&mut headers, &options.headers)?;
            identify(&mut headers, &settings.own_headers);
        }
        let key = check_idempotency_key(&idempotency_key)?;
        headers.insert(IDEMPOTENCY_KEY, key);
        Ok(Self {
            connection: Arc::clone(connection),
            method,
            path,
            uri,
            headers,
            idempotency_key,
            max_retries: options.retries(settings),
            deadline: deadline_of(connection, &options)?,
            attempt_timeout: options.attempt_timeout(settings)?,
            attempts: 0,
            started: Instant::now(),
            attempt_deadline: None,
            retries: 0,
            earlier: None,
            first_failed: None,
            is_start: false,
            outlasts: false,
            is_drawn: false,
            execution_id: None,
            is_streamed: false,
            retries_upgrade: false,
        })
    }

    /// Sets the execution that the call concerns.
    pub fn about(mut self, execution_id: &str) -> Self {
        self.execution_id = Some(execution_id.to_owned());
        self
    }

    /// Accepts an event stream.
    pub fn streamed(mut self) -> Self {
        self.headers.insert(header::ACCEPT, STREAM_OR_JSON);
        self.is_streamed = true;
        self
    }

    /// Marks a call that starts a run: no retry begins once the service may have forgotten the idempotency key.
    pub const fn starting(mut self) -> Self {
        self.is_start = true;
        self
    }

    /// Limits the call to one attempt, which may take all of its time.
    pub fn once(mut self) -> Self {
        self.max_retries = 0;
        self.attempt_timeout = None;
        self
    }

    /// Returns the deadline of the call.
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Resets the number of retries, because the last attempt was a success.
    pub const fn forget_retries(&mut self) {
        self.attempts = 1;
        self.retries = 0;
    }

    /// Allows more consecutive failures from now on, which do not draw on the budget: the service may be unavailable for about
    /// twenty seconds. Does not change a call whose retries are disabled.
    pub fn outlast(&mut self) {
        if self.has_retries() {
            self.max_retries = self.max_retries.max(LEAST_RECONNECTS);
        }
        self.outlasts = true;
    }

    /// Sends the same body with every attempt.
    pub async fn send(&mut self, body: Bytes) -> Result<Answer, Error> {
        self.run(|_| body.clone()).await
    }

    /// Runs the call until it succeeds or fails.
    ///
    /// `body` is called before each attempt with the time that the service has.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub async fn run(&mut self, body: impl Fn(Option<Duration>) -> Bytes) -> Result<Answer, Error> {
        let (answer, _) = self.repeat(|time| Content::Whole(body(time))).await?;
        Ok(answer)
    }

    /// Runs the call until an event stream begins, which is returned with the head of the response. Any other response is
    /// complete.
    ///
    /// # Errors
    ///
    /// The error of the last attempt.
    pub async fn open_stream(
        &mut self,
        mut content: impl FnMut() -> Content,
    ) -> Result<(Answer, Option<Body>), Error> {
        let (answer, opened) = self.repeat(|_| content()).await?;
        match opened {
            Opened::Stream(body) => Ok((answer, Some(body))),
            _ => Ok((answer, None)),
        }
    }

    async fn repeat(
        &mut self,
        mut content: impl FnMut(Option<Duration>) -> Content,
    ) -> Result<Received, Error> {
        loop {
            match self.attempt(&mut content).await {
                Ok(received) => return Ok(received),
                Err(error) => self.wait_to_retry(error).await?,
            }
        }
    }

    /// Waits before the next attempt.
    ///
    /// # Errors
    ///
    /// The call has failed with this error.
    pub async fn wait_to_retry(&mut self, error: Error) -> Result<(), Error> {
        let wait = match self.wait_after(&error) {
            Wait::For(wait) => wait,
            Wait::TooLong(reason) => return Err(error.not_tried_again(&reason)),
            Wait::Failed => return Err(self.explained(error)),
        };
        let is_late = |first: Instant| first.elapsed().saturating_add(wait) > LONGEST_RETRYING;
        if self.is_start && self.first_failed.is_some_and(is_late) {
            let reason = "the first attempt that failed began too long ago";
            return Err(error.not_tried_again(reason));
        }
        if !is_pacing(&error) && !self.draw() {
            self.log(self.attempts, error.execution_id(), || {
                let reason = explain(&error);
                LogStep::BudgetEmpty { reason }
            });
            return Err(error.not_tried_again("the retry budget is empty"));
        }
        self.log_retry(wait, &error);
        self.keep(error);
        time::sleep(wait).await;
        Ok(())
    }

    /// Records the failure of an attempt that is retried.
    pub fn keep(&mut self, error: Error) {
        if error.kind() != ErrorKind::TimedOut {
            self.earlier = Some(error);
        }
    }

    /// Adds the failure of an earlier attempt to a timeout error, which often has the same cause.
    pub fn explained(&mut self, error: Error) -> Error {
        match self.earlier.take() {
            Some(earlier) if error.kind() == ErrorKind::TimedOut => error.after(earlier),
            _ => error,
        }
    }

    /// Reports whether the call retries at all.
    pub const fn has_retries(&self) -> bool {
        self.max_retries > 0
    }

    /// Counts a retry and takes it from the budget. Returns `false` if the budget is empty.
    fn draw(&mut self) -> bool {
        self.retries += 1;
        if self.outlasts {
            return true;
        }
        self.is_drawn = self.connection.budget.take();
        self.is_drawn
    }

    /// Makes one attempt. `content` is created for the time that the service has: none to wait for a run after an attempt that a
    /// proxy may have cut off.
    pub async fn attempt(
        &mut self,
        content: impl FnOnce(Option<Duration>) -> Content,
    ) -> Result<Received, Error> {
        self.attempts += 1;
        self.started = Instant::now();
        self.attempt_deadline = self.next_attempt_deadline();
        let content = content(match self.first_failed {
            Some(_) => Some(Duration::ZERO),
            None => self.attempt_deadline.map(time_until),
        });
        let received = self.try_once(content).await.inspect_err(|error| {
            if !error.kind().is_rate_limited() {
                self.first_failed.get_or_insert(self.started);
            }
        })?;
        // A socket is not a success before the service is ready.
        if !matches!(received.1, Opened::Socket(_)) {
            self.succeed();
        }
        Ok(received)
    }

    /// Records a success, and refunds the budget.
    pub fn succeed(&mut self) {
        self.first_failed = None;
        self.earlier = None;
        let is_drawn = mem::take(&mut self.is_drawn);
        self.connection.budget.give_back(is_drawn);
    }

    /// Returns the response of the call with `value` read from it.
    pub fn respond<T>(&self, value: T, answer: Answer) -> Response<T> {
        Response {
            execution_id: answer.execution_id().map(str::to_owned),
            request_id: answer.request_id().map(str::to_owned),
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            value,
            attempts: answer.attempts,
            idempotency_key: answer.idempotency_key,
        }
    }

    /// Reads the id of the execution that an invocation started.
    pub fn started(
        &self,
        name: &str,
        answer: &mut Answer,
        fields: &Value,
    ) -> Result<String, Error> {
        let id = answer.invoked(name, fields)?;
        answer.about = Some(id.clone());
        self.log(self.attempts, Some(&id), || LogStep::Started);
        Ok(id)
    }

    /// Adds the number of attempts and the idempotency key to an error, unless it has them.
    pub fn name_call(&self, error: Error) -> Error {
        error.of_call(self.attempts, &self.idempotency_key)
    }

    async fn try_once(&self, content: Content) -> Result<Received, Error> {
        let exchange = self.exchange(content);
        let begun = self.until(self.attempt_deadline, exchange).await;
        let outcome = match begun.and_then(identity) {
            Ok((answer, Opened::Body(body))) => self.collect(answer, body).await,
            other => other,
        };
        let took = self.started.elapsed();
        match outcome {
            Ok((answer, opened)) => {
                let status = answer.status;
                let step = || LogStep::Responded { status, took };
                self.log(self.attempts, answer.execution_id(), step);
                if !status.is_success() && !matches!(opened, Opened::Socket(_)) {
                    return Err(answer.refusal(SystemTime::now()));
                }
                answer.mismatch().map_or(Ok((answer, opened)), Err)
            }
            Err(error) => {
                let error = self.name_call(error);
                let error = match &self.execution_id {
                    Some(id) => error.about(id),
                    None => error,
                };
                self.log_failure(&error);
                Err(error)
            }
        }
    }

    /// Replaces an error if it, or one of its causes, shows the API key.
    pub fn redacted(&self, error: impl Into<BoxError>) -> BoxError {
        let api_key = &self.connection.settings.api_key;
        let error = error.into();
        let shown = explain(&*error);
        let printed = format!("{shown} {error:?}");
        match api_key.is_in(&printed) {
            true => api_key.redact(&shown).into(),
            false => error,
        }
    }

    /// Waits for a future within the time of the attempt.
    ///
    /// # Errors
    ///
    /// The time is up.
    pub async fn in_time<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Error> {
        let outcome = self.until(self.attempt_deadline, waiting).await;
        outcome.map_err(|error| self.name_call(error))
    }

    pub async fn until<T>(
        &self,
        deadline: Option<Instant>,
        waiting: impl Future<Output = T>,
    ) -> Result<T, Error> {
        match deadline {
            Some(deadline) => time::timeout_at(deadline, waiting)
                .await
                .map_err(|_| self.timed_out(deadline)),
            None => Ok(waiting.await),
        }
    }

    /// Returns the deadline of an attempt that begins now.
    fn next_attempt_deadline(&self) -> Option<Instant> {
        let own = self
            .attempt_timeout
            .and_then(|timeout| Instant::now().checked_add(timeout));
        own.into_iter().chain(self.deadline).min()
    }

    fn timed_out(&self, deadline: Instant) -> Error {
        let what = match self.deadline == Some(deadline) {
            true => "call",
            false => "attempt",
        };
        let message = format!("the {what} did not complete within its timeout");
        Error::new(ErrorKind::TimedOut, message)
    }

    /// Decides whether and when to make the next attempt.
    fn wait_after(&self, error: &Error) -> Wait {
        let has_retries = self.retries < self.max_retries || is_pacing(error);
        let has_time = self.deadline.is_none_or(|end| Instant::now() < end);
        let has_hung = error.kind() == ErrorKind::TimedOut && has_time;
        let may_pass =
            error.is_transient() || has_hung || self.retries_upgrade && error.is_socket_blocked();
        if self.max_retries == 0 || !has_retries || !may_pass {
            return Wait::Failed;
        }
        let settings = &self.connection.settings;
        let (first, longest) = (settings.retry_delay, settings.max_retry_delay);
        let asked = error.retry_after();
        // Failed pages of a followed run are retries without an attempt of this call.
        let attempts = self.attempts.max(self.retries + 1);
        if let Some(asked) = asked.filter(|asked| *asked > LONGEST_RETRY_AFTER) {
            return Wait::TooLong(too_long(asked, "a minute"));
        }
        let mut wait = wait_before(attempts, asked, first, longest);
        if error.kind().is_rate_limited() {
            // If the service asks for less than the usual delay, the usual delay applies.
            wait = wait.max(wait_before(attempts, None, first, longest));
        }
        let left = self.deadline.map_or(Duration::MAX, time_until);
        // Jitter on top of the delay that the service asked for never ends a call.
        match asked {
            _ if wait < left => Wait::For(wait),
            Some(asked) if asked < left => Wait::For(asked),
            Some(asked) => Wait::TooLong(too_long(asked, "the time left")),
            None => Wait::Failed,
        }
    }

    fn is_logged(&self) -> bool {
        cfg!(feature = "tracing") || self.connection.settings.logger.is_some()
    }

    /// Logs that the response to the last attempt did not arrive, or is incomplete.
    pub fn log_failure(&self, error: &Error) {
        self.log(self.attempts, error.execution_id(), || {
            let (reason, took) = (explain(error), self.started.elapsed());
            LogStep::Failed { reason, took }
        });
    }

    /// Logs that the next attempt begins after a delay.
    pub fn log_retry(&self, wait: Duration, error: &Error) {
        self.log(self.attempts + 1, error.execution_id(), || {
            let reason = explain(error);
            LogStep::Retrying { wait, reason }
        });
    }

    pub fn log(&self, attempt: u32, execution_id: Option<&str>, step: impl FnOnce() -> LogStep) {
        if !self.is_logged() {
            return;
        }
        let event = LogEvent {
            method: self.method.clone(),
            path: self.path.clone(),
            attempt,
            execution_id: execution_id.map(|id| self.connection.settings.api_key.redact(id)),
            step: step(),
        };
        #[cfg(feature = "tracing")]
        crate::log::trace(&event);
        if let Some(logger) = &self.connection.settings.logger {
            logger(&event);
        }
    }
}

/// The step after a failed attempt.
enum Wait {
    /// Make another attempt after this delay.
    For(Duration),
    /// Fail the call, because the service asked for too long a delay; the text says so.
    TooLong(String),
    /// Fail the call.
    Failed,
}

/// Says why the delay that the service asked for ends a call.
pub fn too_long(asked: Duration, bound: &str) -> String {
    let seconds = asked.as_secs_f64();
    format!("the service asked to wait for {seconds} s, which is longer than {bound}")
}

/// Fails outside of a tokio runtime, where timers and connections would panic.
pub fn check_runtime() -> Result<(), Error> {
    match Handle::try_current() {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::new(
            ErrorKind::Configuration,
            "there is no tokio runtime: await the call in one",
        )),
    }
}

/// Sends a `GET` request that concerns an execution.
pub async fn get(
    connection: &Arc<Connection>,
    execution_id: &str,
    path: String,
    options: Options,
) -> Result<(LogicalCall, Answer), Error> {
    let call = LogicalCall::open(connection, Method::GET, path, options)?;
    let mut call = call.about(execution_id);
    let answer = call.send(Bytes::new()).await?;
    Ok((call, answer))
}

/// Returns the deadline of a call with these options.
pub fn deadline_of(connection: &Connection, options: &Options) -> Result<Option<Instant>, Error> {
    let timeout = options.timeout(&connection.settings)?;
    // A timeout beyond the range of the clock means no limit.
    Ok(timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
}

fn time_until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Parses a URL and escapes what a request cannot contain.
fn uri_of(text: &str) -> Result<Uri, Error> {
    let refuse = |error: BoxError| {
        Error::new(ErrorKind::Configuration, "cannot send the request").with_source(error)
    };
    let url = Url::parse(text).map_err(|error| refuse(error.into()))?;
    Uri::try_from(url.as_str()).map_err(|error| refuse(error.into()))
}
