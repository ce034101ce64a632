//! Split streams: input and output in separate requests.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use reqwest::Url;
use serde_json::json;

use crate::call::Call;
use crate::connection::Connection;
use crate::content::Content;
use crate::error::{Error, ErrorKind};
use crate::frame_stream::FrameStream;
use crate::frames::{Streamed, compare_input};
use crate::input_lines::input_lines;
use crate::logical_call::LogicalCall;
use crate::mode::Pipeline;
use crate::node::Node;
use crate::open_stream::OpenStream;
use crate::protojson::ProtoJson;
use crate::stream::Inputs;

const NODES: &str = "/invocations/v1/nodes/";
const STREAMS: &str = "/invocations/v1/nodes/streams";

/// A stream of a pipeline node whose input and output travel in separate requests: one upload, and any number of readers,
/// including ones in other processes. It expires after 10 minutes.
pub struct SplitStream<I, O> {
    id: String,
    member: Streamed,
    connection: Arc<Connection>,
    types: PhantomData<fn(I) -> O>,
}

/// The result of a complete upload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Upload {
    /// Id of the execution.
    pub execution_id: String,
    /// Number of messages that the node received, which equals the number sent.
    pub input_messages: usize,
}

impl Upload {
    /// Creates the result of an upload, for example in a test of your program.
    #[must_use]
    pub fn new(execution_id: impl Into<String>, input_messages: usize) -> Self {
        Self {
            execution_id: execution_id.into(),
            input_messages,
        }
    }
}

impl<I, O> SplitStream<I, O> {
    fn new(connection: &Arc<Connection>, node: &Node<I, O, Pipeline>, id: String) -> Self {
        Self {
            id,
            member: Streamed {
                name: node.name(),
                failure: ErrorKind::NodeFailed,
            },
            connection: Arc::clone(connection),
            types: PhantomData,
        }
    }

    /// Returns a handle to a stream of the node by its id. Sends no request.
    pub(crate) fn find(
        connection: &Arc<Connection>,
        node: &Node<I, O, Pipeline>,
        id: String,
    ) -> Result<Self, Error> {
        match is_stream_id(&id) {
            true => Ok(Self::new(connection, node, id)),
            false => Err(Error::new(
                ErrorKind::Message,
                "the id of a stream must be of letters, digits, - and _",
            )),
        }
    }

    /// Returns the id of the stream. Another process can get a handle from it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn path(&self, end: &str) -> String {
        format!("{STREAMS}/{}/{end}", self.id)
    }
}

impl<I: ProtoJson, O> SplitStream<I, O> {
    /// Sends the messages as they are read, without retries, and returns when the node has ended and its output is stored. The
    /// output says whether the node succeeded. The timeout defaults to that of streams.
    ///
    /// Fails with the status 409 if the stream already has an upload, with [`ErrorKind::StreamInterrupted`] if the service did
    /// not receive all messages, and with [`ErrorKind::InputFailed`] if the input yields an error or panics.
    pub fn upload(&self, inputs: impl Inputs<I>) -> Call<Upload> {
        let (name, path) = (self.member.name, self.path("input"));
        let (lines, sent) = input_lines(inputs);
        Call::new(
            &self.connection,
            move |connection, mut options| async move {
                options
                    .timeout
                    .get_or_insert(connection.settings.stream_timeout);
                let call = LogicalCall::open(&connection, Method::POST, path, options)?;
                let mut call = call.once();
                let mut lines = Some(lines);
                let content = || Content::Lines(lines.take().expect("the request is sent once"));
                let (mut answer, _) = match call.open_stream(content).await {
                    Ok(received) => received,
                    Err(error) => {
                        let failure = sent.take_failure();
                        return Err(failure.map_or(error, |failure| call.name_call(failure)));
                    }
                };
                let fields = answer.object(name)?;
                let execution_id = answer.required(name, &fields, "execution_id")?;
                answer.about = Some(execution_id.clone());
                let input_messages = sent.progress().count();
                compare_input(&answer, &fields, input_messages)?;
                Ok(call.respond(Upload::new(execution_id, input_messages), answer))
            },
        )
    }
}

impl<I, O: ProtoJson + 'static> SplitStream<I, O> {
    /// Streams the output from its beginning, as it is stored, until its last message. After a lost connection, it resumes where
    /// it stopped. Consecutive lost connections without a message in between count as retries of one call. Dropping the stream
    /// closes the connection, and does not affect the node.
    pub fn output(&self) -> FrameStream<O> {
        self.read(None)
    }

    /// Streams the output that follows an event. Pass the [`last_event_id`](FrameStream::last_event_id) of an earlier reader to continue
    /// where it stopped.
    pub fn output_after(&self, event_id: impl Into<String>) -> FrameStream<O> {
        self.read(Some(event_id.into()))
    }

    fn read(&self, after: Option<String>) -> FrameStream<O> {
        let (member, path) = (self.member, self.path("output"));
        FrameStream::new(&self.connection, move |connection, options| async move {
            let call = LogicalCall::open(&connection, Method::GET, path, options)?;
            OpenStream::replay(call.streamed(), member, after).await
        })
    }
}

impl<I, O> Clone for SplitStream<I, O> {
    fn clone(&self) -> Self {
        Self {
            id: self.id.clone(),
            member: self.member,
            connection: Arc::clone(&self.connection),
            types: PhantomData,
        }
    }
}

impl<I, O> fmt::Debug for SplitStream<I, O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SplitStream")
            .field("id", &self.id)
            .field("node", &self.member.name)
            .finish_non_exhaustive()
    }
}

/// Creates a stream of a pipeline node.
pub fn create<I: 'static, O: 'static>(
    connection: &Arc<Connection>,
    node: &Node<I, O, Pipeline>,
) -> Call<SplitStream<I, O>> {
    let node = Node::new(node.name(), node.path());
    Call::new(connection, move |connection, options| async move {
        let body = json!({ "node_ref": reference_of(&node) }).to_string();
        let mut call = LogicalCall::open(&connection, Method::POST, STREAMS, options)?;
        let answer = call.send(Bytes::from(body)).await?;
        let name = node.name();
        let id = answer.required(name, &answer.object(name)?, "stream_id")?;
        if !is_stream_id(&id) {
            return Err(answer.unreadable(name, "stream_id is malformed"));
        }
        let created = SplitStream::new(&connection, &node, id);
        Ok(call.respond(created, answer))
    })
}

/// Returns the reference of a node: its path without URL escapes.
fn reference_of<I, O, M>(node: &Node<I, O, M>) -> String {
    let path = node.path();
    let escaped = path.strip_prefix(NODES).unwrap_or(path);
    // Queries have the same escapes as paths, except for a plus, which the paths of nodes escape.
    let url = Url::parse(&format!("http://localhost/?{escaped}"));
    let url = url.expect("the path of a node is part of a URL");
    let name = url.query_pairs().next();
    name.map(|(name, _)| name.into_owned()).unwrap_or_default()
}

fn is_stream_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !text.is_empty() && text.bytes().all(is_allowed)
}
