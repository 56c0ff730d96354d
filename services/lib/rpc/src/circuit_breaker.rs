//! Isolates callers from a failing endpoint of an upstream: a bulkhead, a circuit breaker, and the ejection of an
//! endpoint that does not connect.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU32, AtomicU64, Ordering},
};
use std::time::Duration;

use http::Response;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use tonic::{Code, Status};

use primitives::error::{ErrorKind, NOT_WRITABLE, StatusDetails, new_status};

/// The maximum of concurrent calls from one process to one endpoint.
const IN_FLIGHT: usize = 64;
/// Consecutive failures that open the breaker.
const FAILURES: u32 = 10;
/// The time before one call may probe an open breaker.
const OPEN_FOR: Duration = Duration::from_secs(1);
/// The time before one call may try an ejected endpoint: doubled with each failure, up to the longest.
const EJECTED_FOR: Duration = Duration::from_secs(1);
const LONGEST_EJECTION: Duration = Duration::from_secs(8);

/// The bulkhead and breaker of one endpoint; clones share it.
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

    /// The number of running calls.
    pub(crate) fn in_flight(&self) -> usize {
        IN_FLIGHT - self.permits.available_permits()
    }

    fn elapsed(&self) -> u64 {
        // Never 0, which means closed.
        millis(self.origin.elapsed()) + 1
    }
}

/// Whether an endpoint gets calls while there are others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Admission {
    /// Only when every other one fails.
    Ejected,
    /// Yes.
    Healthy,
    /// This call finds out whether it connects again.
    Probe,
}

/// The ejection of an endpoint whose connection failed. Such a call fails within a millisecond, so the endpoint would always have
/// the lowest load.
#[derive(Debug, Default)]
pub(crate) struct Ejection(Mutex<Option<Ejected>>);

#[derive(Clone, Copy, Debug)]
struct Ejected {
    until: Instant,
    period: Duration,
    /// A call probes since the end of the period.
    probed: bool,
}

impl Ejection {
    /// Whether the next call may use the endpoint. After the ejection one caller probes; the others wait for its result.
    pub(crate) fn admission(&self) -> Admission {
        let mut ejected = self.lock();
        match ejected.as_mut() {
            None => Admission::Healthy,
            Some(ejected) if Instant::now() < ejected.until => Admission::Ejected,
            Some(ejected) => {
                ejected.until = Instant::now() + ejected.period;
                ejected.probed = true;
                Admission::Probe
            }
        }
    }

    /// The connection failed: also for calls that were sent before, which do not prolong the ejection.
    pub(crate) fn eject(&self) {
        let mut ejected = self.lock();
        let period = match *ejected {
            None => EJECTED_FOR,
            Some(Ejected { probed: false, .. }) => return,
            Some(Ejected { period, .. }) => (period * 2).min(LONGEST_EJECTION),
        };
        *ejected = Some(Ejected { until: Instant::now() + period, period, probed: false });
    }

    /// The endpoint responded.
    pub(crate) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Ejected>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The code that counts for the breaker. A service whose database cannot write still answers reads, which no breaker may refuse.
pub(crate) fn code_of<B>(result: &Result<Response<B>, Status>) -> Code {
    let from_headers;
    let status = match result {
        // An error without a body is in the headers. Any other response counts as a success here.
        Ok(response) => {
            from_headers = Status::from_header_map(response.headers());
            from_headers.as_ref()
        }
        Err(status) => Some(status),
    };
    match status {
        Some(status) if status.code() == Code::Unavailable && StatusDetails::from(status).reason == NOT_WRITABLE => {
            Code::Ok
        }
        Some(status) => status.code(),
        None => Code::Ok,
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
    fn a_database_that_cannot_write_does_not_open_the_breaker() {
        let breaker = CircuitBreaker::new();
        for reason in ["DATABASE_UNAVAILABLE", NOT_WRITABLE] {
            let status = new_status(ErrorKind::Unavailable, reason, "Portia is busy at the moment.");
            let answered: Result<Response<()>, Status> = Ok(status.into_http());
            for _ in 0..FAILURES {
                breaker.record(code_of(&answered));
            }
            assert_eq!(breaker.acquire().is_ok(), reason == NOT_WRITABLE, "{reason}");
            breaker.record(Code::Ok);
        }
        assert_eq!(code_of::<()>(&Err(Status::unavailable("not connected"))), Code::Unavailable);
    }

    #[tokio::test(start_paused = true)]
    async fn an_ejected_endpoint_is_probed_by_one_call_after_a_growing_time() {
        let ejection = Ejection::default();
        assert_eq!(ejection.admission(), Admission::Healthy);
        for period in [1, 2, 4, 8, 8] {
            ejection.eject();
            ejection.eject();
            tokio::time::advance(Duration::from_secs(period) - Duration::from_millis(1)).await;
            assert_eq!(ejection.admission(), Admission::Ejected, "after {period} s");
            tokio::time::advance(Duration::from_millis(2)).await;
            assert_eq!(ejection.admission(), Admission::Probe, "after {period} s");
            assert_eq!(ejection.admission(), Admission::Ejected, "one call only");
        }
        ejection.clear();
        assert_eq!(ejection.admission(), Admission::Healthy);
    }

    #[test]
    fn an_endpoint_gets_a_bounded_number_of_calls() {
        let breaker = CircuitBreaker::new();
        let held: Vec<_> = (0..IN_FLIGHT).map(|_| breaker.acquire().unwrap()).collect();
        assert!(breaker.acquire().is_err());
        assert_eq!(breaker.in_flight(), IN_FLIGHT);
        drop(held);
        assert!(breaker.acquire().is_ok());
    }
}
