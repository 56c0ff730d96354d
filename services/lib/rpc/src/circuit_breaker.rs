//! Isolates callers from a failing upstream: a bulkhead and a circuit breaker.

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

/// The maximum of concurrent calls from one process to one upstream.
const IN_FLIGHT: usize = 64;
/// Consecutive failures that open the breaker.
const FAILURES: u32 = 10;
/// The time before one call may probe an open breaker.
const OPEN_FOR: Duration = Duration::from_secs(1);

/// The bulkhead and breaker of one upstream; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct CircuitBreaker {
    permits: Arc<Semaphore>,
    failures: Arc<AtomicU32>,
    /// Milliseconds since `origin` until which calls are refused; 0 when closed.
    open_until: Arc<AtomicU64>,
    origin: Instant,
}

impl CircuitBreaker {
    pub(crate) fn new() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(IN_FLIGHT)),
            failures: Arc::default(),
            open_until: Arc::default(),
            origin: Instant::now(),
        }
    }

    /// A permit for one call, or the reason for refusing it.
    pub(crate) fn acquire(&self) -> Result<OwnedSemaphorePermit, Status> {
        let now = self.elapsed();
        let until = self.open_until.load(Ordering::Relaxed);
        if until != 0 {
            // Of all callers after the pause, one advances the mark and probes; the others are refused.
            let next = now + millis(OPEN_FOR);
            let probes = now >= until
                && self.open_until.compare_exchange(until, next, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if !probes {
                refused("breaker");
                return Err(new_status(
                    ErrorKind::Unavailable,
                    "BREAKER_OPEN",
                    "Portia is busy at the moment. Please try again.",
                ));
            }
        }
        Arc::clone(&self.permits).try_acquire_owned().map_err(|_| {
            refused("bulkhead");
            new_status(ErrorKind::Unavailable, "BULKHEAD_FULL", "Portia is busy at the moment. Please try again.")
        })
    }

    /// Records the result of a call.
    pub(crate) fn record(&self, code: Code) {
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

/// The metrics of the upstream do not contain refusals of the caller.
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
    async fn a_breaker_opens_probes_once_and_closes() {
        let breaker = CircuitBreaker::new();
        for _ in 0..FAILURES {
            assert!(breaker.acquire().is_ok());
            breaker.record(Code::Unavailable);
        }
        assert!(breaker.acquire().is_err(), "open");
        tokio::time::advance(OPEN_FOR + Duration::from_millis(2)).await;
        assert!(breaker.acquire().is_ok(), "one call may probe");
        assert!(breaker.acquire().is_err(), "the others are refused until its result");
        breaker.record(Code::NotFound);
        assert!(breaker.acquire().is_ok(), "any response closes it");
    }

    #[test]
    fn an_upstream_gets_a_bounded_number_of_calls() {
        let breaker = CircuitBreaker::new();
        let held: Vec<_> = (0..IN_FLIGHT).map(|_| breaker.acquire().unwrap()).collect();
        assert!(breaker.acquire().is_err());
        drop(held);
        assert!(breaker.acquire().is_ok());
    }
}
