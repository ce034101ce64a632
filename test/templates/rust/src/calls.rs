//! One method per member.

use crate::{Call, Client, Error, Execution, members, messages};

impl Client {
    /// Splits a text into words.
    ///
    /// Node `Tokenize` of `acme/text`, version 1.2.0.
    pub fn tokenize(&self, input: &messages::TokenizeRequest) -> Call<messages::TokenizeResponse> {
        self.call(&members::TOKENIZE, input)
    }

    /// Summarises.
    pub fn summarize(&self, input: &messages::TokenizeRequest) -> Call<messages::Word> {
        self.run(&members::SUMMARIZE, input)
    }

    /// Starts.
    pub fn start_summarize(
        &self,
        input: &messages::TokenizeRequest,
    ) -> Call<Execution<messages::Word>> {
        self.start(&members::SUMMARIZE, input)
    }

    /// Finds.
    ///
    /// # Errors
    ///
    /// x
    pub fn summarize_execution(
        &self,
        execution_id: impl Into<String>,
    ) -> Result<Execution<messages::Word>, Error> {
        self.execution(&members::SUMMARIZE, execution_id)
    }

    /// Warms.
    pub fn warm_summarize(&self) -> Call<()> {
        self.warm(&members::SUMMARIZE)
    }
}
