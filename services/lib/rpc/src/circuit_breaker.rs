//! What keeps one failing neighbour from taking its callers down: a bulkhead and a breaker.

use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicU64, Ordering},
};
use std::time::Duration;

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use tonic::{Code, Status};

use primitives::error::{ErrorKind, new_status};

/// Calls one process has under way to one neighbour at most.
const IN_FLIGHT: usize = 64;
/// Failures in a row that open the breaker.
const FAILURES: u32 = 10;
/// How long it stays open before one call may try again.
const OPEN_FOR: Duration = Duration::from_secs(1);

/// One neighbour's guard; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct CircuitBreaker {
    slots: Arc<Semaphore>,
    failures: Arc<AtomicU32>,
    /// Milliseconds since `origin` until which calls are refused; 0 when closed.
    open_until: Arc<AtomicU64>,
    origin: Instant,
}

impl CircuitBreaker {
    pub(crate) fn new() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(IN_FLIGHT)),
            failures: Arc::default(),
            open_until: Arc::default(),
            origin: Instant::now(),
        }
    }

    /// A place for one call, or why there is none.
    pub(crate) fn enter(&self) -> Result<OwnedSemaphorePermit, Status> {
        let now = self.elapsed();
        let until = self.open_until.load(Ordering::Relaxed);
        if until != 0 {
            // Of all callers that come after the pause, one moves the mark and tries; the others are refused on.
            let next = now + millis(OPEN_FOR);
            let tries = now >= until
                && self.open_until.compare_exchange(until, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if !tries {
                refused("breaker");
                return Err(new_status(
                    ErrorKind::Unavailable,
                    "BREAKER_OPEN",
                    "Portia is busy at the moment. Please try again.",
                ));
            }
        }
        Arc::clone(&self.slots).try_acquire_owned().map_err(|_| {
            refused("bulkhead");
            new_status(ErrorKind::Unavailable, "BULKHEAD_FULL", "Portia is busy at the moment. Please try again.")
        })
    }

    /// Notes how a call ended.
    pub(crate) fn ended(&self, code: Code) {
        if matches!(code, Code::Unavailable | Code::DeadlineExceeded) {
            if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= FAILURES {
                self.open_until.store(self.elapsed() + millis(OPEN_FOR), Ordering::Relaxed);
            }
        } else {
            self.failures.store(0, Ordering::Relaxed);
            self.open_until.store(0, Ordering::Relaxed);
        }
    }

    fn elapsed(&self) -> u64 {
        // Never 0, which means closed.
        millis(self.origin.elapsed()) + 1
    }
}

/// Refusals on this side never reach the neighbour's own metrics.
fn refused(by: &'static str) {
    metrics::counter!("rpc_client_refused_total", "by" => by).increment(1);
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_breaker_opens_tries_once_and_closes() {
        let guard = CircuitBreaker::new();
        for _ in 0..FAILURES {
            assert!(guard.enter().is_ok());
            guard.ended(Code::Unavailable);
        }
        assert!(guard.enter().is_err(), "open");
        tokio::time::advance(OPEN_FOR + Duration::from_millis(2)).await;
        assert!(guard.enter().is_ok(), "one may try");
        assert!(guard.enter().is_err(), "the others wait for its result");
        guard.ended(Code::NotFound);
        assert!(guard.enter().is_ok(), "an answer of any kind closes it");
    }

    #[test]
    fn a_neighbour_gets_no_more_than_its_share() {
        let guard = CircuitBreaker::new();
        let held: Vec<_> = (0..IN_FLIGHT).map(|_| guard.enter().unwrap()).collect();
        assert!(guard.enter().is_err());
        drop(held);
        assert!(guard.enter().is_ok());
    }
}
