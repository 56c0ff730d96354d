//! One process: started, killed, suspended, stopped.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::{accepts, without_own_variables};
use crate::wait::eventually;

/// How it says that it is ready.
#[derive(Debug)]
enum Readiness {
    /// The address of the probe.
    Probe(String),
    /// The port that accepts connections.
    Port(u16),
}

/// A process that may run. The drop kills it.
#[derive(Debug)]
pub struct Process {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    readiness: Readiness,
    log: PathBuf,
    client: reqwest::Client,
    child: Option<Child>,
}

impl Process {
    /// A process of Portia with its environment and the address of its admin port.
    pub(super) fn portia(
        name: &str,
        program: PathBuf,
        variables: Vec<(String, String)>,
        admin: String,
        log: PathBuf,
    ) -> Self {
        Self {
            name: name.to_owned(),
            program,
            arguments: Vec::new(),
            variables,
            readiness: Readiness::Probe(format!("http://{admin}/readyz")),
            log,
            client: client(),
            child: None,
        }
    }

    /// A Redis that stores nothing on the disk.
    pub(super) fn redis(program: PathBuf, port: u16, folder: &Path) -> anyhow::Result<Self> {
        let own = folder.join("redis");
        fs::create_dir_all(&own)?;
        let options = format!("--port {port} --bind 127.0.0.1 --appendonly no --daemonize no");
        let mut arguments: Vec<String> = options.split(' ').map(str::to_owned).collect();
        arguments.extend(["--save".to_owned(), String::new(), "--dir".to_owned(), own.display().to_string()]);
        Ok(Self {
            name: "redis".to_owned(),
            program,
            arguments,
            variables: Vec::new(),
            readiness: Readiness::Port(port),
            log: folder.join("logs/redis.log"),
            client: client(),
            child: None,
        })
    }

    /// Starts it unless it runs.
    ///
    /// # Errors
    /// When the program is missing.
    pub fn start(&mut self) -> anyhow::Result<()> {
        if self.child.is_some() {
            return Ok(());
        }
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.program);
        without_own_variables(&mut command);
        command.args(&self.arguments).envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("{} could not be started", self.program.display()))?;
        self.child = Some(child);
        Ok(())
    }

    /// Kills it if it runs, as the OOM killer does.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Sends a signal if it runs: SIGSTOP or SIGCONT.
    ///
    /// # Errors
    /// When it has ended.
    pub fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        let Some(child) = &self.child else { return Ok(()) };
        Ok(kill(Pid::from_raw(i32::try_from(child.id())?), signal)?)
    }

    /// Stops it with SIGTERM, and waits for its end.
    ///
    /// # Errors
    /// When it does not end, or reports a failure.
    pub async fn stop(&mut self) -> anyhow::Result<()> {
        self.signal(Signal::SIGTERM)?;
        let Some(mut child) = self.child.take() else { return Ok(()) };
        let (what, mut ended) = (format!("{} ends", self.name), None);
        let waited = eventually(&what, async || {
            ended = child.try_wait().ok().flatten();
            ended.is_some()
        });
        if let Err(error) = waited.await {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
        let status = ended.context("it has ended")?;
        ensure!(status.success(), "{} ended after SIGTERM with {status}", self.name);
        Ok(())
    }

    /// How it ended by itself; `None` while it runs.
    ///
    /// # Errors
    /// When it cannot be observed.
    pub fn has_crashed(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let Some(child) = &mut self.child else { return Ok(None) };
        let status = child.try_wait()?;
        if status.is_some() {
            self.child = None;
        }
        Ok(status)
    }

    /// The address of its probe, if it has one.
    #[must_use]
    pub fn probe(&self) -> Option<String> {
        match &self.readiness {
            Readiness::Probe(probe) => Some(probe.clone()),
            Readiness::Port(_) => None,
        }
    }

    /// Whether it serves.
    pub async fn is_ready(&self) -> bool {
        match &self.readiness {
            Readiness::Probe(probe) => {
                self.client.get(probe).send().await.is_ok_and(|response| response.status().is_success())
            }
            Readiness::Port(port) => accepts(*port).await,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SIGKILL ends a suspended process too.
        self.kill().ok();
    }
}

fn client() -> reqwest::Client {
    // A builder without options of TLS does not fail.
    reqwest::Client::builder().timeout(Duration::from_secs(2)).build().unwrap_or_default()
}
