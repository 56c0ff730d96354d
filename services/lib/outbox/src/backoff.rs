//! How long to rest before trying again: longer each time, never quite the same.

use std::time::Duration;

use aws_lc_rs::rand;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// The rests between attempts.
#[derive(Debug, Default)]
pub struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// The next rest: doubled from 50 ms up to 2 s, of which half is chance, so that those who failed together do not
    /// come back together.
    pub fn next_delay(&mut self) -> Duration {
        let whole = FIRST.saturating_mul(1 << self.attempts.min(10)).min(LONGEST);
        self.attempts += 1;
        jittered(whole)
    }

    /// It worked.
    pub fn reset(&mut self) {
        self.attempts = 0;
    }
}

/// Between half of `whole` and all of it.
pub fn jittered(whole: Duration) -> Duration {
    let mut chance = [0_u8];
    // Without randomness everybody rests the shortest time: no reason to fail.
    rand::fill(&mut chance).unwrap_or_default();
    whole / 2 + whole / 2 * u32::from(chance[0]) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_grow_to_a_limit_and_start_anew() {
        let mut backoff = Backoff::default();
        let first = backoff.next_delay();
        assert!((FIRST / 2..=FIRST).contains(&first), "{first:?}");
        let last = (0..40).map(|_| backoff.next_delay()).last().unwrap();
        assert!((LONGEST / 2..=LONGEST).contains(&last), "{last:?}");
        backoff.reset();
        assert!(backoff.next_delay() <= FIRST);
    }
}
