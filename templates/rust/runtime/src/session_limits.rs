//! Limits of live sessions.

use std::time::Duration;

use serde_json::Value;

/// Limits of a live session. A limit that the service did not state is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// Bytes of one message.
    pub input_message_bytes: Option<u64>,
    /// Bytes of all messages together.
    pub input_bytes: Option<u64>,
    /// Number of messages.
    pub input_messages: Option<u64>,
    /// Bytes of the output.
    pub output_bytes: Option<u64>,
    /// Maximum duration of the session.
    pub duration: Option<Duration>,
    /// Time within which each message of the service must be received.
    pub stall: Option<Duration>,
}

impl SessionLimits {
    /// Reads the limits from the first message of the service.
    pub(crate) fn read(fields: &Value) -> Self {
        let number = |name: &str| fields.get("limits")?.get(name)?.as_u64();
        Self {
            input_message_bytes: number("input_frame_bytes"),
            input_bytes: number("input_bytes"),
            input_messages: number("input_frames"),
            output_bytes: number("output_bytes"),
            duration: number("session_seconds").map(Duration::from_secs),
            stall: number("stall_seconds").map(Duration::from_secs),
        }
    }
}
