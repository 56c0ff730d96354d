//! The Rust tests: `cargo test`, with counts and durations from the output of the test binaries.

use std::{
    io::{BufRead, BufReader},
    num::NonZero,
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, Result};

use super::outcome::{Failure, Outcome, TestTime};
use crate::{
    command::{linting_cargo, started},
    database::Server,
    tally::Tally,
    workspace::Workspace,
};

/// Starts a test binary: prints its package, and enables the times in the report of the test harness.
///
/// The variable is not set for cargo itself: build scripts read it and would be built again.
const RUNNER: &str = r#"target."cfg(all())".runner = ["sh", "-c", 'echo "running package $CARGO_PKG_NAME"; RUSTC_BOOTSTRAP=1 exec "$0" "$@"']"#;

/// Runs the compiled tests against a Postgres server.
pub(super) fn run_all(workspace: &Workspace, server: &Server) -> Result<Outcome> {
    // Most tests wait for Postgres half of their time.
    let threads = thread::available_parallelism().map_or(2, NonZero::get) * 2;
    let mut tests = linting_cargo();
    // --tests leaves out documentation tests: the workspace has none, and rustdoc takes a second per crate.
    tests
        .args(["test", "--quiet", "--workspace", "--tests"])
        .current_dir(&workspace.root)
        .args(["--no-fail-fast", "--config", RUNNER, "--", "-Zunstable-options", "--report-time", "--format=pretty"])
        .arg(format!("--test-threads={threads}"))
        .env("PORTIA_TEST_DATABASE_URL", server.url());
    collect(&mut tests)
}

/// Runs the tests, prints their output without the lines of passed tests, and adds up the results.
fn collect(tests: &mut Command) -> Result<Outcome> {
    let mut child = started(tests.stdout(Stdio::piped()), Command::spawn)?;
    let output = child.stdout.take().context("cargo test has no output")?;
    let mut outcome = Outcome::default();
    let mut package = String::new();
    let mut in_failure = false;
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if let Some(name) = line.strip_prefix("running package ") {
            name.clone_into(&mut package);
        }
        if let Some(name) = failed_test(&line) {
            outcome.failures.push(Failure { name: format!("{package} {name}"), message: String::new() });
            in_failure = true;
        } else if line == "failures:" {
            in_failure = false;
        } else if let Some(failure) = outcome.failures.last_mut().filter(|_| in_failure) {
            // What the test printed before it failed is left out.
            if line.contains(" panicked at ") {
                failure.message.clear();
            }
            failure.message.push_str(&line);
            failure.message.push('\n');
        }
        if let Some((name, seconds, passed)) = finished_test(&line) {
            outcome.tests.push(TestTime { name: format!("{package} {name}"), seconds });
            if passed {
                continue;
            }
        }
        outcome.tally += result(&line).unwrap_or_default();
        if !line.is_empty() {
            println!("{line}");
        }
    }
    outcome.tally = outcome.tally.or_failed(child.wait()?.success());
    Ok(outcome)
}

/// "test posts::a_post_is_stored ... ok <0.123s>": name, seconds, and whether it passed.
fn finished_test(line: &str) -> Option<(&str, f64, bool)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let (result, time) = rest.split_once(" <")?;
    let seconds = time.strip_suffix("s>")?.parse().ok()?;
    Some((name, seconds, result == "ok"))
}

/// "---- posts::a_post_is_stored stdout ----": the line before the output of a failed test.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

/// "test result: ok. 24 passed; 0 failed; 0 ignored; ..."
fn result(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| {
        let number = counts.split("; ").find_map(|each| each.strip_suffix(what))?;
        number.trim().parse().ok()
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_line_of_a_test_binary_is_read() {
        let line = "test result: FAILED. 23 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s";
        assert_eq!(result(line), Some(Tally { passed: 23, failed: 1 }));
        assert_eq!(result("test posts::tests::result: ok. ... ok"), None);
    }

    #[test]
    fn the_duration_of_a_test_is_read() {
        assert_eq!(finished_test("test posts::stored ... ok <0.123s>"), Some(("posts::stored", 0.123, true)));
        assert_eq!(finished_test("test posts::stored ... FAILED <1.500s>"), Some(("posts::stored", 1.5, false)));
        assert_eq!(finished_test("test posts::stored ... ignored"), None);
        assert_eq!(finished_test("test result: ok. 2 passed; 0 failed; 0 ignored"), None);
    }

    #[test]
    fn the_message_of_a_failed_test_is_read() {
        let script = "echo 'running package feed'; echo 'test posts::stored ... FAILED <0.250s>'; echo 'failures:'; \
             echo '---- posts::stored stdout ----'; echo 'a line'; echo 'thread x panicked at y:'; echo 'left: 1'; \
             echo 'failures:'; echo '    posts::stored'; echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'; exit 101";
        let outcome = collect(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let message = "thread x panicked at y:\nleft: 1\n".to_owned();
        assert_eq!(outcome.failures, [Failure { name: "feed posts::stored".to_owned(), message }]);
    }

    #[test]
    fn counts_of_binaries_are_added_and_a_failed_compilation_is_a_failure() {
        let script = "echo 'running package feed'; echo 'test posts::stored ... ok <0.250s>'; \
             echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; echo 'test result: ok. 3 passed; 0 failed; 0 ignored'";
        let outcome = collect(Command::new("/bin/sh").args(["-c", script])).unwrap();
        assert_eq!(outcome.tally, Tally { passed: 5, failed: 0 });
        assert_eq!(outcome.tests, [TestTime { name: "feed posts::stored".to_owned(), seconds: 0.25 }]);
        let outcome = collect(Command::new("/bin/sh").args(["-c", "exit 101"])).unwrap();
        assert_eq!(outcome.tally, Tally { passed: 0, failed: 1 });
    }
}
