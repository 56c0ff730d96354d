//! The security log of a service: calls of other processes that it refuses.

use std::{sync::Mutex, time::Duration};

use primitives::error::{ErrorKind, new_status};
use tokio::time::Instant;
use tonic::Status;

/// The most lines in a [`WINDOW`]: a process with the wrong keys repeats its calls.
const MAX_LINES: u32 = 60;
const WINDOW: Duration = Duration::from_secs(60);

/// Why a call ends before its method.
#[derive(Debug)]
pub(crate) struct Refusal {
    kind: ErrorKind,
    reason: &'static str,
    message: &'static str,
    /// The process that the token names.
    process: Option<String>,
}

impl Refusal {
    /// No valid token of a process or a member.
    pub(crate) fn without_token(process: Option<&str>) -> Self {
        Self {
            kind: ErrorKind::Unauthenticated,
            reason: "NO_TOKEN",
            message: "Sign in required",
            process: process.map(str::to_owned),
        }
    }

    /// A verified process that may not make this call.
    pub(crate) fn of(process: &str, reason: &'static str) -> Self {
        Self {
            kind: ErrorKind::Forbidden,
            reason,
            message: "This call is not open to you.",
            process: Some(process.to_owned()),
        }
    }
}

/// Writes refusals, as far as the volume permits.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Mutex<Option<Window>>);

#[derive(Debug)]
struct Window {
    begun: Instant,
    lines: u32,
    omitted: u64,
}

impl RefusalLog {
    /// Writes the refusal of a call of `path`, and returns the response.
    pub(crate) fn record(&self, service: &'static str, path: &str, refusal: &Refusal) -> Status {
        if let Some(omitted) = self.admits() {
            let (_, method) = telemetry::rpc_names(path);
            tracing::info!(
                target: "security",
                service,
                method,
                process = refusal.process,
                reason = refusal.reason,
                omitted,
                "call refused"
            );
        }
        new_status(refusal.kind, refusal.reason, refusal.message)
    }

    /// The number of lines left out before the next one; `None` if that is left out too.
    fn admits(&self) -> Option<u64> {
        let mut window = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        let omitted = window.as_ref().map_or(0, |window| window.omitted);
        match window.as_mut() {
            Some(window) if now < window.begun + WINDOW => {
                if window.lines == MAX_LINES {
                    window.omitted += 1;
                    return None;
                }
                window.lines += 1;
                window.omitted = 0;
            }
            _ => *window = Some(Window { begun: now, lines: 1, omitted: 0 }),
        }
        Some(omitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_counted_and_not_written() {
        let log = RefusalLog::default();
        for _ in 0..MAX_LINES {
            assert_eq!(log.admits(), Some(0));
        }
        assert_eq!((log.admits(), log.admits()), (None, None));
        tokio::time::advance(WINDOW).await;
        assert_eq!((log.admits(), log.admits()), (Some(2), Some(0)));
    }
}
