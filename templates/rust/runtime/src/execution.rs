//! Handles to runs of flows.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use tokio::time::{self, Instant};

use crate::answer::is_execution_id;
use crate::call::Call;
use crate::connection::Connection;
use crate::error::{Details, Error, ErrorKind};
use crate::event_kinds::{FLOW_COMPLETED, FLOW_FAILED};
use crate::events::Events;
use crate::follow_stream::FollowStream;
use crate::fork::Fork;
use crate::history::{EventPage, EventQuery, ExecutionRecord, ExecutionStatus, execution_path};
use crate::logical_call::{LogicalCall, deadline_of, get};
use crate::options::Options;
use crate::pause::{Decision, Pause, PausePage, ResumedPause};
use crate::protojson::ProtoJson;
use crate::random::random_delay;
use crate::response::Response;

/// Bounds of the delay between polls of a run.
pub const FIRST_POLL_DELAY: Duration = Duration::from_millis(100);
const LONGEST_POLL_DELAY: Duration = Duration::from_secs(2);

/// Code of the error if a run that has ended is cancelled. Where the response has no code, it is in capitals.
const NOT_CANCELLABLE: &str = "execution_not_cancellable";

/// A handle to a run of a flow, from starting it or from the id of an earlier run.
pub struct Execution<O> {
    id: String,
    flow: &'static str,
    connection: Arc<Connection>,
    output: PhantomData<fn() -> O>,
}

impl<O> Execution<O> {
    /// Returns a handle to a run of the flow `flow`. Sends no request.
    pub(crate) fn find(
        connection: &Arc<Connection>,
        flow: &'static str,
        id: String,
    ) -> Result<Self, Error> {
        if !is_execution_id(&id) {
            return Err(Error::new(
                ErrorKind::Message,
                "the execution id must be 32 hexadecimal digits",
            ));
        }
        Ok(Self {
            id,
            flow,
            connection: Arc::clone(connection),
            output: PhantomData,
        })
    }

    /// Execution id, 32 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Retrieves the current state of the run.
    pub fn get(&self) -> Call<ExecutionRecord> {
        let id = self.id.clone();
        Call::new(&self.connection, |connection, options| async move {
            let (call, answer) = get(&connection, &id, execution_path(&id), options).await?;
            Ok(call.respond(ExecutionRecord::read("get", &answer)?, answer))
        })
    }

    /// Cancels the run and returns its record. Running nodes are asked to stop.
    ///
    /// Fails with [`ErrorKind::Status`] and the status 409 if the run has ended or is a branch of another one.
    pub fn cancel(&self) -> Call<ExecutionRecord> {
        let id = self.id.clone();
        Call::new(&self.connection, |connection, options| async move {
            let path = format!("{}/cancel", execution_path(&id));
            let rest = Options {
                idempotency_key: None,
                ..options.clone()
            };
            let call = LogicalCall::open(&connection, Method::POST, path, options)?;
            let mut call = call.about(&id);
            let refusal = match call.send(Bytes::from_static(b"{}")).await {
                Ok(answer) => {
                    let record = ExecutionRecord::read("cancel", &answer)?;
                    return Ok(call.respond(record, answer));
                }
                Err(error) => error,
            };
            let code = refusal.code().unwrap_or_default();
            if call.attempts == 1 || !code.eq_ignore_ascii_case(NOT_CANCELLABLE) {
                return Err(refusal);
            }
            // An earlier attempt, whose answer was lost, may have cancelled the run.
            let rest = rest.until(call.deadline());
            let current = get(&connection, &id, execution_path(&id), rest).await;
            let current = current.and_then(|(call, answer)| {
                let record = ExecutionRecord::read("get", &answer)?;
                Ok(call.respond(record, answer))
            });
            match current {
                Ok(current) if current.value.status == ExecutionStatus::Cancelled => Ok(current),
                _ => Err(refusal),
            }
        })
    }

    /// Lists the pauses of the run, oldest first. At most one of them waits.
    pub fn pauses(&self) -> Call<Vec<Pause>> {
        let id = self.id.clone();
        Call::new(&self.connection, |connection, options| async move {
            let path = format!("{}/pauses", execution_path(&id));
            let (call, answer) = get(&connection, &id, path, options).await?;
            Ok(call.respond(PausePage::read(&answer)?.pauses, answer))
        })
    }

    /// Decides on a pause of the run, which then continues. The first decision wins; a later one gets `already_resumed`.
    ///
    /// The [`code`](Error::code) of an error says why a decision was refused: `invalid_resume_value` leaves the pause waiting,
    /// `pause_not_waiting` and `execution_not_resumable` are final.
    pub fn resume(&self, pause_id: impl AsRef<str>, decision: Decision) -> Call<ResumedPause> {
        let id = self.id.clone();
        let body = decision.body(pause_id.as_ref());
        Call::new(&self.connection, |connection, options| async move {
            let path = format!("/invocations/v1/flows/{id}/resume");
            let call = LogicalCall::open(&connection, Method::POST, path, options)?;
            let mut call = call.about(&id);
            let answer = call.send(Bytes::from(body?)).await?;
            Ok(call.respond(ResumedPause::read(&answer)?, answer))
        })
    }

