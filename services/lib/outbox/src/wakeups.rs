//! How a sequencer learns of facts that its own process published.
//!
//! A NOTIFY wakes the sequencers of all services in the database, and its commit waits for the commits of all other
//! notifying transactions. So a process with a sequencer notifies at most once in the time in which facts are gathered.
//! The sequencer knows only that the other facts will be committed soon: it looks for them after the same time, and
//! then in growing intervals. That time is short for rare facts of a prompt outbox, for which members wait, and longer
//! otherwise, since each numbering costs a transaction here and one in every consumer.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

/// After numbering, the facts of this time are numbered together while they are frequent: a fact that is alone does not wait.
const GATHERING: Duration = Duration::from_millis(20);
/// The same in a prompt outbox while they are rare.
const SHORT_GATHERING: Duration = Duration::from_millis(5);
/// This number of facts in [`WINDOW`] is frequent: 500 a second. The short time gathers two or three of them.
const FREQUENT: u64 = 50;
/// The time over which facts are counted.
const WINDOW: Duration = Duration::from_millis(100);
/// The longest time between two looks. After it, more than 600 ms after the first look without a fact, the poll is left to find the rest: a
/// transaction was rolled back, another replica numbered the fact, or the commit takes long.
const MAX_PAUSE: Duration = Duration::from_millis(320);

/// The facts of one process, shared by its publishers and the sequencer.
#[derive(Debug, Default)]
pub(super) struct Wakeups {
    sequencers: AtomicUsize,
    notified_at: Mutex<Option<Instant>>,
    /// Published facts that the sequencer has not numbered, including facts of transactions that were rolled back.
    unseen: AtomicU64,
    /// Whether members wait for the facts.
    is_prompt: bool,
    /// Whether facts are frequent.
    frequent: AtomicBool,
    published: Notify,
}

impl Wakeups {
    /// Creates the wake-ups of a prompt outbox.
    pub fn prompt() -> Self {
        Self { is_prompt: true, ..Self::default() }
    }

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
        let is_due = notified_at.is_none_or(|at| now.duration_since(at) >= self.gathering());
        if is_due {
            *notified_at = Some(now);
        }
        is_due
    }

    /// Returns the time whose facts are numbered together.
    pub fn gathering(&self) -> Duration {
        if self.is_prompt && !self.frequent.load(Ordering::Relaxed) { SHORT_GATHERING } else { GATHERING }
    }

    /// Registers a sequencer. Facts are published without NOTIFY while the guard exists.
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
    /// The facts numbered since a time.
    counted: (Instant, u64),
}

impl<'a> Looks<'a> {
    pub fn new(wakeups: &'a Wakeups) -> Self {
        Self { wakeups, at: None, empty: 0, counted: (Instant::now(), 0) }
    }

    /// Schedules a look for a fact that was published without NOTIFY.
    pub fn schedule(&mut self) {
        self.empty = 0;
        self.at.get_or_insert_with(|| Instant::now() + self.wakeups.gathering());
    }

    /// Records a look of the sequencer that numbered so many facts.
    pub fn looked(&mut self, numbered: u64) {
        let now = Instant::now();
        self.count(numbered, now);
        let seen = |unseen: u64| Some(unseen.saturating_sub(numbered));
        let before = self.wakeups.unseen.fetch_update(Ordering::Relaxed, Ordering::Relaxed, seen).unwrap_or_default();
        self.empty = if numbered > 0 { 0 } else { self.empty + 1 };
        let pause = self.wakeups.gathering().saturating_mul(1_u32.checked_shl(self.empty).unwrap_or(u32::MAX));
        self.at = if before <= numbered {
            None
        } else if pause <= MAX_PAUSE {
            Some(now + pause)
        } else {
            self.wakeups.unseen.store(0, Ordering::Relaxed);
            None
        };
    }

