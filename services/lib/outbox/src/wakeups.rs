//! How a sequencer learns of facts that its own process published.
//!
//! A NOTIFY wakes the sequencers of all services in the database, and its commit waits for those of all other notifying
//! transactions. So a process with a sequencer notifies at most once in [`GATHERING`]. Of the other facts the sequencer knows only
//! that they will be committed soon: it looks for them after the same time, and then in growing intervals.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// After numbering, the facts of this time are numbered together: a fact that is alone does not wait.
pub(super) const GATHERING: Duration = Duration::from_millis(20);
/// The number of looks without a fact after which the poll is left to find the rest, 620 ms after the first one: a transaction was
/// rolled back, another replica numbered the fact, or the commit takes long.
const MAX_LOOKS: u32 = 5;

/// The facts of one process, shared by those who publish and the sequencer.
#[derive(Debug, Default)]
pub(super) struct Wakeups {
    sequencers: AtomicUsize,
    notified_at: Mutex<Option<Instant>>,
    /// Published facts that the sequencer has not numbered, including those of transactions that were rolled back.
    unseen: AtomicU64,
    published: Notify,
}

impl Wakeups {
    /// Records facts that a transaction publishes. Returns whether it must notify the sequencers.
    pub fn publish(&self, facts: usize) -> bool {
        self.unseen.fetch_add(u64::try_from(facts).unwrap_or_default(), Ordering::Relaxed);
        if self.sequencers.load(Ordering::Acquire) == 0 || self.is_due(Instant::now()) {
            return true;
        }
        self.published.notify_one();
        false
    }

    fn is_due(&self, now: Instant) -> bool {
        let mut notified_at = self.notified_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = notified_at.is_none_or(|at| now.duration_since(at) >= GATHERING);
        if is_due {
            *notified_at = Some(now);
        }
        is_due
    }

    /// Facts are published without NOTIFY while this exists.
    pub fn sequencer(&self) -> SequencerGuard<'_> {
        self.sequencers.fetch_add(1, Ordering::Release);
        SequencerGuard(self)
    }

    /// Waits for a fact without NOTIFY.
    pub async fn published(&self) {
        self.published.notified().await;
    }
}

/// A sequencer that runs in this process.
pub(super) struct SequencerGuard<'a>(&'a Wakeups);

impl Drop for SequencerGuard<'_> {
    fn drop(&mut self) {
        self.0.sequencers.fetch_sub(1, Ordering::Release);
    }
}

/// When a sequencer looks for facts without NOTIFY.
#[derive(Debug)]
pub(super) struct Looks<'a> {
    wakeups: &'a Wakeups,
    at: Option<Instant>,
    /// Looks without a fact since the last one with facts.
    empty: u32,
}

impl<'a> Looks<'a> {
    pub fn new(wakeups: &'a Wakeups) -> Self {
        Self { wakeups, at: None, empty: 0 }
    }

    /// A fact was published without NOTIFY.
    pub fn schedule(&mut self) {
        self.empty = 0;
        self.at.get_or_insert_with(|| Instant::now() + GATHERING);
    }

    /// The sequencer has looked, and numbered so many facts.
    pub fn looked(&mut self, numbered: u64) {
        let seen = |unseen: u64| Some(unseen.saturating_sub(numbered));
        let before = self.wakeups.unseen.fetch_update(Ordering::Relaxed, Ordering::Relaxed, seen).unwrap_or_default();
        self.empty = if numbered > 0 { 0 } else { self.empty + 1 };
        self.at = if before <= numbered {
            None
        } else if self.empty < MAX_LOOKS {
            Some(Instant::now() + GATHERING * (1 << self.empty))
        } else {
            self.wakeups.unseen.store(0, Ordering::Relaxed);
            None
        };
    }

    /// Waits until it is time for the next look.
    pub async fn due(&self) {
        match self.at {
            Some(at) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, timeout};

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    async fn is_due(looks: &Looks<'_>) -> bool {
        timeout(LONG, looks.due()).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_notifies_once_while_facts_are_gathered() {
        let wakeups = Wakeups::default();
        assert!(wakeups.publish(1) && wakeups.publish(1), "no sequencer runs in this process");
        let sequencer = wakeups.sequencer();
        assert!(wakeups.publish(1));
        assert!(!wakeups.publish(1) && !wakeups.publish(3));
        wakeups.published().await;
        advance(GATHERING).await;
        assert!(wakeups.publish(1));
        drop(sequencer);
        assert!(wakeups.publish(1));
    }

    #[tokio::test(start_paused = true)]
    async fn looks_end_when_all_facts_are_numbered() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(3);
        assert!(!is_due(&looks).await, "the NOTIFY tells when they are committed");
        looks.schedule();
        let before = Instant::now();
        assert!(is_due(&looks).await);
        assert_eq!(before.elapsed(), GATHERING);
        looks.looked(2);
        assert!(is_due(&looks).await, "one is not committed");
        looks.looked(1);
        assert!(!is_due(&looks).await);
        // Facts of other processes do not count against its own.
        looks.looked(5);
        wakeups.publish(1);
        looks.looked(0);
        assert!(is_due(&looks).await);
    }

    #[tokio::test(start_paused = true)]
    async fn looks_for_a_fact_that_does_not_come_grow_rare_and_end() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(1);
        looks.schedule();
        let before = Instant::now();
        let mut times = Vec::new();
        while is_due(&looks).await {
            times.push(before.elapsed() / u32::try_from(GATHERING.as_millis()).unwrap());
            looks.looked(0);
        }
        assert_eq!(times.iter().map(Duration::as_millis).collect::<Vec<_>>(), [1, 3, 7, 15, 31]);
        assert_eq!(wakeups.unseen.load(Ordering::Relaxed), 0);
    }
}
