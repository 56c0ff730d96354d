//! The result of a suite: counts, durations, and the messages of failed tests.

use std::{
    fmt::{self, Display},
    mem,
    ops::AddAssign,
};

use crate::tally::Tally;

/// The number of lines of a message that the report repeats. The whole message is in the output of the suite.
const MESSAGE_LINES: usize = 20;
/// The most unstable tests of a run. With more, the run fails: the change made them so, or the tests need repair.
pub(super) const MAX_UNSTABLE: usize = 3;

/// The result of a suite.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) tally: Tally,
    pub(super) tests: Vec<TestTime>,
    pub(super) failures: Vec<Failure>,
    /// The first failures of tests that passed when they ran again, alone. They count as passed.
    pub(super) unstable: Vec<Failure>,
}

impl Outcome {
    /// Runs each failed test again, one after the other; `passes` says whether it passes alone. With more failures than
    /// [`MAX_UNSTABLE`] none runs again.
    pub(super) fn retry(&mut self, passes: impl FnMut(&Failure) -> bool) {
        if self.failures.len() > MAX_UNSTABLE {
            return;
        }
        let (unstable, failed): (Vec<_>, Vec<_>) = mem::take(&mut self.failures).into_iter().partition(passes);
        let count = u64::try_from(unstable.len()).unwrap_or(u64::MAX);
        self.tally = Tally { passed: self.tally.passed + count, failed: self.tally.failed.saturating_sub(count) };
        self.failures = failed;
        self.unstable.extend(unstable);
    }
}

impl From<Tally> for Outcome {
    /// The outcome of a suite whose tests have no duration of their own.
    fn from(tally: Tally) -> Self {
        Self { tally, ..Self::default() }
    }
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.tests.extend(other.tests);
        self.failures.extend(other.failures);
        self.unstable.extend(other.unstable);
    }
}

/// The duration of one test.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestTime {
    /// The suite, then the path of the test in it.
    pub(super) name: String,
    pub(super) seconds: f64,
}

/// A failed test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// As in [`TestTime`].
    pub(super) name: String,
    /// The report of the test runner.
    pub(super) message: String,
}

/// The failures of all suites. At the end of a run they are found without its whole output.
#[derive(Debug, Default)]
pub(super) struct Failures {
    pub(super) failed: Vec<Failure>,
    pub(super) unstable: Vec<Failure>,
}

impl Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unstable = self.unstable.iter().map(|failure| ("unstable", failure));
        for (what, Failure { name, message }) in unstable.chain(self.failed.iter().map(|failure| ("failed", failure))) {
            writeln!(f, "{what}: {name}")?;
            let lines = message.lines().filter(|line| !line.trim().is_empty());
            lines.take(MESSAGE_LINES).try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_with_the_start_of_its_message() {
        let message = format!("expected 1\n\nreceived 2\n{}", "at a line\n".repeat(50));
        let unstable = vec![failure("feed posts::stored")];
        let failed = vec![Failure { name: "web home: posts".to_owned(), message }];
        let report = Failures { failed, unstable }.to_string();
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[..2], ["unstable: feed posts::stored", "    it failed"]);
        assert_eq!(lines[2..5], ["failed: web home: posts", "    expected 1", "    received 2"]);
        assert_eq!(lines.len(), 3 + MESSAGE_LINES);
    }

    fn failure(name: &str) -> Failure {
        Failure { name: name.to_owned(), message: "it failed".to_owned() }
    }

    #[test]
    fn a_failed_test_that_passes_alone_is_unstable() {
        let failures = vec![failure("one"), failure("other")];
        let mut outcome = Outcome { failures, ..Outcome::from(Tally { passed: 5, failed: 2 }) };
        outcome.retry(|failure| failure.name == "one");
        assert_eq!(outcome.tally, Tally { passed: 6, failed: 1 });
        assert_eq!((outcome.unstable, outcome.failures), (vec![failure("one")], vec![failure("other")]));
    }

    #[test]
    fn many_failed_tests_do_not_run_again() {
        let failures = vec![failure("any"); MAX_UNSTABLE + 1];
        let mut outcome = Outcome { failures, ..Outcome::from(Tally { passed: 0, failed: 4 }) };
        outcome.retry(|_| panic!("ran again"));
        assert_eq!(outcome.failures.len(), MAX_UNSTABLE + 1);
    }
}
