//! The Rust tests: runs the compiled test programs, two at a time, with counts and durations from their output.
//!
//! `cargo test` runs one program after the other. At the end of each, a few slow tests run alone; they wait for restarted
//! processes and for Postgres, and a core idles.

use std::{
    io::{BufRead, BufReader},
    num::NonZero,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result};

use super::{
    outcome::{Failure, Outcome, TestTime},
    programs::{self, Program},
    s3,
};
use crate::{
    command::{interrupted, say, started},
    database::{self, Server},
    tally::Tally,
    workspace::Workspace,
};

/// The number of test programs that run at the same time.
const PROGRAMS: usize = 2;

/// Runs the compiled tests against a Postgres server.
pub(super) fn run_all(workspace: &Workspace, server: &Server) -> Result<Outcome> {
    let (url, s3, memory) = (server.url(), s3::installed(workspace), database::memory());
    // Tests wait for Postgres for much of their time: of all programs together, three run per core.
    let threads = (thread::available_parallelism().map_or(2, NonZero::get) * 3).div_ceil(PROGRAMS);
    let tests_of = |program: &Program| {
        let mut tests = program.command();
        tests
            .args(["-Zunstable-options", "--report-time", "--format=pretty"])
            .arg(format!("--test-threads={threads}"))
            .env("PORTIA_TEST_DATABASE_URL", &url)
            // Some tests start a Postgres of their own in a temporary folder.
            .envs(memory.map(|folder| ("TMPDIR", folder)))
            .envs(s3.as_ref().map(|folder| ("PORTIA_TEST_S3", folder)))
            // The harness of a stable Rust reports durations only with it.
            .env("RUSTC_BOOTSTRAP", "1");
        tests
    };
    let run = |program: &Program| {
        let mut tests = tests_of(program);
        match collect(&program.package, &mut tests) {
            Ok((outcome, report)) => {
                // In one piece: the reports of two programs do not mix.
                print!("package {}\n{report}", program.package);
                outcome
            }
            Err(error) => failed(&program.package, format!("{error:#}")),
        }
    };
    let programs = programs::compiled(workspace)?;
    let mut outcome = run_queue(&programs, run);
    outcome.retry(|failure| {
        say(&format!("{} runs again, alone", failure.name));
        passes_alone(failure, &programs, tests_of)
    });
    Ok(outcome)
}

/// Runs one failed test again. Programs of its package without such a test run none.
fn passes_alone(failure: &Failure, programs: &[Program], tests_of: impl Fn(&Program) -> Command) -> bool {
    let Some((package, test)) = failure.name.split_once(' ') else { return false };
    let mut tally = Tally::default();
    for program in programs.iter().filter(|program| program.package == package) {
        match collect(package, tests_of(program).args(["--exact", test])) {
            Ok((outcome, report)) => {
                print!("{report}");
                tally += outcome.tally;
            }
            Err(_) => return false,
        }
    }
    tally.passed > 0 && tally.failed == 0
}

/// Runs the programs in their order, [`PROGRAMS`] at the same time, and adds up their results.
fn run_queue(programs: &[Program], run: impl Fn(&Program) -> Outcome + Sync) -> Outcome {
    let queue = Mutex::new(programs.iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = || {
        let mut sum = Outcome::default();
        while let Some(program) = (!interrupted()).then(next).flatten() {
            sum += run(program);
        }
        sum
    };
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..PROGRAMS).map(|_| scope.spawn(lane)).collect();
        let mut sum = Outcome::default();
        for lane in lanes {
            // A panic loses the results of its lane.
            sum += lane.join().unwrap_or_else(|_| failed("Rust", "the run of a program panicked".to_owned()));
        }
        sum
    })
}

fn failed(package: &str, message: String) -> Outcome {
    eprintln!("error: the tests of {package} cannot run: {message}");
    let failures = vec![Failure { name: package.to_owned(), message }];
    Outcome { failures, ..Outcome::from(Tally { passed: 0, failed: 1 }) }
}

