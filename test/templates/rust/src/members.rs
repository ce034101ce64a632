//! Descriptors of the members, for example for [`Client::call`](crate::Client::call).

use crate::{member, messages};

member::members! {
    nodes {
        TOKENIZE = "tokenize", "/invocations/v1/nodes/acme/text/1.2.0/Tokenize":
            messages::TokenizeRequest => messages::TokenizeResponse,
    }
    flows {
        SUMMARIZE = "summarize", "g-1": messages::TokenizeRequest => messages::Word,
    }
    pipeline_nodes {
        SPLIT = "split", "/invocations/v1/nodes/acme/text/1.2.0/Split":
            messages::TokenizeRequest => messages::Word,
    }
    pipeline_flows {
        WRITE = "write", "g-2": messages::TokenizeRequest => messages::Word,
    }
}
