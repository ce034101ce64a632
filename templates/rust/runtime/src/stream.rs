//! Streamed input: messages that are sent while they are produced.

pub use futures::stream::Stream;

use futures::stream;

use crate::box_error::BoxError;
use crate::protojson::ProtoJson;

/// An item of streamed input: a message `I`, or a `Result` of one. The first error ends the request, and is the cause of the
/// error of the call.
pub trait Input<I> {
    /// Returns the message, or the error that prevented it.
    ///
    /// # Errors
    ///
    /// The item is an error.
    fn into_message(self) -> Result<I, BoxError>;
}

impl<I: ProtoJson> Input<I> for I {
    fn into_message(self) -> Result<I, BoxError> {
        Ok(self)
    }
}

impl<I: ProtoJson, E: Into<BoxError>> Input<I> for Result<I, E> {
    fn into_message(self) -> Result<I, BoxError> {
        self.map_err(Into::into)
    }
}

/// Streamed input of messages `I`: any stream of them, or of results with them.
pub trait Inputs<I>: Stream<Item: Input<I>> + Send + 'static {}

impl<I, S: Stream<Item: Input<I>> + Send + 'static> Inputs<I> for S {}

/// Returns the items of an iterator as a stream, for example the messages of a `Vec`. The iterator is read as its messages are
/// sent and must not block.
pub fn iter<I>(items: I) -> impl Stream<Item = I::Item> + Send + Unpin + use<I>
where
    I: IntoIterator<IntoIter: Send>,
{
    stream::iter(items)
}
