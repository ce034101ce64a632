//! Waiting for a run to end.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use tokio::time::{self, Instant};

use crate::answer::Answer;
use crate::connection::{Connection, Settings};
use crate::content::Content;
use crate::error::{Error, ErrorKind};
use crate::event_kinds::{FLOW_COMPLETED, FLOW_FAILED};
use crate::history::{EventPage, EventQuery, ExecutionRecord, ExecutionStatus, execution_path};
use crate::logical_call::{LogicalCall, get, too_long};
use crate::options::Options;
use crate::protojson::ProtoJson;
use crate::random::random_delay;
use crate::response::Response;

/// The first delay between polls of a run.
pub const FIRST_POLL_DELAY: Duration = Duration::from_millis(100);
const LONGEST_POLL_DELAY: Duration = Duration::from_secs(2);

/// The timeout of a repeated request if attempts have none. An unanswered request must not use up the time of a wait, or hold up
/// a run that is followed.
const LONGEST_POLL: Duration = Duration::from_secs(30);

/// Sets the timeout of attempts, unless they already have one.
pub fn bound_attempts(options: &mut Options, settings: &Settings) -> Result<(), Error> {
    let timeout = options.attempt_timeout(settings)?.unwrap_or(LONGEST_POLL);
    options.attempt_timeout = Some(Some(timeout));
    Ok(())
}

/// Polls a run until it ends or pauses, and returns its output. The response and errors have the idempotency key that started the
/// run, if known: the same call with the key of a poll would start a second run.
pub async fn wait_for<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    key: Option<String>,
    mut options: Options,
) -> Result<Response<O>, Error> {
    bound_attempts(&mut options, &connection.settings)?;
    let record = execution_path(id);
    let call = LogicalCall::open(connection, Method::GET, record, options.clone())?;
    let mut wait = Wait {
        call: call.about(id),
        flow,
        id,
        options,
    };
    let ended = wait.poll_until_ended().await;
    let ended = ended.map_err(|error| match error.kind() {
        ErrorKind::TimedOut if wait.is_over() => {
            let message = format!("execution {id} did not end in time; it may still be running");
            Error::new(ErrorKind::WaitTimedOut, message)
                .with_attempts(error.attempts())
                .with_source(error)
        }
        _ => error,
    });
    match ended {
        Ok(response) => Ok(Response {
            idempotency_key: key.unwrap_or(response.idempotency_key),
            ..response
        }),
        Err(error) => Err(error.about(id).of_run(key)),
    }
}

/// A wait for a run.
struct Wait<'a> {
    /// Reads the record of the run. Consecutive failed polls are its attempts.
    call: LogicalCall,
    flow: &'a str,
    id: &'a str,
    options: Options,
}

impl Wait<'_> {
    /// Reports whether the time of the wait has passed, as opposed to that of a single request.
    fn is_over(&self) -> bool {
        let deadline = self.call.deadline();
        deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    async fn poll_until_ended<O: ProtoJson>(&mut self) -> Result<Response<O>, Error> {
        let mut longest = FIRST_POLL_DELAY;
        loop {
            // The run continues during an outage of the service.
            let lost = match self.look().await {
                Ok(Some(output)) => return Ok(output),
                Ok(None) => None,
                Err(error) if self.call.has_retries() && error.is_retryable() => Some(error),
                Err(error) if self.call.has_retries() && error.is_transient() => {
                    let asked = error.retry_after().unwrap_or_default();
                    return Err(error.not_tried_again(&too_long(asked, "a minute")));
                }
                Err(error) => return Err(error),
            };
            let asked = lost.as_ref().and_then(Error::retry_after);
            let wait = random_delay(longest) + asked.unwrap_or_default();
            let next = Instant::now() + wait;
            if let Some(deadline) = self.call.deadline().filter(|deadline| next >= *deadline) {
                time::sleep_until(deadline).await;
                let attempts = self.call.attempts;
                return Err(match lost {
                    Some(lost) => Error::new(ErrorKind::TimedOut, "the run did not end in time")
                        .with_attempts(attempts)
                        .with_source(self.call.explained(lost)),
                    None => {
                        let id = self.id;
                        let message =
                            format!("execution {id} did not end in time; it continues to run");
                        Error::new(ErrorKind::WaitTimedOut, message).with_attempts(attempts)
                    }
                });
            }
            match lost {
                Some(error) => {
                    self.call.log_retry(wait, &error);
                    self.call.keep(error);
                }
                None => self.call.attempts = 0,
            }
            time::sleep_until(next).await;
            longest = LONGEST_POLL_DELAY.min(longest.mul_f64(1.5));
        }
    }

    /// Reads the record of the run, and its output if it has ended.
    async fn look<O: ProtoJson>(&mut self) -> Result<Option<Response<O>>, Error> {
        let (answer, _) = self.call.attempt(|_| Content::Whole(Bytes::new())).await?;
        let record = ExecutionRecord::read("get", &answer)?;
        if record.is_terminal() {
            return self.read_end(&answer, &record).await.map(Some);
        }
        if record.pause_id.is_some() {
            return Err(answer.paused(record.pause_id, self.id));
        }
        Ok(None)
    }

    /// Reads the result of the ended run from its final event. If there is none, reads from the record why the run failed.
    async fn read_end<O: ProtoJson>(
        &self,
        ended: &Answer,
        record: &ExecutionRecord,
    ) -> Result<Response<O>, Error> {
        let query = EventQuery {
            kinds: vec![FLOW_COMPLETED.to_owned(), FLOW_FAILED.to_owned()],
            ..EventQuery::default()
        };
        let (mut cursor, mut named) = (None, HashSet::new());
        loop {
            let path = query.path(&execution_path(self.id), cursor.as_deref());
            let (call, answer) = self.get(path).await?;
            let page = EventPage::read(&answer, &mut named)?;
            for event in page.events {
                match event.kind.as_str() {
                    FLOW_COMPLETED => {
                        let output = answer.output(self.flow, &event.fields)?;
                        return Ok(call.respond(output, answer));
                    }
                    FLOW_FAILED => return Err(answer.run_failure(event.error_message, self.id)),
                    _ => {}
                }
            }
            cursor = page.next_cursor;
            if cursor.is_some() {
                continue;
            }
            if record.status == ExecutionStatus::Completed {
                let message = format!("the events of execution {} have no final event", self.id);
                return Err(answer.error(ErrorKind::InvalidResponse, message));
            }
            let is_cancelled = record.status == ExecutionStatus::Cancelled;
            let usual = is_cancelled.then(|| "the run was cancelled".to_owned());
            let reason = record.error_message.clone().or(usual);
            return Err(ended.run_failure(reason, self.id));
        }
    }

    /// Sends one request within the time that is left.
    async fn get(&self, path: String) -> Result<(LogicalCall, Answer), Error> {
        let mut options = self.options.until(self.call.deadline());
        options.max_retries = Some(0);
        get(&self.call.connection, self.id, path, options).await
    }
}
