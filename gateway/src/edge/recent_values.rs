//! Recent values of ids. Every request reads them; usually there is none, and that answer costs one atomic read.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use uuid::Uuid;

/// Values of ids, each for a while.
#[derive(Debug)]
pub struct RecentValues<T> {
    kept_for: Duration,
    max: usize,
    count: AtomicUsize,
    entries: RwLock<Entries<T>>,
}

#[derive(Debug)]
struct Entries<T> {
    by_id: HashMap<Uuid, (Instant, T)>,
    /// Every insertion, oldest first.
    order: VecDeque<(Instant, Uuid)>,
}

impl<T: Copy> RecentValues<T> {
    /// Creates an empty store that keeps the last `max` values for `kept_for`.
    pub fn new(kept_for: Duration, max: usize) -> Self {
        let entries = Entries { by_id: HashMap::new(), order: VecDeque::new() };
        Self { kept_for, max, count: AtomicUsize::new(0), entries: RwLock::new(entries) }
    }

    /// The last value of an id.
    pub fn get(&self, id: Uuid) -> Option<T> {
        if self.count.load(Ordering::Acquire) == 0 {
            return None;
        }
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        entries.by_id.get(&id).filter(|(at, _)| at.elapsed() < self.kept_for).map(|(_, value)| *value)
    }

    /// Sets the value of an id.
    pub fn insert(&self, id: Uuid, value: T) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let Entries { by_id, order } = &mut *entries;
        while let Some((at, oldest)) = order.front().copied()
            && (order.len() >= self.max || at.elapsed() >= self.kept_for)
        {
            order.pop_front();
            // It may have a newer value.
            if by_id.get(&oldest).is_some_and(|(newest, _)| *newest == at) {
                by_id.remove(&oldest);
            }
        }
        let now = Instant::now();
        order.push_back((now, id));
        by_id.insert(id, (now, value));
        self.count.store(by_id.len(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    #[test]
    fn the_last_value_of_an_id_is_kept() {
        let recent = RecentValues::new(LONG, 10);
        let [first, second] = [1, 2].map(Uuid::from_u128);
        assert_eq!(recent.get(first), None);
        recent.insert(first, 1);
        recent.insert(first, 2);
        assert_eq!((recent.get(first), recent.get(second)), (Some(2), None));
    }

    #[test]
    fn the_oldest_values_make_room() {
        let recent = RecentValues::new(LONG, 3);
        for n in [1, 2, 1, 3] {
            recent.insert(Uuid::from_u128(n), ());
        }
        let known: Vec<u128> = (1..=3).filter(|n| recent.get(Uuid::from_u128(*n)).is_some()).collect();
        assert_eq!(known, [1, 2, 3], "the first insertion of 1 left, not the second");
        recent.insert(Uuid::from_u128(4), ());
        assert_eq!(recent.get(Uuid::from_u128(2)), None);
        assert!(recent.get(Uuid::from_u128(1)).is_some());
    }

    #[test]
    fn a_value_ends_after_its_time() {
        let recent = RecentValues::new(Duration::ZERO, 10);
        recent.insert(Uuid::nil(), ());
        assert_eq!(recent.get(Uuid::nil()), None);
    }
}
