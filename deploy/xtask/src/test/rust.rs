//! The Rust tests: runs the programs that `cargo test` has compiled, with counts and durations from their output.
//!
//! `cargo test` runs one program after the other. At the end of each, a few slow tests run alone; they wait for Postgres and for
//! restarted processes, and the machine idles.

use std::{
    fs,
    io::{BufRead, BufReader},
    num::NonZero,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result, bail};

use super::timing::{Outcome, TestTime};
use crate::{
    command::{interrupted, linting_cargo, output, started},
    database::Server,
    tally::Tally,
    workspace::Workspace,
};

/// The number of test programs that run at the same time.
const PROGRAMS: usize = 2;

/// Prints package, working directory and path of a test program in place of running it.
const LIST: &str =
    r#"target."cfg(all())".runner = ["sh", "-c", 'printf "program\t%s\t%s\t%s\n" "$CARGO_PKG_NAME" "$PWD" "$0"']"#;

/// A compiled test program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Program {
    package: String,
    /// The folder of the package, in which its tests run.
    folder: PathBuf,
    path: PathBuf,
}

/// Runs the compiled tests against a Postgres server.
pub(super) fn run_all(workspace: &Workspace, server: &Server) -> Result<Outcome> {
    let mut list = linting_cargo();
    // --tests leaves out documentation tests: the workspace has none, and rustdoc takes a second per crate.
    list.args(["test", "--quiet", "--workspace", "--tests", "--config", LIST]).current_dir(&workspace.root);
    let mut programs = programs(&output(&mut list)?);
    if programs.is_empty() {
        bail!("cargo names no test programs");
    }
    // The large programs contain the services, and have the slowest tests. They start first, so that none runs alone at the end.
    programs.sort_by_cached_key(|program| fs::metadata(&program.path).map_or(0, |file| file.len()));
    let url = server.url();
    Ok(run_queue(programs, |program| match collect(&program.package, &mut command(program, &url)) {
        Ok((outcome, report)) => {
            // In one piece: the outputs of two programs do not mix.
            print!("package {}\n{report}", program.package);
            outcome
        }
        Err(error) => {
            eprintln!("error: the tests of {} cannot run: {error:#}", program.package);
            Outcome::from(Tally { passed: 0, failed: 1 })
        }
    }))
}

/// Runs the last program of the list first, and [`PROGRAMS`] at the same time. Adds up their results.
fn run_queue(programs: Vec<Program>, run: impl Fn(&Program) -> Outcome + Sync) -> Outcome {
    let queue = Mutex::new(programs);
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let lane = || {
        let mut sum = Outcome::default();
        while let Some(program) = (!interrupted()).then(next).flatten() {
            sum += run(&program);
        }
        sum
    };
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..PROGRAMS).map(|_| scope.spawn(lane)).collect();
        let mut sum = Outcome::default();
        for lane in lanes {
            // A panic loses the counts of its lane.
            sum += lane.join().unwrap_or_else(|_| Outcome::from(Tally { passed: 0, failed: 1 }));
        }
        sum
    })
}

/// The programs in the output of [`LIST`].
fn programs(list: &str) -> Vec<Program> {
    let program = |line: &str| {
        let mut words = line.strip_prefix("program\t")?.split('\t');
        let (package, folder, path) = (words.next()?, words.next()?, words.next()?);
        Some(Program { package: package.to_owned(), folder: folder.into(), path: path.into() })
    };
    list.lines().filter_map(program).collect()
}

/// Runs a program as `cargo test` does, with durations in its report.
fn command(program: &Program, url: &str) -> Command {
    // Most tests wait for Postgres half of their time.
    let threads = thread::available_parallelism().map_or(2, NonZero::get) * 2;
    let mut tests = Command::new(&program.path);
    tests
        .args(["-Zunstable-options", "--report-time", "--format=pretty"])
        .arg(format!("--test-threads={threads}"))
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        .env("CARGO_PKG_NAME", &program.package)
        .env("PORTIA_TEST_DATABASE_URL", url)
        // A stable test harness reports durations only with it.
        .env("RUSTC_BOOTSTRAP", "1");
    tests
}

