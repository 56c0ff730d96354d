//! A Portia of its own for a task of xtask.

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{
    command::{interrupted, run, say, started},
    database::earlier_runs,
    workspace::Workspace,
};

/// A debug build creates the demo data at its first start.
const READY_WITHIN: Duration = Duration::from_secs(180);
/// Draining, then the checkpoint of Postgres.
const STOPPED_WITHIN: Duration = Duration::from_secs(40);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A Portia on a free port with temporary data. The drop stops it and deletes the data.
pub(crate) struct Portia {
    child: Child,
    program: PathBuf,
    port: u16,
    data: PathBuf,
    log: PathBuf,
}

impl Portia {
    /// Starts the compiled Portia for a task, which names its folder and its output.
    pub(crate) fn start(workspace: &Workspace, dist: &Path, task: &str) -> Result<Self> {
        let target = workspace.target()?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let data = portia_postgres::home_for(&target.join(format!("xtask/{task}-{}", std::process::id())))?;
        for earlier in earlier_runs(&data) {
            delete(&earlier);
        }
        let log = target.join(format!("xtask/{task}.log"));
        let output = File::create(&log)?;
        let program = target.join("debug/portia");
        let mut command = Command::new(&program);
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

        let mut portia = Self { child: started(&mut command, Command::spawn)?, program, port, data, log: log.clone() };
        say(&format!("Portia for the tests: port {port}, output in {}", log.display()));
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

    /// The address of the API and the client.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Runs `portia admin` on it.
    pub(crate) fn admin(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.arg("admin").args(arguments).arg("--data").arg(&self.data).env_remove("PORTIA_DATABASE_URL");
        run(&mut command)
    }

    /// Username and password of a demo member, which a new Portia prints.
    pub(crate) fn demo_member(&self) -> Result<(String, String)> {
        // It answers before it prints them.
        let deadline = Instant::now() + READY_WITHIN;
        loop {
            if let Some(member) = demo_member(&fs::read_to_string(&self.log)?) {
                return Ok(member);
            }
            if interrupted() || Instant::now() > deadline {
                bail!("Portia printed no demo member");
            }
            sleep(POLL_INTERVAL);
        }
    }
}

fn demo_member(output: &str) -> Option<(String, String)> {
    let line = output.lines().find_map(|line| line.trim().strip_prefix("sign in as "))?;
    let (username, password) = line.split_once(" password ")?;
    Some((username.trim().to_owned(), password.trim().to_owned()))
}

impl Drop for Portia {
    fn drop(&mut self) {
        stop(&mut self.child);
        delete(&self.data);
    }
}

/// Ends a program, by force when it does not end by itself.
pub(crate) fn stop(child: &mut Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        // A regular shutdown, in which Portia stops its Postgres. An error means that it has ended already.
        kill(Pid::from_raw(id), Signal::SIGTERM).ok();
    }
    let deadline = Instant::now() + STOPPED_WITHIN;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        sleep(POLL_INTERVAL);
    }
    if matches!(child.try_wait(), Ok(None)) {
        say("The program does not stop; killing it");
        child.kill().and_then(|()| child.wait()).ok();
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
    fn the_first_demo_member_is_read_from_the_output() {
        let output = "Portia is at http://127.0.0.1:1\n\n  sign in as isabel.reyes       password f7v6\n  sign in as b password c\n";
        assert_eq!(demo_member(output), Some(("isabel.reyes".to_owned(), "f7v6".to_owned())));
        assert_eq!(demo_member("Portia is at http://127.0.0.1:1"), None);
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
