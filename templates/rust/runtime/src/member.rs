//! The table of members.

/// Defines a constant for each member from its name, location and types.
///
/// ```text
/// members! {
///     nodes {
///         TOKENIZE = "tokenize", "/invocations/v1/nodes/...": messages::Text => messages::Words,
///     }
///     flows {
///         SUMMARIZE = "summarize", "<id of the graph>": messages::Text => messages::Summary,
///     }
///     pipeline_nodes {}
///     pipeline_flows {}
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
        pipeline_nodes {
            $($p_node:ident = $p_node_name:literal, $p_path:literal: $p_node_in:ty => $p_node_out:ty,)*
        }
        pipeline_flows {
            $($p_flow:ident = $p_flow_name:literal, $p_graph:literal: $p_flow_in:ty => $p_flow_out:ty,)*
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
        $(
            #[doc = concat!("The node that the method `", $p_node_name, "` calls.")]
            pub const $p_node: $crate::node::Node<$p_node_in, $p_node_out, $crate::mode::Pipeline> =
                $crate::node::Node::new($p_node_name, $p_path);
        )*
        $(
            #[doc = concat!("The flow that the method `", $p_flow_name, "` runs.")]
            pub const $p_flow: $crate::flow::Flow<$p_flow_in, $p_flow_out, $crate::mode::Pipeline> =
                $crate::flow::Flow::new($p_flow_name, $p_graph);
        )*
    };
}

pub(crate) use members;
