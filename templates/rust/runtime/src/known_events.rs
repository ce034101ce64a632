//! The events that a follower has returned.

use std::collections::BTreeSet;

/// The number of ids that are kept. Events that happen at the same time may arrive out of order, but never by this many.
const MOST_IDS: usize = 10_000;

/// The ids of the events that were returned. Ids ascend over time, so all ids up to the highest forgotten one count as known.
#[derive(Debug, Default)]
pub struct KnownEvents {
    pub latest: BTreeSet<String>,
    /// The highest id that is not kept.
    forgotten: Option<String>,
    count: u64,
}

impl KnownEvents {
    /// Adds an id. Returns `false` if it is already known.
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

    /// Returns the number of ids that were added.
    pub const fn count(&self) -> u64 {
        self.count
    }
}
