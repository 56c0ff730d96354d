//! The tests of the web client: vitest, with counts and durations from its JSON report.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::outcome::{Failure, Outcome, TestTime};
use crate::{
    command::{run, say},
    tally::Tally,
    web::npm,
    workspace::Workspace,
};

/// The part of the report of vitest that is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    num_passed_tests: u64,
    num_failed_tests: u64,
    #[serde(default)]
    test_results: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    /// The error of a file that cannot be loaded, otherwise empty.
    #[serde(default)]
    message: String,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    full_name: String,
    /// Milliseconds; absent for a skipped test.
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Vec<String>,
}

pub(super) fn run_all(workspace: &Workspace) -> Result<Outcome> {
    let report = workspace.target()?.join("xtask/vitest.json");
    // A report of an earlier run is not counted.
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut tests = npm(workspace);
    tests.args(["run", "--silent", "test", "--", "--reporter=default", "--reporter=json"]);
    tests.arg(format!("--outputFile.json={}", report.display()));
    // By default one core is left to the watcher of the files, which does not run here.
    tests.arg("--maxWorkers=100%");
    let ran = run(&mut tests);
    if let Err(error) = &ran {
        say(&format!("{error}"));
    }
    let text = fs::read_to_string(&report).context("vitest wrote no report")?;
    let outcome = outcome(serde_json::from_str(&text)?);
    // A file that cannot be loaded has no tests to fail.
    Ok(Outcome { tally: outcome.tally.or_failed(ran.is_ok()), ..outcome })
}

fn outcome(report: Report) -> Outcome {
    let tally = Tally { passed: report.num_passed_tests, failed: report.num_failed_tests };
    let mut outcome = Outcome::from(tally);
    for file in report.test_results {
        let path = Path::new(&file.name).file_name().unwrap_or_default().to_string_lossy();
        if !file.message.is_empty() {
            outcome.failures.push(Failure { name: format!("web {path}"), message: file.message });
        }
        for test in file.assertion_results {
            let name = format!("web {path}: {}", test.full_name);
            if !test.failure_messages.is_empty() {
                outcome.failures.push(Failure { name: name.clone(), message: test.failure_messages.join("\n") });
            }
            outcome.tests.extend(test.duration.map(|milliseconds| TestTime { name, seconds: milliseconds / 1_000.0 }));
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_durations_and_failures_are_read() {
        let report = r#"{"numPassedTests": 2, "numFailedTests": 1, "testResults": [{"name": "/clone/web/src/app.test.tsx",
            "assertionResults": [{"fullName": "home shows posts", "status": "passed", "duration": 1500.5},
                                 {"fullName": "home is empty", "status": "pending"},
                                 {"fullName": "home fails", "status": "failed", "failureMessages": ["expected 1"]}]},
            {"name": "/clone/web/src/broken.test.tsx", "message": "Unexpected token", "assertionResults": []}]}"#;
        let outcome = outcome(serde_json::from_str(report).unwrap());
        assert_eq!(outcome.tally, Tally { passed: 2, failed: 1 });
        let expected = TestTime { name: "web app.test.tsx: home shows posts".to_owned(), seconds: 1.5005 };
        assert_eq!(outcome.tests, [expected]);
        let expected = [("web app.test.tsx: home fails", "expected 1"), ("web broken.test.tsx", "Unexpected token")];
        let expected = expected.map(|(name, message)| Failure { name: name.to_owned(), message: message.to_owned() });
        assert_eq!(outcome.failures, expected);
    }
}
