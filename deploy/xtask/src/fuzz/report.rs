//! The report of a run of schemathesis, and the totals of several.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

/// The part of the JSON report that is read.
#[derive(Deserialize)]
pub(super) struct Report {
    /// False when the run ended early.
    complete: bool,
    /// Also not 0 for errors that are no failures of a check.
    exit_code: i32,
    test_cases: TestCases,
    failures: Vec<Failure>,
}

#[derive(Deserialize)]
struct TestCases {
    generated: u64,
}

/// The distinct failures of one kind.
#[derive(Deserialize)]
struct Failure {
    title: String,
    count: u64,
}

#[derive(Default)]
pub(super) struct Totals {
    cases: u64,
    /// The number of failures by kind. A failure in two passes counts twice.
    failures: BTreeMap<String, u64>,
    broken: u64,
}

impl Totals {
    pub(super) fn add(&mut self, report: Report) {
        self.cases += report.test_cases.generated;
        if !report.complete || (report.exit_code != 0 && report.failures.is_empty()) {
            self.broken += 1;
        }
        for failure in report.failures {
            *self.failures.entry(failure.title).or_default() += failure.count;
        }
    }

    pub(super) fn cases(&self) -> u64 {
        self.cases
    }

    pub(super) fn failed(&self) -> bool {
        self.broken > 0 || !self.failures.is_empty()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} cases", self.cases)?;
        for (title, count) in &self.failures {
            write!(out, "\n  {count} x {title}")?;
        }
        if self.broken > 0 {
            write!(out, "\n  {} incomplete runs", self.broken)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn failures_of_all_passes_are_added() {
        let mut totals = Totals::default();
        totals.add(report(r#"{"complete":true,"exit_code":0,"test_cases":{"generated":40},"failures":[]}"#));
        assert!(!totals.failed());
        let failing = r#"{"complete":true,"exit_code":1,"test_cases":{"generated":2,"errored":0},
            "failures":[{"type":"ServerError","title":"Server error","count":3,"operations":["GET /api/news"]}]}"#;
        totals.add(report(failing));
        totals.add(report(failing));
        assert!(totals.failed());
        assert_eq!(totals.to_string(), "44 cases\n  6 x Server error");
    }

    #[test]
    fn an_incomplete_run_and_an_error_are_no_success() {
        for broken in [
            r#"{"complete":false,"exit_code":0,"test_cases":{"generated":1},"failures":[]}"#,
            r#"{"complete":true,"exit_code":1,"test_cases":{"generated":1},"failures":[]}"#,
        ] {
            let mut totals = Totals::default();
            totals.add(report(broken));
            assert!(totals.failed());
            assert_eq!(totals.to_string(), "1 cases\n  1 incomplete runs");
        }
    }
}
