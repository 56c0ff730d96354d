//! The Rust tests: `cargo test`, counted from the line every test binary ends with.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{
    command::{self, build_as_tested, cargo, started},
    database::Server,
    tally::Tally,
    workspace::Workspace,
};

pub(super) fn run_all(workspace: &Workspace, server: &Server) -> Result<Tally> {
    // The full-stack test starts the eight programs of the distributed shape as processes.
    command::run(&mut build_as_tested(&workspace.root, &["--bins"]))?;
    let mut tests = cargo();
    tests
        .args(["test", "--quiet", "--workspace", "--no-fail-fast"])
        .current_dir(&workspace.root)
        .env("PORTIA_TEST_DATABASE_URL", server.url());
    counted(&mut tests)
}

/// Runs the tests, shows their output and adds up what they say.
fn counted(tests: &mut Command) -> Result<Tally> {
    let mut child = started(tests.stdout(Stdio::piped()), Command::spawn)?;
    let output = child.stdout.take().context("cargo test has no output")?;
    let mut tally = Tally::default();
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tally += result(&line).unwrap_or_default();
    }
    Ok(tally.or_failed(child.wait()?.success()))
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
    fn reads_the_line_a_test_binary_ends_with() {
        let line = "test result: FAILED. 23 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.09s";
        assert_eq!(result(line), Some(Tally { passed: 23, failed: 1 }));
        assert_eq!(result("test posts::tests::result: ok. ... ok"), None);
    }

    #[test]
    fn adds_up_binaries_and_notices_what_did_not_compile() {
        let script = "echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; echo 'test result: ok. 3 passed; 0 failed; 0 ignored'";
        let tally = counted(Command::new("/bin/sh").args(["-c", script])).unwrap();
        assert_eq!(tally, Tally { passed: 5, failed: 0 });
        let tally = counted(Command::new("/bin/sh").args(["-c", "exit 101"])).unwrap();
        assert_eq!(tally, Tally { passed: 0, failed: 1 });
    }
}
