//! Handles to runs of flows.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use http::Method;

use crate::answer::is_execution_id;
use crate::call::Call;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::events::Events;
use crate::follow_stream::FollowStream;
use crate::fork::Fork;
use crate::history::{ExecutionRecord, ExecutionStatus, execution_path};
use crate::logical_call::{LogicalCall, get};
use crate::options::Options;
use crate::pause::{Decision, Pause, PausePage, ResumedPause};
use crate::protojson::ProtoJson;
use crate::response::Response;
use crate::wait::wait_for;

/// The error code if a run that has ended is cancelled. If the response has no `code`, it is in upper case.
const NOT_CANCELLABLE: &str = "execution_not_cancellable";

/// A handle to a run of a flow, from starting it or from the id of an earlier run.
pub struct Execution<O> {
    id: String,
    flow: &'static str,
    /// The idempotency key that started the run, unless the handle was created from an id.
    idempotency_key: Option<String>,
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
            idempotency_key: None,
            connection: Arc::clone(connection),
            output: PhantomData,
        })
    }

    /// Sets the idempotency key that started the run.
    pub(crate) fn started_by(&mut self, key: &str) {
        self.idempotency_key = Some(key.to_owned());
    }

    /// Returns the execution id, 32 hexadecimal digits.
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
            // An earlier attempt may have cancelled the run although its response was lost.
            let rest = rest.until(call.deadline());
            let current = get(&connection, &id, execution_path(&id), rest).await;
            let current = current.and_then(|(call, answer)| {
                let record = ExecutionRecord::read("get", &answer)?;
                Ok(call.respond(record, answer))
            });
            match current {
                Ok(current) if current.value.status == ExecutionStatus::Cancelled => Ok(Response {
                    idempotency_key: call.idempotency_key,
                    ..current
                }),
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
            Ok(call.respond(
                PausePage::read(&answer, &mut HashSet::new())?.pauses,
                answer,
            ))
        })
    }

    /// Decides on a pause of the run, which then continues. The first decision wins; for a later one, `already_resumed` is true.
    ///
    /// The [`code`](Error::code) of an error says why a decision was rejected: `invalid_resume_value` leaves the pause waiting,
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
            let mut call = call.about(&id).starting();
            let answer = call.send(Bytes::from(body?)).await?;
            let forked = answer.invoked("fork", &answer.object("fork")?)?;
            let mut execution = Execution::find(&connection, flow, forked)?;
            execution.started_by(&call.idempotency_key);
            Ok(call.respond(execution, answer))
        })
    }

    /// Selects events of the run recorded so far, oldest first. Their stream does not wait for further events.
    pub fn events(&self) -> Events {
        Events::new(&self.connection, self.id.clone())
    }

    /// Follows the run: streams its events so far and then new ones as they happen, until the run has ended.
    pub fn follow(&self) -> FollowStream {
        FollowStream::new(&self.connection, self.id.clone())
    }
}

impl<O: ProtoJson + Send + 'static> Execution<O> {
    /// Waits for the run to end and returns its output.
    ///
    /// Fails with [`ErrorKind::FlowFailed`] if the run failed or was cancelled, with [`ErrorKind::FlowPaused`] if it waits for a
    /// decision, and with [`ErrorKind::WaitTimedOut`] if it did not end within the timeout. The run then continues.
    ///
    /// Each poll of the run is limited by the attempt timeout, or 30 seconds if there is none.
    pub fn wait(&self) -> Call<O> {
        let id = self.id.clone();
        let (flow, key) = (self.flow, self.idempotency_key.clone());
        Call::new(&self.connection, move |connection, options| async move {
            wait_for(&connection, flow, &id, key, options).await
        })
    }
}

impl<O> Clone for Execution<O> {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            flow: self.flow,
            idempotency_key: self.idempotency_key.clone(),
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