/// Runs a test program. Prints at once which tests failed or take long. Returns the results, and the rest of the output.
fn collect(package: &str, tests: &mut Command) -> Result<(Outcome, String)> {
    let mut child = started(tests.stdout(Stdio::piped()), Command::spawn)?;
    let output = child.stdout.take().context("a test program has no output")?;
    let (mut outcome, mut report) = (Outcome::default(), String::new());
    let mut in_failure = false;
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if let Some(name) = failed_test(&line) {
            outcome.failures.push(Failure { name: format!("{package} {name}"), message: String::new() });
            in_failure = true;
        } else if line == "failures:" {
            in_failure = false;
        } else if let Some(failure) = outcome.failures.last_mut().filter(|_| in_failure) {
            // The message omits the output before the failure.
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
        if line.starts_with("test ") && !line.starts_with("test result: ") {
            println!("{package}: {line}");
        } else if !line.is_empty() {
            report.push_str(&line);
            report.push('\n');
        }
    }
    outcome.tally = outcome.tally.or_failed(child.wait()?.success());
    Ok((outcome, report))
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
    use std::sync::Barrier;

    use super::*;

    fn collected(script: &str) -> (Outcome, String) {
        collect("feed", Command::new("/bin/sh").args(["-c", script])).unwrap()
    }

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
        let script = "echo 'test posts::stored ... FAILED <0.250s>'; echo 'failures:'; \
             echo '---- posts::stored stdout ----'; echo 'a line'; echo 'thread x panicked at y:'; echo 'left: 1'; \
             echo 'failures:'; echo '    posts::stored'; echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'; exit 101";
        let (outcome, report) = collected(script);
        let message = "thread x panicked at y:\nleft: 1\n".to_owned();
        assert_eq!(outcome.failures, [Failure { name: "feed posts::stored".to_owned(), message }]);
        assert!(report.contains("left: 1") && report.contains("0 passed; 1 failed"), "{report}");
    }

    #[test]
    fn counts_are_read_and_a_program_that_dies_is_a_failure() {
        let (outcome, report) = collected(
            "echo 'test posts::stored ... ok <0.250s>'; echo 'test result: ok. 2 passed; 0 failed; 0 ignored'",
        );
        assert_eq!(outcome.tally, Tally { passed: 2, failed: 0 });
        assert_eq!(outcome.tests, [TestTime { name: "feed posts::stored".to_owned(), seconds: 0.25 }]);
        assert_eq!(report, "test result: ok. 2 passed; 0 failed; 0 ignored\n");
        assert_eq!(collected("exit 101").0.tally, Tally { passed: 0, failed: 1 });
    }

    #[test]
    fn a_failed_test_runs_again_in_the_programs_of_its_package() {
        let program = |package: &str| Program { package: package.to_owned(), folder: "/".into(), path: "/".into() };
        let programs = [program("feed"), program("jobs"), program("feed")];
        // The arguments of the test follow the script: $0 is "--exact".
        let with = |script: &'static str| {
            move |program: &Program| {
                assert_eq!(program.package, "feed");
                let mut command = Command::new("/bin/sh");
                command.args(["-c", script]);
                command
            }
        };
        let failure = |name: &str| Failure { name: name.to_owned(), message: String::new() };
        let passed = "[ \"$0 $1\" = '--exact posts::stored' ] && echo 'test result: ok. 1 passed; 0 failed; 0 ignored'";
        assert!(passes_alone(&failure("feed posts::stored"), &programs, with(passed)));
        let failed = "echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'; exit 101";
        assert!(!passes_alone(&failure("feed posts::stored"), &programs, with(failed)));
        let absent = "echo 'test result: ok. 0 passed; 0 failed; 0 ignored'";
        assert!(!passes_alone(&failure("feed posts::stored"), &programs, with(absent)));
        // The program died: no test is named.
        assert!(!passes_alone(&failure("feed"), &programs, with(passed)));
    }

    #[test]
    fn every_program_runs_once_in_order_and_two_at_a_time() {
        let program = |n: usize| Program { package: n.to_string(), folder: "/".into(), path: "/".into() };
        let programs: Vec<Program> = (1..=4).map(program).collect();
        let (started, both) = (Mutex::new(Vec::new()), Barrier::new(PROGRAMS));
        let sum = run_queue(&programs, |program| {
            started.lock().unwrap().push(program.package.clone());
            // Waits for the program that runs at the same time; alone it would wait forever.
            both.wait();
            let tests = vec![TestTime { name: program.package.clone(), seconds: 1.0 }];
            let failures = vec![Failure { name: program.package.clone(), message: String::new() }];
            Outcome { tests, failures, ..Outcome::from(Tally { passed: 1, failed: 1 }) }
        });
        assert_eq!(sum.tally, Tally { passed: 4, failed: 4 });
        assert_eq!((sum.tests.len(), sum.failures.len()), (4, 4));
        let mut started = started.into_inner().unwrap();
        started[..PROGRAMS].sort();
        started[PROGRAMS..].sort();
        assert_eq!(started, ["1", "2", "3", "4"]);
    }
}