    /// Starts a run that continues from a checkpoint of this one. If this run has not ended, it ends with the status `Forked`.
    ///
    /// App keys cannot fork. Fails with [`ErrorKind::Status`] and the status 409 if the run cannot be continued.
    pub fn fork(&self, fork: Fork) -> Call<Execution<O>>
    where
        O: Send + 'static,
    {
        let id = self.id.clone();
        let flow = self.flow;
        let body = fork.body();
        Call::new(&self.connection, move |connection, options| async move {
            let path = format!("{}/fork", execution_path(&id));
            let call = LogicalCall::open(&connection, Method::POST, path, options)?;
            let mut call = call.about(&id);
            let answer = call.send(Bytes::from(body?)).await?;
            let forked = answer.invoked("fork", &answer.object("fork")?)?;
            let execution = Execution::find(&connection, flow, forked)?;
            Ok(call.respond(execution, answer))
        })
    }

    /// Selects events of the run so far, oldest first. The stream of them ends at the present.
    pub fn events(&self) -> Events {
        Events::new(&self.connection, self.id.clone())
    }

    /// Follows the run: streams its events so far and then those that happen, until the run has ended.
    pub fn follow(&self) -> FollowStream {
        FollowStream::new(&self.connection, self.id.clone())
    }
}

impl<O: ProtoJson + Send + 'static> Execution<O> {
    /// Waits for the run to end and returns its output.
    ///
    /// Fails with [`ErrorKind::FlowFailed`] if the run failed or was cancelled, with [`ErrorKind::FlowPaused`] if it waits for a
    /// decision, and with [`ErrorKind::WaitTimedOut`] if it did not end within the timeout. The run then continues.
    pub fn wait(&self) -> Call<O> {
        let id = self.id.clone();
        let flow = self.flow;
        Call::new(&self.connection, move |connection, options| async move {
            wait_for(&connection, flow, &id, options).await
        })
    }
}

impl<O> Clone for Execution<O> {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            flow: self.flow,
            connection: Arc::clone(&self.connection),
            output: PhantomData,
        }
    }
}

impl<O> fmt::Debug for Execution<O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Execution")
            .field("id", &self.id)
            .field("flow", &self.flow)
            .finish_non_exhaustive()
    }
}

/// Polls a run until it ends or pauses, and returns its output.
pub async fn wait_for<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    options: Options,
) -> Result<Response<O>, Error> {
    let deadline = deadline_of(connection, &options)?;
    let ended = poll_until_ended(connection, flow, id, &options, deadline).await;
    let ended = ended.map_err(|error| match error.kind() {
        ErrorKind::TimedOut => Error::from(Details {
            kind: ErrorKind::WaitTimedOut,
            message: format!("execution {id} did not end in time; it continues to run"),
            attempts: error.attempts(),
            idempotency_key: error.idempotency_key().map(str::to_owned),
            ..Details::default()
        })
        .with_source(error),
        _ => error,
    });
    ended.map_err(|error| error.about(id))
}

async fn poll_until_ended<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    options: &Options,
    deadline: Option<Instant>,
) -> Result<Response<O>, Error> {
    let mut longest = FIRST_POLL_DELAY;
    loop {
        // The run goes on while the service is away.
        let (attempts, lost) = match look(connection, flow, id, options, deadline).await {
            Ok((Some(output), _)) => return Ok(output),
            Ok((None, attempts)) => (attempts, None),
            Err(error) if options.retries(&connection.settings) > 0 && error.is_retryable() => {
                (error.attempts(), Some(error))
            }
            Err(error) => return Err(error),
        };
        let next = Instant::now() + random_delay(longest);
        if let Some(deadline) = deadline.filter(|deadline| next >= *deadline) {
            time::sleep_until(deadline).await;
            let late = Error::from(Details {
                kind: ErrorKind::TimedOut,
                message: "the run did not end in time".to_owned(),
                attempts,
                ..Details::default()
            });
            return Err(match lost {
                Some(lost) => late.with_source(lost),
                None => late,
            });
        }
        time::sleep_until(next).await;
        longest = LONGEST_POLL_DELAY.min(longest.mul_f64(1.5));
    }
}

/// Reads the record of a run, and its output if it has ended. Also returns the number of attempts.
async fn look<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    options: &Options,
    deadline: Option<Instant>,
) -> Result<(Option<Response<O>>, u32), Error> {
    let path = execution_path(id);
    let (_, answer) = get(connection, id, path, options.until(deadline)).await?;
    let record = ExecutionRecord::read("get", &answer)?;
    if record.status == ExecutionStatus::Forked {
        let message = format!("execution {id} was forked");
        return Err(answer.error(ErrorKind::FlowFailed, message));
    }
    if record.is_terminal() {
        let output = read_end(connection, flow, id, options, deadline).await?;
        return Ok((Some(output), answer.attempts));
    }
    if record.pause_id.is_some() {
        return Err(answer.paused(record.pause_id, id));
    }
    Ok((None, answer.attempts))
}

/// Reads the result of an ended run from its final event.
async fn read_end<O: ProtoJson>(
    connection: &Arc<Connection>,
    flow: &str,
    id: &str,
    options: &Options,
    deadline: Option<Instant>,
) -> Result<Response<O>, Error> {
    let query = EventQuery {
        kinds: vec![FLOW_COMPLETED.to_owned(), FLOW_FAILED.to_owned()],
        ..EventQuery::default()
    };
    let mut cursor = None;
    loop {
        let path = query.path(&execution_path(id), cursor.as_deref());
        let (call, answer) = get(connection, id, path, options.until(deadline)).await?;
        let page = EventPage::read(&answer)?;
        for event in page.events {
            match event.kind.as_str() {
                FLOW_COMPLETED => {
                    let output = answer.output(flow, &event.fields)?;
                    return Ok(call.respond(output, answer));
                }
                FLOW_FAILED => return Err(answer.run_failure(event.error_message, id)),
                _ => {}
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            let message = format!("the events of execution {id} have no final event");
            return Err(answer.error(ErrorKind::InvalidAnswer, message));
        }
    }
}