/// Runs a test program. Returns its results, and its output without the lines of passed tests.
fn collect(package: &str, tests: &mut Command) -> Result<(Outcome, String)> {
    let mut child = started(tests.stdout(Stdio::piped()), Command::spawn)?;
    let output = child.stdout.take().context("a test program has no output")?;
    let (mut outcome, mut report) = (Outcome::default(), String::new());
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        if let Some((name, seconds, passed)) = finished_test(&line) {
            outcome.tests.push(TestTime { name: format!("{package} {name}"), seconds });
            if passed {
                continue;
            }
        }
        outcome.tally += result(&line).unwrap_or_default();
        if !line.is_empty() {
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
    use std::{ffi::OsStr, sync::Barrier};

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
    fn counts_are_read_and_a_program_that_dies_is_a_failure() {
        let script = "echo 'test posts::stored ... ok <0.250s>'; echo 'test posts::lost ... FAILED <0.500s>'; \
             echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored'; exit 101";
        let (outcome, report) = collect("feed", Command::new("/bin/sh").args(["-c", script])).unwrap();
        assert_eq!(outcome.tally, Tally { passed: 1, failed: 1 });
        let test = |name: &str, seconds| TestTime { name: name.to_owned(), seconds };
        assert_eq!(outcome.tests, [test("feed posts::stored", 0.25), test("feed posts::lost", 0.5)]);
        assert!(report.contains("posts::lost") && !report.contains("posts::stored"), "{report}");
        let (outcome, _) = collect("feed", Command::new("/bin/sh").args(["-c", "exit 101"])).unwrap();
        assert_eq!(outcome.tally, Tally { passed: 0, failed: 1 });
    }

    #[test]
    fn the_listed_programs_are_read() {
        let list = "a warning\nprogram\tfeed\t/clone/services/feed\t/clone/target/debug/deps/it-1\n";
        let expected = Program {
            package: "feed".into(),
            folder: "/clone/services/feed".into(),
            path: "/clone/target/debug/deps/it-1".into(),
        };
        assert_eq!(programs(list), [expected]);
    }

    #[test]
    fn a_program_runs_in_the_folder_of_its_package_with_the_address_of_postgres() {
        let program = Program { package: "feed".into(), folder: "/clone/services/feed".into(), path: "it-1".into() };
        let command = command(&program, "postgres://tests");
        assert_eq!(command.get_current_dir(), Some(program.folder.as_path()));
        let variable = |name| command.get_envs().find(|(key, _)| *key == name).and_then(|(_, value)| value);
        assert_eq!(variable("CARGO_MANIFEST_DIR"), Some(program.folder.as_os_str()));
        assert_eq!(variable("PORTIA_TEST_DATABASE_URL"), Some(OsStr::new("postgres://tests")));
    }

    #[test]
    fn every_program_runs_once_the_last_first_and_two_at_a_time() {
        let program = |n: usize| Program { package: n.to_string(), folder: "/".into(), path: "/".into() };
        let (started, both) = (Mutex::new(Vec::new()), Barrier::new(PROGRAMS));
        let sum = run_queue((1..=4).map(program).collect(), |program| {
            started.lock().unwrap().push(program.package.clone());
            // Waits for the program that runs at the same time; alone it would wait forever.
            both.wait();
            let tests = vec![TestTime { name: program.package.clone(), seconds: 1.0 }];
            Outcome { tally: Tally { passed: 1, failed: 1 }, tests }
        });
        assert_eq!(sum.tally, Tally { passed: 4, failed: 4 });
        assert_eq!(sum.tests.len(), 4);
        let mut started = started.into_inner().unwrap();
        started[..PROGRAMS].sort();
        started[PROGRAMS..].sort();
        assert_eq!(started, ["3", "4", "1", "2"]);
    }
}
