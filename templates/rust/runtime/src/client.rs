//! The client: what all calls are made through.

use std::sync::Arc;

use crate::builder::ClientBuilder;
use crate::call::Call;
use crate::connection::Connection;
use crate::error::Error;
use crate::execution::Execution;
use crate::flow::{self, Flow};
use crate::node::{self, Node};
use crate::protojson::ProtoJson;

/// Calls the members of this crate, by a method for each of them.
///
/// A client is cheap to clone and safe to share: clones use the same connections and the same retry budget.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Arc<Connection>,
}

impl Client {
    /// Makes a client whose key and address are taken from the environment variables `SVC_API_KEY` and `SVC_BASE_URL`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration): one of them is missing or malformed.
    pub fn new() -> Result<Self, Error> {
        Self::builder().build()
    }

    /// Makes a client with settings of your own.
    pub const fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    pub(crate) fn over(connection: Connection) -> Self {
        Self {
            connection: Arc::new(connection),
        }
    }

    /// Calls a node of [`members`](crate::members); each has a method of its own that does so.
    pub fn call<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        node: &Node<I, O>,
        input: &I,
    ) -> Call<O> {
        node::call(&self.connection, node, input)
    }

    /// Runs a flow of [`members`](crate::members) and waits for its output; each has a method of its own that does so.
    pub fn run<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        flow: &Flow<I, O>,
        input: &I,
    ) -> Call<O> {
        flow::run(&self.connection, flow, input)
    }

    /// Starts a flow of [`members`](crate::members) and does not wait for it.
    pub fn start<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        flow: &Flow<I, O>,
        input: &I,
    ) -> Call<Execution<O>> {
        flow::start(&self.connection, flow, input)
    }

    /// Finds a run of a flow by its id, whichever process started it. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`](crate::ErrorKind::Message): what was given is no id.
    pub fn execution<I, O>(
        &self,
        flow: &Flow<I, O>,
        execution_id: impl Into<String>,
    ) -> Result<Execution<O>, Error> {
        Execution::find(&self.connection, flow.name(), execution_id.into())
    }

    /// Makes the service ready for a run of a flow; runs nothing.
    pub fn warm<I, O>(&self, flow: &Flow<I, O>) -> Call<()> {
        flow::warm(&self.connection, flow)
    }
}
