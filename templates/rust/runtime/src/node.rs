//! Nodes that are called directly.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::Method;

use crate::call::Call;
use crate::connection::Connection;
use crate::json;
use crate::logical_call::LogicalCall;
use crate::protojson::ProtoJson;

/// A node that takes an `I` and gives an `O`, as data.
pub struct Node<I, O> {
    name: &'static str,
    path: &'static str,
    types: PhantomData<fn(&I) -> O>,
}

impl<I, O> Node<I, O> {
    /// Names a node by the path of its call beneath the base URL; `name` is for errors.
    #[must_use]
    pub const fn new(name: &'static str, path: &'static str) -> Self {
        Self {
            name,
            path,
            types: PhantomData,
        }
    }

    /// Name of its method.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl<I, O> fmt::Debug for Node<I, O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Node")
            .field("name", &self.name)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Calls a node.
pub fn call<I: ProtoJson, O: ProtoJson + Send + 'static>(
    connection: &Arc<Connection>,
    node: &Node<I, O>,
    input: &I,
) -> Call<O> {
    let (name, path) = (node.name, node.path);
    let body = json::to_string(input);
    Call::new(connection, move |connection, options| async move {
        let mut call = LogicalCall::open(&connection, Method::POST, path, options)?;
        let answer = call.send(Bytes::from(body?)).await?;
        let output = answer.read(name)?;
        Ok(call.respond(output, answer, None))
    })
}
