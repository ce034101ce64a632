//! Runs that continue from a checkpoint of another one.

use serde_json::Value;

use crate::error::Error;
use crate::pause::Decision;

/// Configures how a run is forked. The default continues from the latest checkpoint, with the input that the pending node had.
#[derive(Clone, Debug, Default)]
pub struct Fork {
    checkpoint_id: Option<String>,
    input: Decision,
}

impl Fork {
    /// Continues from a checkpoint.
    #[must_use]
    pub fn checkpoint(mut self, id: impl Into<String>) -> Self {
        self.checkpoint_id = Some(id.into());
        self
    }

    /// Starts the pending node with another input, in one of the forms of a decision.
    #[must_use]
    pub fn input(mut self, input: Decision) -> Self {
        self.input = input;
        self
    }

    /// Returns the body of the request.
    pub(crate) fn body(self) -> Result<String, Error> {
        let mut members = Vec::new();
        if let Some(id) = self.checkpoint_id {
            members.push(format!("\"checkpoint_id\":{}", Value::from(id)));
        }
        if let Some(json) = self.input.value()? {
            let name = if json.starts_with('{') {
                "input"
            } else {
                "payload"
            };
            members.push(format!("\"{name}\":{json}"));
        }
        Ok(format!("{{{}}}", members.join(",")))
    }
}
