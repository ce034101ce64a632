//! The table of members.

/// Defines a constant for each member from its name, place and types.
///
/// ```text
/// members! {
///     nodes {
///         TOKENIZE = "tokenize", "/invocations/v1/nodes/...": messages::Text => messages::Words,
///     }
///     flows {
///         SUMMARIZE = "summarize", "<id of the graph>": messages::Text => messages::Summary,
///     }
/// }
/// ```
macro_rules! members {
    (
        nodes {
            $($node:ident = $node_name:literal, $path:literal: $node_in:ty => $node_out:ty,)*
        }
        flows {
            $($flow:ident = $flow_name:literal, $graph:literal: $flow_in:ty => $flow_out:ty,)*
        }
    ) => {
        $(
            #[doc = concat!("The node that the method `", $node_name, "` calls.")]
            pub const $node: $crate::node::Node<$node_in, $node_out> =
                $crate::node::Node::new($node_name, $path);
        )*
        $(
            #[doc = concat!("The flow that the method `", $flow_name, "` runs.")]
            pub const $flow: $crate::flow::Flow<$flow_in, $flow_out> =
                $crate::flow::Flow::new($flow_name, $graph);
        )*
    };
}

pub(crate) use members;
