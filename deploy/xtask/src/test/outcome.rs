//! The result of a suite: counts, durations, and the messages of failed tests.

use std::{
    fmt::{self, Display},
    ops::AddAssign,
};

use crate::tally::Tally;

/// The number of lines of a message that the report repeats. The whole message is in the output of the suite.
const MESSAGE_LINES: usize = 20;

/// The result of a suite.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) tally: Tally,
    pub(super) tests: Vec<TestTime>,
    pub(super) failures: Vec<Failure>,
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
    /// What the test runner reports.
    pub(super) message: String,
}

/// The failures of all suites. At the end of a run they are found without its whole output.
#[derive(Debug, Default)]
pub(super) struct Failures(pub(super) Vec<Failure>);

impl Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Failure { name, message } in &self.0 {
            writeln!(f, "failed: {name}")?;
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
        let report = Failures(vec![Failure { name: "web home: posts".to_owned(), message }]).to_string();
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[..3], ["failed: web home: posts", "    expected 1", "    received 2"]);
        assert_eq!(lines.len(), 1 + MESSAGE_LINES);
    }
}
