//! The standalone Portia as a child process: started as by `cargo xtask up`, awaited, stopped.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::data_folder::DataFolder;

/// Its output when it is ready.
const READY: &str = "Portia is at ";
/// It drains in two stages and writes a checkpoint.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// A running Portia; stopped when dropped.
#[derive(Debug)]
pub struct Portia {
    child: Child,
    /// Its address: `http://127.0.0.1:40123`.
    pub base: String,
    /// The process id of its Postgres.
    pub postgres: u32,
}

impl Portia {
    /// Starts `program` on a data folder, without demo and external sources, on a free port of this machine. Blocks
    /// until it is ready.
    ///
    /// # Errors
    /// When it ends before that.
    pub fn start(program: &Path, folder: &DataFolder) -> anyhow::Result<Self> {
        Self::start_with(program, folder, &[("PORTIA_CRAWL", "off")])
    }

    /// Starts Portia with these variables.
    ///
    /// # Errors
    /// When it ends before it is ready.
    pub fn start_with(program: &Path, folder: &DataFolder, variables: &[(&str, &str)]) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        without_own_variables(&mut command);
        command.envs(variables.iter().copied());
        command.args(["--empty", "--port", "0", "--data"]).arg(folder.path()).arg("--web").arg(folder.page()?);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("{} could not be started", program.display()))?;
        let mut lines = BufReader::new(child.stdout.take().context("it has no output")?).lines();
        let mut listening = None;
        for line in lines.by_ref() {
            if let Some(base) = line?.strip_prefix(READY) {
                listening = Some(base.trim().to_owned());
                break;
            }
        }
        let Some(base) = listening else {
            let ended = child.wait()?;
            anyhow::bail!("{} ended before it listened ({ended})", program.display());
        };
        // The pipe must be drained.
        thread::spawn(move || lines.for_each(drop));
        let mut portia = Self { child, base, postgres: 0 };
        (portia.postgres, _) = folder.server()?;
        Ok(portia)
    }

    /// Its process id.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Stops it gracefully.
    ///
    /// # Errors
    /// When it does not end within a minute.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.interrupt()
    }

    fn interrupt(&mut self) -> anyhow::Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        kill(Pid::from_raw(i32::try_from(self.child.id())?), Signal::SIGINT)?;
        let patience = Instant::now() + STOP_TIMEOUT;
        while self.child.try_wait()?.is_none() {
            anyhow::ensure!(Instant::now() < patience, "Portia (process {}) does not stop", self.child.id());
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

/// The measured process must not use the database or the collector of the caller's environment.
pub(crate) fn without_own_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if ["PORTIA_", "OTEL_"].iter().any(|ours| name.to_string_lossy().starts_with(ours)) {
            command.env_remove(name);
        }
    }
}

impl Drop for Portia {
    fn drop(&mut self) {
        if let Err(error) = self.interrupt() {
            eprintln!("{error:#}");
        }
    }
}
