//! Exponential backoff with jitter.

use std::time::Duration;

use aws_lc_rs::rand;

const INITIAL: Duration = Duration::from_millis(50);
const MAX: Duration = Duration::from_secs(2);

/// The delays between attempts.
#[derive(Debug, Default)]
pub struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// The next delay: doubled from 50 ms up to 2 s. Half of it is random, so that concurrent failures do not retry
    /// together.
    pub fn next_delay(&mut self) -> Duration {
        let whole = INITIAL.saturating_mul(1 << self.attempts.min(10)).min(MAX);
        self.attempts += 1;
        jittered(whole)
    }

    /// Starts again after a success.
    pub fn reset(&mut self) {
        self.attempts = 0;
    }
}

/// Between half of `whole` and all of it.
pub fn jittered(whole: Duration) -> Duration {
    let mut random = [0_u8];
    // Without randomness every delay is the shortest one.
    rand::fill(&mut random).unwrap_or_default();
    whole / 2 + whole / 2 * u32::from(random[0]) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_a_limit_and_reset() {
        let mut backoff = Backoff::default();
        let first = backoff.next_delay();
        assert!((INITIAL / 2..=INITIAL).contains(&first), "{first:?}");
        let last = (0..40).map(|_| backoff.next_delay()).last().unwrap();
        assert!((MAX / 2..=MAX).contains(&last), "{last:?}");
        backoff.reset();
        assert!(backoff.next_delay() <= INITIAL);
    }
}
