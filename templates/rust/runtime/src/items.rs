//! Streams whose first error is their last item.

use std::task::{Context, Poll, ready};

use futures::stream::{BoxStream, Stream, StreamExt};

use crate::error::Error;
use crate::exclusive::Exclusive;

/// A stream that ends after its first error and can be polled after its end. `None` means that it has ended.
pub struct Items<T>(Option<Exclusive<BoxStream<'static, Result<T, Error>>>>);

impl<T> Items<T> {
    pub fn new(items: impl Stream<Item = Result<T, Error>> + Send + 'static) -> Self {
        Self(Some(Exclusive::new(items.boxed())))
    }

    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        let Some(items) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let item = ready!(items.get_mut().poll_next_unpin(context));
        if !matches!(item, Some(Ok(_))) {
            self.0 = None;
        }
        Poll::Ready(item)
    }

    pub const fn is_over(&self) -> bool {
        self.0.is_none()
    }
}
