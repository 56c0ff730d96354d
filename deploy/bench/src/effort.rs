//! How long a measurement takes.

use std::time::Duration;

/// How long the parts of a measurement take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seconds per route in total.
    pub seconds: f64,
    /// How long each route runs before the measurement.
    pub warm_up: Duration,
    /// A period without requests, to measure the idle cost.
    pub idle: Duration,
    /// The number of messages with a measured delay.
    pub messages: u32,
    /// The number of deleted posts with a picture. The gateway keeps an answer about each for up to two seconds.
    pub pictures: u32,
    /// The number of rounds; the tables show their median.
    pub rounds: u32,
    /// The longest wait for the work after the responses of a turn.
    pub settle_timeout: Duration,
}

impl Effort {
    /// Returns the effort of a measurement with comparable numbers.
    #[must_use]
    pub const fn regular(seconds: f64) -> Self {
        Self {
            seconds,
            warm_up: Duration::from_secs(1),
            idle: Duration::from_secs(5),
            messages: 1_000,
            pictures: 10,
            rounds: 7,
            settle_timeout: Duration::from_secs(5),
        }
    }
}
