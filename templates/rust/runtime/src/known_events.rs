//! The events that a follower has given.

use std::collections::BTreeSet;

/// Number of ids that are kept. Those of events that happen at once may arrive out of order, but never that far.
const MOST_IDS: usize = 10_000;

/// Ids of the events that were given. They ascend over time, so that all that are not above the forgotten ones are known.
#[derive(Debug, Default)]
pub struct KnownEvents {
    pub latest: BTreeSet<String>,
    /// The highest id that is not kept.
    forgotten: Option<String>,
    count: u64,
}

impl KnownEvents {
    /// Adds an id. Returns `false` if it is known.
    pub fn add(&mut self, id: &str) -> bool {
        if self.has(id) {
            return false;
        }
        self.latest.insert(id.to_owned());
        if self.latest.len() > MOST_IDS {
            self.forgotten = self.latest.pop_first();
        }
        self.count += 1;
        true
    }

    /// Reports whether an id is known.
    pub fn has(&self, id: &str) -> bool {
        self.forgotten.as_deref() >= Some(id) || self.latest.contains(id)
    }

    /// Number of ids that were added.
    pub const fn count(&self) -> u64 {
        self.count
    }
}
