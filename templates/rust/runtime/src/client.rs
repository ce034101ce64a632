//! The client.

use std::sync::Arc;

use crate::call::Call;
use crate::connection::Connection;
use crate::error::Error;
use crate::execution::Execution;
use crate::flow::{self, Flow};
use crate::frame_stream::FrameStream;
use crate::inbox::Pauses;
use crate::mode::Pipeline;
use crate::node::{self, Node};
use crate::pipeline;
use crate::protojson::ProtoJson;
use crate::session::{self, Session};
use crate::split::{self, SplitStream};
use crate::stream::Inputs;
use crate::types::Value;

/// A client with one method per member.
///
/// Clients are cheap to clone. Clones share connections and the retry budget.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Arc<Connection>,
}

impl Client {
    /// Creates a client with the API key and base URL from the `SVC_API_KEY` and `SVC_BASE_URL` environment variables.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration): a variable is missing or malformed.
    pub fn new() -> Result<Self, Error> {
        Self::builder().build()
    }

    pub(crate) fn over(connection: Connection) -> Self {
        Self {
            connection: Arc::new(connection),
        }
    }

    /// Calls a node of [`members`](crate::members). Equivalent to the method of the node.
    pub fn call<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        node: &Node<I, O>,
        input: &I,
    ) -> Call<O> {
        node::call(&self.connection, node, input)
    }

    /// Runs a flow of [`members`](crate::members) and returns its output. Equivalent to the method of the flow.
    pub fn run<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        flow: &Flow<I, O>,
        input: &I,
    ) -> Call<O> {
        flow::run(&self.connection, flow, input)
    }

    /// Starts a flow of [`members`](crate::members) without waiting for it to end.
    pub fn start<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        flow: &Flow<I, O>,
        input: &I,
    ) -> Call<Execution<O>> {
        flow::start(&self.connection, flow, input)
    }

    /// Returns a handle to an earlier run of a flow by its id. Sends no request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`](crate::ErrorKind::Message): the id is malformed.
    pub fn execution<I, O>(
        &self,
        flow: &Flow<I, O>,
        execution_id: impl Into<String>,
    ) -> Result<Execution<O>, Error> {
        Execution::find(&self.connection, flow.name(), execution_id.into())
    }

    /// Returns a handle to a run of any flow by its id, for example that of a [pause](crate::Pause). Its output is JSON. Sends no
    /// request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`](crate::ErrorKind::Message): the id is malformed.
    pub fn any_execution(
        &self,
        execution_id: impl Into<String>,
    ) -> Result<Execution<Value>, Error> {
        Execution::find(&self.connection, "any flow", execution_id.into())
    }

    /// Selects the pauses of all runs of the tenant, of every status unless you choose some. An app key cannot list them.
    pub fn pauses(&self) -> Pauses {
        Pauses::new(&self.connection)
    }

    /// Runs a pipeline flow of [`members`](crate::members) and streams its output. Equivalent to the method of the flow.
    pub fn stream_flow<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        flow: &Flow<I, O, Pipeline>,
        input: &I,
    ) -> FrameStream<O> {
        pipeline::stream_flow(&self.connection, flow, input)
    }

    /// Calls a pipeline node of [`members`](crate::members) with one message and streams its output. Equivalent to the method of
    /// the node.
    pub fn stream_node<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        node: &Node<I, O, Pipeline>,
        input: &I,
    ) -> FrameStream<O> {
        pipeline::stream_node(&self.connection, node, input)
    }

    /// Calls a pipeline node of [`members`](crate::members) with many messages, sent as they are read, and streams its output.
    /// Equivalent to the upload method of the node.
    pub fn upload<I: ProtoJson, O: ProtoJson + Send + 'static>(
        &self,
        node: &Node<I, O, Pipeline>,
        inputs: impl Inputs<I>,
    ) -> FrameStream<O> {
        pipeline::upload(&self.connection, node, inputs)
    }

    /// Creates a stream of a pipeline node of [`members`](crate::members) whose input and output travel in separate requests.
    pub fn create_stream<I: 'static, O: 'static>(
        &self,
        node: &Node<I, O, Pipeline>,
    ) -> Call<SplitStream<I, O>> {
        split::create(&self.connection, node)
    }

    /// Returns a handle to such a stream by its id. Sends no request.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`](crate::ErrorKind::Message): the id is malformed.
    pub fn find_stream<I, O>(
        &self,
        node: &Node<I, O, Pipeline>,
        stream_id: impl Into<String>,
    ) -> Result<SplitStream<I, O>, Error> {
        SplitStream::find(&self.connection, node, stream_id.into())
    }

    /// Opens a live session with a pipeline node of [`members`](crate::members). The timeout limits the time until it is ready.
    pub fn open_session<I: 'static, O: ProtoJson + 'static>(
        &self,
        node: &Node<I, O, Pipeline>,
    ) -> Call<Session<I, O>> {
        session::open(&self.connection, node)
    }

    /// Warms up the nodes of a flow without running it.
    pub fn warm<I, O, M>(&self, flow: &Flow<I, O, M>) -> Call<()> {
        flow::warm(&self.connection, flow)
    }
}
