//! Descriptors of nodes, and their calls.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytes::Bytes;
use http::Method;

use crate::call::Call;
use crate::connection::Connection;
use crate::json;
use crate::logical_call::LogicalCall;
use crate::mode::Unary;
use crate::protojson::ProtoJson;

/// Descriptor of a node with input `I`, output `O` and mode `M`.
pub struct Node<I, O, M = Unary> {
    name: &'static str,
    path: &'static str,
    types: PhantomData<fn(&I) -> O>,
    mode: PhantomData<M>,
}

impl<I, O, M> Node<I, O, M> {
    /// Creates a descriptor. `path` is relative to the base URL; `name` appears in error messages.
    #[must_use]
    pub const fn new(name: &'static str, path: &'static str) -> Self {
        Self {
            name,
            path,
            types: PhantomData,
            mode: PhantomData,
        }
    }

    /// Returns the name of the method.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) const fn path(&self) -> &'static str {
        self.path
    }
}

impl<I, O, M> fmt::Debug for Node<I, O, M> {
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
        Ok(call.respond(output, answer))
    })
}
