//! How often background tasks look for work: every second or so while something happens, rarely in an idle process. Seven idle
//! services made 32 transactions a second.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout},
};

/// Work that is found late, such as the second step of an erasure, follows an event within this time.
const ACTIVE_FOR: Duration = Duration::from_secs(30);
/// The interval of an idle process, for work that time alone makes due, and for work that another replica left.
const IDLE_INTERVAL: Duration = Duration::from_secs(15);

/// The last event of a process: a published fact of its service, or the effect of one of another service. Clones share it.
#[derive(Clone, Debug)]
pub struct Activity(Arc<watch::Sender<Instant>>);

impl Default for Activity {
    /// The start counts as an event.
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Instant::now())))
    }
}

impl Activity {
    /// Records an event, after its commit.
    pub fn record(&self) {
        self.0.send_replace(Instant::now());
    }

    /// Waits until a task should look for work again: for `interval`, and then for an event unless there was one recently. An idle
    /// wait takes 15 s at most.
    pub async fn pause(&self, interval: Duration) {
        let mut last = self.0.subscribe();
        sleep(interval).await;
        let event = async { last.wait_for(|last| last.elapsed() < ACTIVE_FOR).await.map(drop) };
        // The sender lives as long as `self`.
        timeout(IDLE_INTERVAL.saturating_sub(interval), event).await.ok();
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn an_active_process_looks_at_every_interval_and_an_idle_one_rarely() {
        let activity = Activity::default();
        let waited = async || {
            let start = Instant::now();
            activity.pause(INTERVAL).await;
            start.elapsed()
        };
        assert_eq!(waited().await, INTERVAL);
        advance(ACTIVE_FOR).await;
        assert_eq!(waited().await, IDLE_INTERVAL);
        activity.record();
        assert_eq!(waited().await, INTERVAL);
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_ends_an_idle_wait() {
        let activity = Activity::default();
        advance(ACTIVE_FOR).await;
        let start = Instant::now();
        let record = async {
            sleep(Duration::from_secs(7)).await;
            activity.record();
        };
        tokio::join!(activity.pause(INTERVAL), record);
        assert_eq!(start.elapsed(), Duration::from_secs(7));
    }
}
