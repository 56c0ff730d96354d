//! The duration of each phase of a test run, and its slowest tests.

use std::{
    fmt::{self, Display},
    time::{Duration, Instant},
};

use super::outcome::TestTime;

/// The number of tests that the report lists.
const SLOWEST: usize = 20;

/// The durations of a run so far.
#[derive(Debug)]
pub(super) struct Timing {
    started: Instant,
    phases: Vec<(&'static str, Duration)>,
    tests: Vec<TestTime>,
}

impl Timing {
    /// Starts the total duration.
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), phases: Vec::new(), tests: Vec::new() }
    }

    /// Adds a phase.
    pub(super) fn add_phase(&mut self, name: &'static str, duration: Duration) {
        self.phases.push((name, duration));
    }

    /// Adds the tests of a suite.
    pub(super) fn add(&mut self, tests: Vec<TestTime>) {
        self.tests.extend(tests);
    }
}

impl Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<28} {:>9}", "phase", "seconds")?;
        for (name, duration) in &self.phases {
            writeln!(f, "{name:<28} {:>9.1}", duration.as_secs_f64())?;
        }
        // Less than the sum: some phases run at the same time.
        writeln!(f, "{:<28} {:>9.1}", "total", self.started.elapsed().as_secs_f64())?;
        if self.tests.is_empty() {
            return Ok(());
        }
        let mut tests: Vec<&TestTime> = self.tests.iter().collect();
        tests.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        tests.truncate(SLOWEST);
        writeln!(f, "\n{} slowest tests, seconds", tests.len())?;
        tests.iter().try_for_each(|test| writeln!(f, "{:>9.1}  {}", test.seconds, test.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_lists_every_phase_and_the_slowest_tests_first() {
        let mut timing = Timing::start();
        timing.add_phase("tools", Duration::from_secs(2));
        timing.add_phase("checks", Duration::from_secs(8));
        let tests = (1..=25).map(|n| TestTime { name: format!("test {n}"), seconds: f64::from(n) });
        timing.add(tests.collect());
        let report = timing.to_string();
        let lines: Vec<&str> = report.lines().collect();
        assert!(lines[1].starts_with("tools") && lines[1].ends_with(" 2.0"), "{report}");
        assert!(lines[2].starts_with("checks"), "{report}");
        assert!(lines[3].starts_with("total"), "{report}");
        assert_eq!(lines[5], "20 slowest tests, seconds");
        assert_eq!(lines[6].trim(), "25.0  test 25");
        assert_eq!(lines.len(), 26);
    }

    #[test]
    fn a_run_without_tests_lists_only_phases() {
        let mut timing = Timing::start();
        timing.add_phase("checks", Duration::ZERO);
        assert!(!timing.to_string().contains("slowest"));
    }
}
