//! The browser tests: Playwright against a Portia of its own, counted from its JSON report.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde::Deserialize;

use super::{
    compile::compile_portia,
    needs,
    outcome::{Failure, Outcome, TestTime},
};
use crate::{
    command::{interrupted, run, say, started},
    database::earlier_runs,
    tally::Tally,
    web::npm,
    workspace::Workspace,
};

/// A debug build creates the demo data at its first start.
const READY_WITHIN: Duration = Duration::from_secs(180);
/// Draining, then the checkpoint of Postgres.
const STOPPED_WITHIN: Duration = Duration::from_secs(40);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

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
    let portia = Portia::start(workspace, dist)?;

    let report = workspace.target()?.join("xtask/playwright.json");
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut tests = npm(workspace);
    tests
        .args(["run", "--silent", "test:e2e", "--", "--reporter=list,json"])
        .env("PORTIA_URL", format!("http://127.0.0.1:{}", portia.port))
        .env("PLAYWRIGHT_JSON_OUTPUT_FILE", &report);
    if let Some(browser) = needs::CHROMIUM.found() {
        tests.env("CHROMIUM", browser);
    }
    let ran = run(&mut tests);
    if let Err(error) = &ran {
        say(&format!("{error}"));
    }
    drop(portia);
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

/// A Portia on a free port with temporary data. The drop stops it and deletes the data.
struct Portia {
    child: Child,
    port: u16,
    data: PathBuf,
}

impl Portia {
    fn start(workspace: &Workspace, dist: &Path) -> Result<Self> {
        let target = workspace.target()?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let data = portia_postgres::home_for(&target.join(format!("xtask/e2e-{}", std::process::id())))?;
        for earlier in earlier_runs(&data) {
            delete(&earlier);
        }
        let log = target.join("xtask/e2e.log");
        let output = File::create(&log)?;
        let mut command = Command::new(target.join("debug/portia"));
        command
            .args(["--port", &port.to_string()])
            .arg("--data")
            .arg(&data)
            .arg("--web")
            .arg(dist)
            .env_remove("PORTIA_DATABASE_URL")
            // The tests use no external source, and delete the data.
            .envs([("PORTIA_CRAWL", "off"), ("PORTIA_DATABASE_SYNC", "off")])
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);

        let mut portia = Self { child: started(&mut command, Command::spawn)?, port, data };
        say(&format!("Portia for the browser: port {port}, output in {}", log.display()));
        let deadline = Instant::now() + READY_WITHIN;
        while !answers(port) {
            if let Some(status) = portia.child.try_wait()? {
                bail!("Portia ended at its start ({status}); see {}", log.display());
            }
            if interrupted() || Instant::now() > deadline {
                bail!("Portia did not answer within {} seconds; see {}", READY_WITHIN.as_secs(), log.display());
            }
            sleep(POLL_INTERVAL);
        }
        Ok(portia)
    }
}

impl Drop for Portia {
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            // A regular shutdown, which stops its Postgres. An error means that it has ended already.
            kill(Pid::from_raw(id), Signal::SIGTERM).ok();
        }
        let deadline = Instant::now() + STOPPED_WITHIN;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            sleep(POLL_INTERVAL);
        }
        if matches!(self.child.try_wait(), Ok(None)) {
            say("Portia does not stop; killing it");
            self.child.kill().and_then(|()| self.child.wait()).ok();
        }
        delete(&self.data);
    }
}

/// Deletes a data folder unless a running Portia uses it. The next run deletes what cannot be deleted now.
fn delete(data: &Path) {
    // A killed Portia leaves its Postgres running.
    if portia_postgres::discard(&data.join("postgres")).is_ok() {
        fs::remove_dir_all(data).ok();
    }
}

/// Whether an HTTP server answers the front page with 200.
fn answers(port: u16) -> bool {
    let request = || -> std::io::Result<bool> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok(start == *b"HTTP/1.1 200")
    };
    request().unwrap_or(false)
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

    #[test]
    fn only_status_200_counts_as_an_answer() {
        for (status, expected) in [("200 OK", true), ("503 Service Unavailable", false)] {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                // Reads the complete request: closing a socket with unread bytes resets the connection.
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    let mut byte = [0];
                    stream.read_exact(&mut byte).unwrap();
                    request.extend(byte);
                }
                // In one write: the client disconnects after the status.
                stream.write_all(format!("HTTP/1.1 {status}\r\n\r\n").as_bytes()).unwrap();
            });
            assert_eq!(answers(port), expected);
            server.join().unwrap();
        }
    }
}
