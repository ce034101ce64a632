//! Random numbers from the seeds of the standard library's hash maps.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// Returns random bits. Each hasher state has unique keys, seeded by the operating system.
fn random_bits() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Returns a number in the range `0.0..1.0`.
pub fn random_fraction() -> f64 {
    // A double represents 53 bits exactly.
    (random_bits() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns a delay between half of `longest` and `longest`, so that clients that began together drift apart.
pub fn random_delay(longest: Duration) -> Duration {
    longest.mul_f64(0.5 + random_fraction() / 2.0)
}

/// Returns a unique id of 32 hexadecimal digits.
pub fn random_id() -> String {
    format!("{:016x}{:016x}", random_bits(), random_bits())
}
