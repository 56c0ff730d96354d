//! Restarts the private Postgres when it ends by itself.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portia_postgres::{Result, Running};

/// The interval at which the process of Postgres is observed.
const INTERVAL: Duration = Duration::from_millis(100);
/// The delay between two restarts, which doubles up to the longest: a full disk needs the operator.
const FIRST_DELAY: Duration = Duration::from_millis(500);
const LONGEST_DELAY: Duration = Duration::from_secs(15);
/// A server that ran for this time had recovered.
const STABLE_AFTER: Duration = Duration::from_mins(1);

/// A server with the thread that observes it. Dropping it stops both.
#[derive(Debug)]
pub(super) struct Supervisor {
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct State {
    /// `None` when the server is to stay stopped.
    server: Mutex<Option<Running>>,
    stopped: Condvar,
    /// Gives up a restart, which holds the lock.
    cancelled: Arc<AtomicBool>,
}

impl Supervisor {
    /// Observes a running server. A thread, because its start and its stop block.
    pub(super) fn start(server: Running) -> Self {
        let cancelled = server.cancellation();
        let state = Arc::new(State { server: Mutex::new(Some(server)), stopped: Condvar::new(), cancelled });
        let observed = Arc::clone(&state);
        Self { state, thread: Some(thread::spawn(move || observed.observe())) }
    }

    /// Stops the server.
    pub(super) fn stop(mut self) -> Result<()> {
        self.end()
    }

    fn end(&mut self) -> Result<()> {
        self.state.cancelled.store(true, Ordering::Relaxed);
        let server = self.state.lock().take();
        self.state.stopped.notify_all();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the supervisor of the database panicked");
        }
        server.map_or(Ok(()), Running::stop)
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // `stop` returns the error; here the next start stops a server that still runs.
        self.end().ok();
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn observe(&self) {
        let mut backoff = Backoff::default();
        let mut server = self.lock();
        while let Some(running) = server.as_mut() {
            let pause = match running.has_ended() {
                Ok(false) => {
                    backoff.reset_if_stable();
                    INTERVAL
                }
                Ok(true) => backoff.left().unwrap_or_else(|| {
                    restart(running);
                    backoff.increase();
                    INTERVAL
                }),
                Err(error) => {
                    tracing::error!(%error, "the database cannot be observed");
                    LONGEST_DELAY
                }
            };
            server = self.stopped.wait_timeout(server, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn restart(server: &mut Running) {
    tracing::error!(reason = server.last_error(), "the database ended; restarting it");
    match server.restart() {
        Ok(()) => tracing::warn!("the database was restarted and has recovered"),
        Err(error) => tracing::error!(%error, "the database cannot be restarted; trying again"),
    }
}

/// The delays between restarts. The first one is immediate.
#[derive(Debug, Default)]
struct Backoff {
    /// The last attempt, and the delay after it.
    last: Option<(Instant, Duration)>,
}

impl Backoff {
    /// The time until the next attempt; `None` when it is due.
    fn left(&self) -> Option<Duration> {
        let (at, delay) = self.last?;
        delay.checked_sub(at.elapsed()).filter(|left| !left.is_zero())
    }

    fn increase(&mut self) {
        let delay = self.last.map_or(FIRST_DELAY, |(_, delay)| (delay * 2).min(LONGEST_DELAY));
        self.last = Some((Instant::now(), delay));
    }

    fn reset_if_stable(&mut self) {
        if self.last.is_some_and(|(at, _)| at.elapsed() > STABLE_AFTER) {
            self.last = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.left(), None, "the first restart is immediate");
        let delays: Vec<Duration> = (0..8)
            .map(|_| {
                backoff.increase();
                backoff.last.unwrap().1
            })
            .collect();
        assert_eq!((delays[0], delays[1], delays[7]), (FIRST_DELAY, FIRST_DELAY * 2, LONGEST_DELAY));
        assert!(backoff.left().is_some());
        backoff.reset_if_stable();
        assert!(backoff.left().is_some(), "it has not run for long");
    }
}
