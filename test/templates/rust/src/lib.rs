//! The runtime of Rust SDKs with a client for its tests.

mod answer;
mod api_key;
mod box_error;
mod builder;
mod calendar;
mod call;
mod calls;
mod client;
mod connection;
mod content;
mod error;
pub mod event_kinds;
mod event_parser;
mod events;
mod exchange;
mod exclusive;
mod execution;
mod flow;
mod follow;
mod follow_stream;
mod fork;
mod frame_stream;
mod frames;
mod handshake;
mod history;
pub mod http;
mod http_date;
mod inbox;
mod input_lines;
mod items;
pub mod json;
mod known_events;
mod log;
mod logical_call;
mod member;
pub mod members;
pub mod messages;
mod mode;
mod node;
mod open_stream;
mod options;
mod pause;
mod pipeline;
#[doc(hidden)]
pub mod protojson;
mod random;
mod response;
mod retries;
mod session;
mod session_limits;
mod session_task;
mod shared_transport;
mod socket;
mod split;
pub mod stream;
mod transport;
pub mod types;
mod wait;

#[cfg(test)]
mod protojson_tests;
#[cfg(test)]
mod tests;

pub use builder::ClientBuilder;
pub use call::Call;
pub use client::Client;
pub use error::{Error, ErrorKind};
pub use events::{EventStream, Events};
pub use execution::Execution;
pub use flow::Flow;
pub use follow_stream::FollowStream;
pub use fork::Fork;
pub use frame_stream::FrameStream;
pub use history::{ExecutionEvent, ExecutionRecord, ExecutionStatus};
pub use inbox::{PauseStream, Pauses};
pub use mode::{Pipeline, Unary};
pub use node::Node;
pub use pause::{Decision, Pause, PauseStatus, ResumedPause};
pub use response::Response;
pub use session::{Session, SessionSender};
pub use session_limits::SessionLimits;
pub use split::{SplitStream, Upload};

/// Identifies this crate to the service.
const IDENTITY: &str = "acme-text/1.0.0 (rust; svc/0.0.0)";
