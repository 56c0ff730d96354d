//! The web client's tests: vitest, counted from its JSON report.

use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{
    command::{run, say},
    tally::Tally,
    web::npm,
    workspace::Workspace,
};

/// The part of the report that is read here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    num_passed_tests: u64,
    num_failed_tests: u64,
}

pub(super) fn run_all(workspace: &Workspace) -> Result<Tally> {
    let report = workspace.target()?.join("xtask/vitest.json");
    // A report of an earlier run must not be counted.
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut tests = npm(workspace);
    tests.args(["run", "--silent", "test", "--", "--reporter=default", "--reporter=json"]);
    tests.arg(format!("--outputFile.json={}", report.display()));
    let ran = run(&mut tests);
    if let Err(error) = &ran {
        say(&format!("{error}"));
    }
    let text = fs::read_to_string(&report).context("vitest wrote no report")?;
    let Report { num_passed_tests, num_failed_tests } = serde_json::from_str(&text)?;
    // A file that cannot be loaded has no tests to fail.
    Ok(Tally { passed: num_passed_tests, failed: num_failed_tests }.or_failed(ran.is_ok()))
}
