//! Counts of passed and failed tests, and the final table of a test run.

use std::{
    fmt::{self, Display},
    ops::AddAssign,
};

/// The numbers of passed and failed tests.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    /// Adds a failure when the suite failed without reporting a failed test.
    pub(crate) fn or_failed(self, succeeded: bool) -> Self {
        let unreported = u64::from(!succeeded && self.failed == 0);
        Self { failed: self.failed + unreported, ..self }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// The counts of every suite, and their sum in the last line.
#[derive(Debug, Default)]
pub(crate) struct Table(pub(crate) Vec<(&'static str, Tally)>);

impl Table {
    pub(crate) fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        self.0.iter().for_each(|(_, tally)| sum += *tally);
        sum
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<28} {:>7} {:>7}", "suite", "passed", "failed")?;
        for (name, Tally { passed, failed }) in &self.0 {
            writeln!(f, "{name:<28} {passed:>7} {failed:>7}")?;
        }
        write!(f, "{}", self.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_sum() {
        let table = Table(vec![("rust", Tally { passed: 7, failed: 0 }), ("web", Tally { passed: 3, failed: 1 })]);
        assert_eq!(table.to_string().lines().last(), Some("10 passed, 1 failed"));
    }

    #[test]
    fn a_suite_that_does_not_build_counts_as_one_failure() {
        assert_eq!(Tally::default().or_failed(false).failed, 1);
        assert_eq!(Tally { passed: 1, failed: 2 }.or_failed(false).failed, 2);
        assert_eq!(Tally { passed: 1, failed: 0 }.or_failed(true).failed, 0);
    }
}
