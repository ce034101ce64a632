//! Calls of pipeline members, which return streams.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::Method;
use tokio::time::Instant;

use crate::connection::Connection;
use crate::content::Content;
use crate::error::ErrorKind;
use crate::flow::{self, Flow};
use crate::frame_stream::FrameStream;
use crate::frames::Streamed;
use crate::input_lines::input_lines;
use crate::json;
use crate::logical_call::LogicalCall;
use crate::mode::Pipeline;
use crate::node::Node;
use crate::open_stream::OpenStream;
use crate::protojson::ProtoJson;
use crate::stream::Inputs;

const STREAM: &str = "/invocations/v1/flows/invoke/stream";

/// The maximum number of seconds that the service gives a flow.
const LONGEST_RUN: u64 = 86_400;

/// Runs a pipeline flow.
pub fn stream_flow<I: ProtoJson, O: ProtoJson + 'static>(
    connection: &Arc<Connection>,
    flow: &Flow<I, O, Pipeline>,
    input: &I,
) -> FrameStream<O> {
    let member = Streamed {
        name: flow.name(),
        failure: ErrorKind::FlowFailed,
    };
    let opening = flow::open(flow, input);
    FrameStream::new(connection, move |connection, options| async move {
        let opening = opening?;
        let call = LogicalCall::open(&connection, Method::POST, STREAM, options)?.streamed();
        let deadline = call.deadline();
        let content = || Content::Whole(limited(&opening, deadline));
        OpenStream::open(call, member, None, content).await
    })
}

/// Calls a pipeline node with one message.
pub fn stream_node<I: ProtoJson, O: ProtoJson + 'static>(
    connection: &Arc<Connection>,
    node: &Node<I, O, Pipeline>,
    input: &I,
) -> FrameStream<O> {
    let (member, path) = (of_node(node), node.path());
    let body = json::to_string(input);
    FrameStream::new(connection, move |connection, options| async move {
        let body = Bytes::from(body?);
        let call = LogicalCall::open(&connection, Method::POST, path, options)?.streamed();
        OpenStream::open(call, member, None, || Content::Whole(body.clone())).await
    })
}

/// Calls a pipeline node with many messages.
pub fn upload<I: ProtoJson, O: ProtoJson + 'static>(
    connection: &Arc<Connection>,
    node: &Node<I, O, Pipeline>,
    inputs: impl Inputs<I>,
) -> FrameStream<O> {
    let (member, path) = (of_node(node), node.path());
    let (lines, sent) = input_lines(inputs);
    FrameStream::new(connection, move |connection, options| async move {
        let call = LogicalCall::open(&connection, Method::POST, path, options)?;
        let mut lines = Some(lines);
        let content = || Content::Lines(lines.take().expect("the request is sent once"));
        OpenStream::open(call.streamed().once(), member, Some(sent), content).await
    })
}

fn of_node<I, O>(node: &Node<I, O, Pipeline>) -> Streamed {
    Streamed {
        name: node.name(),
        failure: ErrorKind::NodeFailed,
    }
}

/// Limits the flow to the time that is left, rounded up so that the service does not give up first.
fn limited(opening: &str, deadline: Option<Instant>) -> Bytes {
    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
    let seconds = left.map_or(LONGEST_RUN, |left| {
        let part = u64::from(left > Duration::from_secs(left.as_secs()));
        left.as_secs().saturating_add(part)
    });
    let seconds = seconds.clamp(1, LONGEST_RUN);
    Bytes::from(format!("{opening},\"timeout_seconds\":{seconds}}}"))
}
