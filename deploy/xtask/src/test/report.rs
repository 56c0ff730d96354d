//! The results of a test run: counts, durations and failures of every suite. Some suites run at the same time.

use std::{
    fmt::{self, Display},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use anyhow::{Result, bail};

use super::{
    outcome::{Failure, Failures, MAX_UNSTABLE, Outcome},
    timing::Timing,
};
use crate::{
    command::{interrupted, say},
    tally::{Table, Tally},
};

/// The results so far.
#[derive(Debug)]
pub(super) struct Report(Mutex<Results>);

#[derive(Debug)]
struct Results {
    timing: Timing,
    failures: Failures,
    table: Table,
}

impl Report {
    /// Starts the total duration.
    pub(super) fn start() -> Self {
        let (failures, table) = (Failures::default(), Table::default());
        Self(Mutex::new(Results { timing: Timing::start(), failures, table }))
    }

    /// Runs a phase and records its duration.
    pub(super) fn phase<T>(&self, name: &'static str, run: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = run();
        self.results().timing.add_phase(name, started.elapsed());
        result
    }

    /// Runs one suite and records its counts, failures and durations. A suite that cannot run counts as one failure, and
    /// returns false.
    pub(super) fn suite(&self, name: &'static str, run: impl FnOnce() -> Result<Outcome>) -> Result<bool> {
        say(&format!("{name} ..."));
        let ran = self.phase(name, run);
        if interrupted() {
            bail!("interrupted");
        }
        let completed = ran.is_ok();
        let outcome = ran.unwrap_or_else(|error| {
            let message = format!("{error:#}");
            eprintln!("error: {message}");
            let failures = vec![Failure { name: name.to_owned(), message }];
            Outcome { failures, ..Outcome::from(Tally { passed: 0, failed: 1 }) }
        });
        let mut results = self.results();
        results.table.0.push((name, outcome.tally));
        results.failures.failed.extend(outcome.failures);
        results.failures.unstable.extend(outcome.unstable);
        results.timing.add(outcome.tests);
        Ok(completed)
    }

    /// Whether a test failed, or more than [`MAX_UNSTABLE`] did before they passed alone.
    pub(super) fn has_failures(&self) -> bool {
        let results = self.results();
        results.table.sum().failed > 0 || results.failures.unstable.len() > MAX_UNSTABLE
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = self.results();
        let Results { timing, failures, table } = &*results;
        write!(f, "{timing}\n{failures}\n{table}")
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use anyhow::anyhow;

    use super::*;

    #[test]
    fn suites_run_at_the_same_time_and_one_that_cannot_run_is_a_failure() {
        let (report, both) = (Report::start(), Barrier::new(2));
        let passed = || {
            both.wait();
            Ok(Outcome::from(Tally { passed: 7, failed: 0 }))
        };
        let broken = || {
            both.wait();
            Err(anyhow!("no compiler"))
        };
        let completed = thread::scope(|scope| {
            let web = scope.spawn(|| report.suite("web client", passed).unwrap());
            (report.suite("compilation", broken).unwrap(), web.join().unwrap())
        });
        assert_eq!(completed, (false, true));
        assert!(report.has_failures());
        let text = report.to_string();
        assert!(text.contains("failed: compilation\n    no compiler"), "{text}");
        assert!(text.ends_with("7 passed, 1 failed"), "{text}");
    }

    #[test]
    fn a_run_goes_on_with_a_few_unstable_tests() {
        let report = Report::start();
        let unstable = |count| {
            let unstable = vec![Failure { name: "feed posts".to_owned(), message: String::new() }; count];
            Ok(Outcome { unstable, ..Outcome::from(Tally { passed: 9, failed: 0 }) })
        };
        report.suite("Rust", || unstable(MAX_UNSTABLE)).unwrap();
        assert!(!report.has_failures());
        report.suite("browser", || unstable(1)).unwrap();
        assert!(report.has_failures());
    }
}
