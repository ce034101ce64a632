//! Values that threads can share by reference, because nothing is accessible through the reference.

use std::sync::{Mutex, PoisonError};

/// A value that is accessible only through `&mut`, and is therefore `Sync` if it is `Send`. The mutex is never locked.
pub struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    pub const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
