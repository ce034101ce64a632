//! Waiting for a run to end.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{self, Instant};

use crate::answer::Answer;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::event_kinds::{FLOW_COMPLETED, FLOW_FAILED};
use crate::history::{EventPage, EventQuery, ExecutionRecord, ExecutionStatus, execution_path};
use crate::logical_call::{LogicalCall, deadline_of, get};
use crate::options::Options;
use crate::protojson::ProtoJson;
use crate::random::random_delay;
use crate::response::Response;

/// Bounds of the delay between polls of a run.
pub const FIRST_POLL_DELAY: Duration = Duration::from_millis(100);
const LONGEST_POLL_DELAY: Duration = Duration::from_secs(2);

/// Polls a run until it ends or pauses, and returns its output. The response and errors have the idempotency key that started the
/// run, as far as it is known: the same call with that of a poll would start a second run.
pub async fn wait_for<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    key: Option<String>,
    options: Options,
) -> Result<Response<O>, Error> {
    let wait = Wait {
        deadline: deadline_of(connection, &options)?,
        connection,
        flow,
        id,
        options,
    };
    let ended = wait.poll_until_ended().await;
    let ended = ended.map_err(|error| match error.kind() {
        ErrorKind::TimedOut => {
            let message = format!("execution {id} did not end in time; it continues to run");
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
    connection: &'a Arc<Connection>,
    flow: &'a str,
    id: &'a str,
    options: Options,
    deadline: Option<Instant>,
}

impl Wait<'_> {
    async fn poll_until_ended<O: ProtoJson>(&self) -> Result<Response<O>, Error> {
        let has_retries = self.options.retries(&self.connection.settings) > 0;
        let mut longest = FIRST_POLL_DELAY;
        loop {
            // The run goes on while the service is away.
            let (attempts, lost) = match self.look().await {
                Ok((Some(output), _)) => return Ok(output),
                Ok((None, attempts)) => (attempts, None),
                Err(error) if has_retries && error.is_retryable() => {
                    (error.attempts(), Some(error))
                }
                Err(error) => return Err(error),
            };
            let next = Instant::now() + random_delay(longest);
            if let Some(deadline) = self.deadline.filter(|deadline| next >= *deadline) {
                time::sleep_until(deadline).await;
                let late = Error::new(ErrorKind::TimedOut, "the run did not end in time")
                    .with_attempts(attempts);
                return Err(match lost {
                    Some(lost) => late.with_source(lost),
                    None => late,
                });
            }
            time::sleep_until(next).await;
            longest = LONGEST_POLL_DELAY.min(longest.mul_f64(1.5));
        }
    }

    /// Reads the record of the run, and its output if it has ended. Also returns the number of attempts.
    async fn look<O: ProtoJson>(&self) -> Result<(Option<Response<O>>, u32), Error> {
        let (_, answer) = self.get(execution_path(self.id)).await?;
        let record = ExecutionRecord::read("get", &answer)?;
        if record.status == ExecutionStatus::Forked {
            let message = format!("execution {} was forked", self.id);
            return Err(answer.error(ErrorKind::FlowFailed, message));
        }
        if record.is_terminal() {
            let output = self.read_end(&answer, &record).await?;
            return Ok((Some(output), answer.attempts));
        }
        if record.pause_id.is_some() {
            return Err(answer.paused(record.pause_id, self.id));
        }
        Ok((None, answer.attempts))
    }

    /// Reads the result of the run, which has ended, from its final event, or why it failed from its record if it has none.
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

    /// Sends a request in the time that is left.
    async fn get(&self, path: String) -> Result<(LogicalCall, Answer), Error> {
        let options = self.options.until(self.deadline);
        get(self.connection, self.id, path, options).await
    }
}
