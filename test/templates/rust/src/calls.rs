//! One method per member.

use crate::stream::Inputs;
use crate::{Call, Client, Error, Execution, FrameStream, Session, SplitStream, members, messages};

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

    /// Splits a text into words.
    pub fn split(&self, input: &messages::TokenizeRequest) -> FrameStream<messages::Word> {
        self.stream_node(&members::SPLIT, input)
    }

    /// Splits texts into words.
    pub fn upload_split(
        &self,
        inputs: impl Inputs<messages::TokenizeRequest>,
    ) -> FrameStream<messages::Word> {
        self.upload(&members::SPLIT, inputs)
    }

    /// Creates.
    pub fn create_split_stream(
        &self,
    ) -> Call<SplitStream<messages::TokenizeRequest, messages::Word>> {
        self.create_stream(&members::SPLIT)
    }

    /// Finds.
    ///
    /// # Errors
    ///
    /// x
    pub fn split_stream(
        &self,
        stream_id: impl Into<String>,
    ) -> Result<SplitStream<messages::TokenizeRequest, messages::Word>, Error> {
        self.find_stream(&members::SPLIT, stream_id)
    }

    /// Opens.
    pub fn open_split(&self) -> Call<Session<messages::TokenizeRequest, messages::Word>> {
        self.open_session(&members::SPLIT)
    }

    /// Writes.
    pub fn write(&self, input: &messages::TokenizeRequest) -> FrameStream<messages::Word> {
        self.stream_flow(&members::WRITE, input)
    }
}
