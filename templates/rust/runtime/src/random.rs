//! Randomness, by what the standard library seeds its hash maps with.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Each state has keys of its own, the first of a thread from the operating system.
fn random_bits() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A number from 0 up to, but not including, 1.
pub fn random_fraction() -> f64 {
    // A double holds 53 bits exactly.
    (random_bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// 32 hexadecimal digits that nobody else has.
pub fn random_id() -> String {
    format!("{:016x}{:016x}", random_bits(), random_bits())
}
