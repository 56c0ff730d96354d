//! The requests of a phase by their results.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Counts of attempts. A write that is repeated has several.
#[derive(Debug, Default)]
pub struct Counts(Mutex<Numbers>);

/// The numbers of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Attempts of writes.
    pub writes: u64,
    /// Attempts of reads.
    pub reads: u64,
    /// Attempts that are repetitions of the same write.
    pub repetitions: u64,
    /// Failed attempts by reason: `write 503`, `read no answer`.
    pub failures: BTreeMap<String, u64>,
}

impl Counts {
    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an attempt.
    pub fn attempt(&self, is_write: bool, is_repetition: bool) {
        let mut numbers = self.numbers();
        numbers.writes += u64::from(is_write);
        numbers.reads += u64::from(!is_write);
        numbers.repetitions += u64::from(is_repetition);
    }

    /// Counts a failed attempt.
    pub fn failure(&self, is_write: bool, reason: &str) {
        let kind = if is_write { "write" } else { "read" };
        *self.numbers().failures.entry(format!("{kind} {reason}")).or_default() += 1;
    }

    /// How many attempts of writes failed with this status and code so far, and how many reads got an answer.
    pub fn refused_and_read(&self, reason: &str) -> (u64, u64) {
        let numbers = self.numbers();
        let failed_reads = numbers.failures.iter().filter(|(reason, _)| reason.starts_with("read "));
        let refused = numbers.failures.get(&format!("write {reason}")).copied().unwrap_or_default();
        (refused, numbers.reads - failed_reads.map(|(_, n)| n).sum::<u64>())
    }

    /// The attempts so far.
    pub fn attempts(&self) -> u64 {
        let numbers = self.numbers();
        numbers.writes + numbers.reads
    }

    /// The numbers so far; the next phase begins at 0.
    pub fn take(&self) -> Numbers {
        std::mem::take(&mut *self.numbers())
    }
}