    /// Decides after each window whether facts are frequent.
    fn count(&mut self, numbered: u64, now: Instant) {
        let (since, before) = self.counted;
        let (elapsed, facts) = (now.duration_since(since), before + numbered);
        self.counted = (since, facts);
        if elapsed >= WINDOW {
            let most = u128::from(FREQUENT) * elapsed.as_millis() / WINDOW.as_millis();
            self.wakeups.frequent.store(u128::from(facts) >= most, Ordering::Relaxed);
            self.counted = (now, 0);
        }
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

    /// The milliseconds until the next look, or none when there will be none.
    async fn next(looks: &Looks<'_>) -> Option<u128> {
        let before = Instant::now();
        timeout(LONG, looks.due()).await.ok()?;
        Some(before.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn a_process_notifies_once_while_facts_are_gathered() {
        let wakeups = Wakeups::prompt();
        assert!(wakeups.publish(1) && wakeups.publish(1), "no sequencer runs in this process");
        let sequencer = wakeups.sequencer();
        assert!(wakeups.publish(1));
        assert!(!wakeups.publish(1) && !wakeups.publish(3));
        assert!(timeout(LONG, wakeups.published()).await.is_ok());
        assert!(timeout(LONG, wakeups.published()).await.is_err(), "one signal for all of them");
        assert!(wakeups.publish(1));
        assert!(timeout(LONG, wakeups.published()).await.is_err(), "the NOTIFY wakes the sequencer");
        assert!(wakeups.publish(1), "that was long ago");
        advance(SHORT_GATHERING - Duration::from_millis(1)).await;
        assert!(!wakeups.publish(1));
        advance(Duration::from_millis(1)).await;
        assert!(wakeups.publish(1));
        drop(sequencer);
        assert!(wakeups.publish(1) && wakeups.publish(1));
    }

    #[tokio::test(start_paused = true)]
    async fn looks_end_when_all_facts_are_numbered() {
        let wakeups = Wakeups::prompt();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(3);
        assert_eq!(next(&looks).await, None, "the NOTIFY tells when they are committed");
        looks.schedule();
        assert_eq!(next(&looks).await, Some(5));
        looks.looked(1);
        assert_eq!(next(&looks).await, Some(5), "two are not committed");
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(10));
        looks.looked(1);
        assert_eq!(next(&looks).await, Some(5), "one is not committed, and the other has just been");
        looks.looked(1);
        assert_eq!(next(&looks).await, None, "all are numbered");
    }

    #[tokio::test(start_paused = true)]
    async fn facts_of_other_processes_do_not_count_against_its_own() {
        let wakeups = Wakeups::prompt();
        let mut looks = Looks::new(&wakeups);
        looks.looked(5);
        assert_eq!(wakeups.unseen.load(Ordering::Relaxed), 0);
        wakeups.publish(1);
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(10), "its own is not numbered");
        looks.looked(1);
        assert_eq!(next(&looks).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_further_fact_neither_postpones_the_next_look_nor_waits_as_long_as_an_earlier_one() {
        let wakeups = Wakeups::prompt();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(1);
        looks.schedule();
        advance(Duration::from_millis(2)).await;
        wakeups.publish(1);
        looks.schedule();
        let before = Instant::now();
        looks.due().await;
        assert_eq!(before.elapsed(), Duration::from_millis(3));
        looks.looked(0);
        looks.looked(0);
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(40));
        wakeups.publish(1);
        looks.schedule();
        looks.looked(0);
        assert_eq!(next(&looks).await, Some(10), "the intervals begin again");
    }

    #[tokio::test(start_paused = true)]
    async fn looks_for_a_fact_that_does_not_come_grow_rare_and_end() {
        let wakeups = Wakeups::prompt();
        let mut looks = Looks::new(&wakeups);
        wakeups.publish(1);
        looks.schedule();
        let mut waits = Vec::new();
        while let Some(wait) = next(&looks).await {
            waits.push(wait);
            looks.looked(0);
        }
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320]);
        assert_eq!(wakeups.unseen.load(Ordering::Relaxed), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn frequent_facts_are_gathered_for_longer() {
        let wakeups = Wakeups::prompt();
        let mut looks = Looks::new(&wakeups);
        let mut after = async |facts: u64, millis: u64| {
            advance(Duration::from_millis(millis)).await;
            looks.looked(facts);
            wakeups.gathering()
        };
        assert_eq!(after(200, 99).await, SHORT_GATHERING, "of a short burst nothing is concluded");
        assert_eq!(after(0, 1).await, GATHERING);
        assert_eq!(after(49, 100).await, SHORT_GATHERING);
        assert_eq!(after(50, 50).await, SHORT_GATHERING);
        assert_eq!(after(24, 100).await, SHORT_GATHERING, "74 in 150 ms");
        assert_eq!(after(75, 150).await, GATHERING);
        assert_eq!(after(1, 60_000).await, SHORT_GATHERING, "after a pause");
        assert_eq!(Wakeups::default().gathering(), GATHERING, "of other outboxes");
    }
}
