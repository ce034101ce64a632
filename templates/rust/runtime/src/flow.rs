//! Descriptors of flows, and their calls.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use serde_json::{Value, json};

use crate::answer::text_of;
use crate::call::Call;
use crate::connection::Connection;
use crate::error::Error;
use crate::execution::Execution;
use crate::json;
use crate::logical_call::{LogicalCall, deadline_of};
use crate::mode::Unary;
use crate::options::Options;
use crate::protojson::ProtoJson;
use crate::response::Response;
use crate::wait::wait_for;

const INVOKE: &str = "/invocations/v1/flows/invoke";
const WARM: &str = "/invocations/v1/flows/warm";

/// The maximum number of seconds that a request waits for a run to end. This is below the idle timeout of common proxies.
/// Afterwards, the client polls.
const LONGEST_WAIT: u64 = 50;

/// Descriptor of a flow with input `I`, output `O` and mode `M`.
pub struct Flow<I, O, M = Unary> {
    name: &'static str,
    graph_id: &'static str,
    types: PhantomData<fn(&I) -> O>,
    mode: PhantomData<M>,
}

impl<I, O, M> Flow<I, O, M> {
    /// Creates a descriptor. `name` appears in error messages.
    #[must_use]
    pub const fn new(name: &'static str, graph_id: &'static str) -> Self {
        Self {
            name,
            graph_id,
            types: PhantomData,
            mode: PhantomData,
        }
    }

    /// Returns the name of the method.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the id of the compiled flow.
    #[must_use]
    pub const fn graph_id(&self) -> &'static str {
        self.graph_id
    }
}

impl<I, O, M> fmt::Debug for Flow<I, O, M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Flow")
            .field("name", &self.name)
            .field("graph_id", &self.graph_id)
            .finish_non_exhaustive()
    }
}

/// Runs a flow and returns its output.
pub fn run<I: ProtoJson, O: ProtoJson + Send + 'static>(
    connection: &Arc<Connection>,
    flow: &Flow<I, O>,
    input: &I,
) -> Call<O> {
    let name = flow.name;
    let opening = open(flow, input);
    Call::new(connection, move |connection, options| async move {
        run_to_end(&connection, options, name, &opening?).await
    })
}

/// Starts a flow without waiting for it to end.
pub fn start<I: ProtoJson, O: ProtoJson + Send + 'static>(
    connection: &Arc<Connection>,
    flow: &Flow<I, O>,
    input: &I,
) -> Call<Execution<O>> {
    let name = flow.name;
    let opening = open(flow, input);
    Call::new(connection, move |connection, options| async move {
        let call = LogicalCall::open(&connection, Method::POST, INVOKE, options)?;
        let mut call = call.starting();
        let body = Bytes::from(format!("{}}}", opening?));
        let mut answer = call.send(body).await?;
        let fields = answer.object(name)?;
        let id = call.started(name, &mut answer, &fields)?;
        let mut execution = Execution::find(&connection, name, id)?;
        execution.started_by(&call.idempotency_key);
        Ok(call.respond(execution, answer))
    })
}

/// Warms up the nodes of a flow without running it.
pub fn warm<I, O, M>(connection: &Arc<Connection>, flow: &Flow<I, O, M>) -> Call<()> {
    let body = json!({ "graph_id": flow.graph_id }).to_string();
    Call::new(connection, |connection, options| async move {
        let mut call = LogicalCall::open(&connection, Method::POST, WARM, options)?;
        let answer = call.send(Bytes::from(body)).await?;
        Ok(call.respond((), answer))
    })
}

/// Encodes the beginning of the request body, up to the fields that control waiting.
pub fn open<I: ProtoJson, O, M>(flow: &Flow<I, O, M>, input: &I) -> Result<String, Error> {
    let graph_id = Value::from(flow.graph_id);
    let input = json::to_string(input)?;
    Ok(format!("{{\"graph_id\":{graph_id},\"input\":{input}"))
}

async fn run_to_end<O: ProtoJson>(
    connection: &Arc<Connection>,
    options: Options,
    name: &'static str,
    opening: &str,
) -> Result<Response<O>, Error> {
    let deadline = deadline_of(connection, &options)?;
    // The idempotency key applies only to starting the run, not to polling it.
    let rest = Options {
        idempotency_key: None,
        ..options.clone()
    };
    let call = LogicalCall::open(connection, Method::POST, INVOKE, options)?;
    let mut call = call.starting();
    let mut answer = call.run(|time| waiting(opening, time)).await?;
    let fields = answer.object(name)?;
    let id = call.started(name, &mut answer, &fields)?;
    if let Some(result) = fields.get("result").filter(|result| result.is_object()) {
        if result.get("success") != Some(&Value::Bool(true)) {
            return Err(answer.run_failure(text_of(result, "error_message"), &id));
        }
        let output = answer.output(name, result)?;
        return Ok(call.respond(output, answer));
    }
    if fields.get("execution_status").and_then(Value::as_str) == Some("PAUSED") {
        return Err(answer.paused(text_of(&fields, "pause_id"), &id));
    }
    let key = Some(call.idempotency_key);
    wait_for(connection, name, &id, key, rest.until(deadline)).await
}

/// Asks the service to wait for a whole number of seconds. One second is reserved for the response to arrive. If less than two
/// seconds are left, the service is not asked to wait, and returns the id of the run at once.
fn waiting(opening: &str, time: Option<Duration>) -> Bytes {
    let seconds = time.map_or(LONGEST_WAIT, |time| time.as_secs().saturating_sub(1));
    Bytes::from(match seconds.min(LONGEST_WAIT) {
        0 => format!("{opening}}}"),
        seconds => format!("{opening},\"wait\":true,\"timeout_seconds\":{seconds}}}"),
    })
}
