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

    /// The time until the next look, in units of [`GATHERING`], or none when there will be none.
    async fn next(looks: &Looks<'_>) -> Option<u32> {
        let before = Instant::now();
        timeout(LONG, looks.due()).await.ok()?;
        let waited = before.elapsed().as_millis() / GATHERING.as_millis();
        Some(u32::try_from(waited).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_notifies_once_while_facts_are_gathered() {
        let wakeups = Wakeups::default();
        assert!(wakeups.publish(1) && wakeups.publish(1), "no sequencer runs in this process");
        let sequencer = wakeups.sequencer();
        assert!(wakeups.publish(1));
        assert!(!wakeups.publish(1) && !wakeups.publish(3));
        assert!(timeout(LONG, wakeups.published()).await.is_ok());
        assert!(timeout(LONG, wakeups.published()).await.is_err(), "one signal for all of them");
        assert!(wakeups.publish(1));
        assert!(timeout(LONG, wakeups.published()).await.is_err(), "the NOTIFY wakes the sequencer");
        assert!(wakeups.publish(1), "that was long ago");
        advance(GATHERING - Duration::from_millis(1)).await;
        assert!(!wakeups.publish(1));
        advance(Duration::from_millis(1)).await;
        assert!(wakeups.publish(1));
        drop(sequencer);
        assert!(wakeups.publish(1) && wakeups.publish(1));
    }

    #[tokio::test(start_paused = true)]
    async fn looks_end_when_all_facts_are_numbered() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(3);
        assert_eq!(next(&looks).await, None, "the NOTIFY tells when they are committed");
        looks.schedule();
        assert_eq!(next(&looks).await, Some(1));
        looks.looked(1);
        assert_eq!(next(&looks).await, Some(1), "two are not committed");
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(2));
        looks.looked(1);
        assert_eq!(next(&looks).await, Some(1), "one is not committed, and the other has just been");
        looks.looked(1);
        assert_eq!(next(&looks).await, None, "all are numbered");
    }

    #[tokio::test(start_paused = true)]
    async fn facts_of_other_processes_do_not_count_against_its_own() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        looks.looked(5);
        assert_eq!(wakeups.unseen.load(Ordering::Relaxed), 0);
        wakeups.publish(1);
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(2), "its own is not numbered");
        looks.looked(1);
        assert_eq!(next(&looks).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_further_fact_neither_postpones_the_next_look_nor_waits_as_long_as_an_earlier_one() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(1);
        looks.schedule();
        advance(GATHERING / 2).await;
        wakeups.publish(1);
        looks.schedule();
        let before = Instant::now();
        looks.due().await;
        assert_eq!(before.elapsed(), GATHERING / 2);
        looks.looked(0);
        looks.looked(0);
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(8));
        wakeups.publish(1);
        looks.schedule();
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(2), "the intervals begin again");
    }

    #[tokio::test(start_paused = true)]
    async fn looks_for_a_fact_that_does_not_come_grow_rare_and_end() {
        let wakeups = Wakeups::default();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(1);
        looks.schedule();
        let mut waits = Vec::new();
        while let Some(wait) = next(&looks).await {
            waits.push(wait);
            looks.looked(0);
        }
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        assert_eq!(wakeups.unseen.load(Ordering::Relaxed), 0);
    }
}
