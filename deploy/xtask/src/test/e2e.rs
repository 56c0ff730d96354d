//! The browser tests: Playwright against a Portia of its own, counted from its JSON report.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{
    compile::compile_portia,
    needs,
    outcome::{Failure, MAX_UNSTABLE, Outcome, TestTime},
};
use crate::{
    command::{run, say},
    portia::Portia,
    tally::Tally,
    web::npm,
    workspace::Workspace,
};

/// The part of the report of Playwright that is read.
#[derive(Deserialize)]
struct Report {
    stats: Stats,
    #[serde(default)]
    suites: Vec<Suite>,
}

/// A file or a `describe` block.
#[derive(Deserialize)]
struct Suite {
    #[serde(default)]
    suites: Vec<Suite>,
    #[serde(default)]
    specs: Vec<Spec>,
}

#[derive(Deserialize)]
struct Spec {
    title: String,
    file: String,
    #[serde(default)]
    tests: Vec<Attempts>,
}

/// A test and its repetitions.
#[derive(Deserialize)]
struct Attempts {
    #[serde(default)]
    results: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Attempt {
    /// Milliseconds.
    duration: f64,
    #[serde(default)]
    errors: Vec<AttemptError>,
}

#[derive(Deserialize)]
struct AttemptError {
    #[serde(default)]
    message: String,
}

/// Counts of Playwright. A `flaky` test failed first and passed when repeated: a failure here.
#[derive(Deserialize)]
struct Stats {
    expected: u64,
    unexpected: u64,
    flaky: u64,
}

pub(super) fn run_all(workspace: &Workspace, dist: &Path) -> Result<Outcome> {
    compile_portia(workspace)?;
    let portia = Portia::start(workspace, dist, "e2e")?;
    let mut outcome = run_once(workspace, &portia, &[])?;
    if (1..=MAX_UNSTABLE).contains(&outcome.failures.len()) {
        say("The failed browser tests run again, one at a time");
        let again = run_once(workspace, &portia, &["--last-failed", "--workers=1"])?;
        outcome
            .retry(|failure| again.tally.passed > 0 && !again.failures.iter().any(|other| other.name == failure.name));
    }
    Ok(outcome)
}

/// Runs the tests that `arguments` of Playwright select.
fn run_once(workspace: &Workspace, portia: &Portia, arguments: &[&str]) -> Result<Outcome> {
    let report = workspace.target()?.join("xtask/playwright.json");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut tests = npm(workspace);
    tests
        .args(["run", "--silent", "test:e2e", "--", "--reporter=list,json"])
        .args(arguments)
        .env("PORTIA_URL", portia.url())
        // For `portia admin`: the roles of moderators and stewards.
        .env("PORTIA_PROGRAM", portia.program())
        .env("PORTIA_DATA", portia.data())
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report);
    if let Some(browser) = needs::CHROMIUM.found() {
        tests.env("CHROMIUM", browser);
    }
    let ran = run(&mut tests);
    if let Err(error) = &ran {
        say(&format!("{error}"));
    }
    let text = fs::read_to_string(&report).context("Playwright wrote no report")?;
    let report: Report = serde_json::from_str(&text)?;
    let mut outcome = Outcome::from(tally(&report).or_failed(ran.is_ok()));
    report.suites.iter().for_each(|suite| add(suite, &mut outcome));
    Ok(outcome)
}

/// Adds the durations and errors of all tests, including repetitions.
fn add(suite: &Suite, outcome: &mut Outcome) {
    for spec in &suite.specs {
        let name = format!("browser {}: {}", spec.file, spec.title);
        let attempts = || spec.tests.iter().flat_map(|test| &test.results);
        let errors = attempts().flat_map(|attempt| &attempt.errors);
        let messages: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
        if !messages.is_empty() {
            outcome.failures.push(Failure { name: name.clone(), message: messages.join("\n") });
        }
        let milliseconds: f64 = attempts().map(|attempt| attempt.duration).sum();
        outcome.tests.push(TestTime { name, seconds: milliseconds / 1_000.0 });
    }
    suite.suites.iter().for_each(|inner| add(inner, outcome));
}

fn tally(Report { stats, .. }: &Report) -> Tally {
    Tally { passed: stats.expected, failed: stats.unexpected + stats.flaky }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flaky_test_is_a_failed_one() {
        let report = r#"{"stats": {"expected": 9, "unexpected": 1, "flaky": 2, "skipped": 0, "duration": 1.5}}"#;
        let tally = tally(&serde_json::from_str(report).unwrap());
        assert_eq!(tally, Tally { passed: 9, failed: 3 });
    }

    #[test]
    fn durations_and_errors_of_nested_tests_are_read() {
        let report = r#"{"stats": {"expected": 2, "unexpected": 0, "flaky": 0}, "suites": [{"title": "home.spec.ts",
            "specs": [{"title": "posts", "file": "home.spec.ts", "tests": [{"results": [{"duration": 1500}]}]}],
            "suites": [{"title": "phone", "specs": [{"title": "menu", "file": "home.spec.ts", "tests": [
                {"results": [{"duration": 1000, "errors": [{"message": "no menu"}]}, {"duration": 250, "errors": []}]}]}]}]}]}"#;
        let report: Report = serde_json::from_str(report).unwrap();
        let mut outcome = Outcome::default();
        report.suites.iter().for_each(|suite| add(suite, &mut outcome));
        let expected = [("browser home.spec.ts: posts", 1.5), ("browser home.spec.ts: menu", 1.25)];
        assert_eq!(outcome.tests, expected.map(|(name, seconds)| TestTime { name: name.to_owned(), seconds }));
        let failure = Failure { name: "browser home.spec.ts: menu".to_owned(), message: "no menu".to_owned() };
        assert_eq!(outcome.failures, [failure]);
    }
}
