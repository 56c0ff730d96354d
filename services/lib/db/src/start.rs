//! The steps of a start that read or write rows.

use std::{future::Future, time::Duration};

use primitives::error::ErrorKind;
use tokio::time::{Instant, sleep};

use crate::Error;

/// The time for a step, as for a migration.
const TIMEOUT: Duration = Duration::from_mins(1);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs a step of a start, and repeats it for a minute while it gets no connection or takes too long. Requests give up
/// within two seconds; on a busy machine, on which all services open their connections at once, a start takes longer.
/// The step must be repeatable.
///
/// # Errors
/// The error of the step, when the time is over.
pub async fn at_start<T, F>(step: impl Fn() -> F) -> anyhow::Result<T>
where
    F: Future<Output = anyhow::Result<T>>,
{
    let give_up = Instant::now() + TIMEOUT;
    loop {
        let error = match step().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let error = error.downcast::<sqlx::Error>().map_or_else(|other| other, |error| Error::from(error).into());
        let kind = error.downcast_ref::<Error>().map(Error::kind);
        if !matches!(kind, Some(ErrorKind::Unavailable | ErrorKind::Timeout)) || Instant::now() > give_up {
            return Err(error);
        }
        tracing::info!(%error, "a step of the start is tried again");
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// The result of a step that fails `failures` times, and its attempts.
    async fn attempts(failures: u32, error: impl Fn() -> anyhow::Error) -> (anyhow::Result<()>, u32) {
        let count = AtomicU32::new(0);
        let step = || async { if count.fetch_add(1, Ordering::SeqCst) < failures { Err(error()) } else { Ok(()) } };
        (at_start(step).await, count.load(Ordering::SeqCst))
    }

    #[tokio::test(start_paused = true)]
    async fn a_step_without_a_connection_is_tried_again_for_a_minute() {
        let (result, count) = attempts(3, || sqlx::Error::PoolTimedOut.into()).await;
        assert_eq!((result.is_ok(), count), (true, 4));
        let (result, count) = attempts(3, || Error::from(sqlx::Error::PoolTimedOut).into()).await;
        assert_eq!((result.is_ok(), count), (true, 4));
        let begun = Instant::now();
        assert!(attempts(u32::MAX, || sqlx::Error::PoolTimedOut.into()).await.0.is_err());
        assert!(begun.elapsed() >= TIMEOUT && begun.elapsed() < TIMEOUT * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn any_other_error_ends_the_start() {
        let (result, count) = attempts(1, || sqlx::Error::RowNotFound.into()).await;
        assert_eq!((result.is_err(), count), (true, 1));
        let (result, count) = attempts(1, || anyhow::anyhow!("a setting is invalid")).await;
        assert_eq!((result.unwrap_err().to_string(), count), ("a setting is invalid".to_owned(), 1));
    }
}
