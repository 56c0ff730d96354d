//! Databases for development and tests: a server for the duration of a task, and `cargo xtask db`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use portia_postgres::{Options, Postgres, Profile, Running, Source};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::{
    command::{handle_interrupts, run, say},
    workspace::Workspace,
};

/// The superuser's URL of a server to use instead of one started here.
const SERVER: &str = "PORTIA_TEST_DATABASE_URL";

/// The free memory that the tests need: a container often has 64 MiB, other machines half of their memory.
const ROOM_KIB: u64 = 4 << 20;

#[derive(clap::Args)]
pub(crate) struct Db {
    /// Use the PostgreSQL of the npm package even where the machine has its own.
    #[arg(long)]
    fetched: bool,
}

impl Db {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        // Registered before the server starts, so that no Ctrl-C is lost in between.
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let data = portia_postgres::home_for(&workspace.target()?.join("xtask/db"))?;
        let running = start(data, if self.fetched { Source::Fetched } else { Source::Any })?;
        println!("{}", running.admin_url());
        say("Running until Ctrl-C; the next start continues with the same data");
        signals.forever().next();
        running.stop()?;
        Ok(())
    }
}

/// A server for one task: the server at `PORTIA_TEST_DATABASE_URL`, or its own, which stops when the value is dropped.
pub(crate) enum Server {
    Given(String),
    Own { running: Option<Running>, data: PathBuf },
}

impl Server {
    pub(crate) fn for_task(workspace: &Workspace, task: &str) -> Result<Self> {
        if let Some(url) = std::env::var_os(SERVER) {
            let url = url.into_string().ok().context("PORTIA_TEST_DATABASE_URL is not UTF-8")?;
            return Ok(Self::Given(url));
        }
        handle_interrupts()?;
        let data = match memory() {
            Some(memory) => memory.join(format!("portia-{task}-{}", std::process::id())),
            None => {
                let name = format!("xtask/{task}-{}", std::process::id());
                portia_postgres::home_for(&workspace.target()?.join(name))?
            }
        };
        for earlier in earlier_runs(&data) {
            // The folder of a current run is locked and is not deleted.
            portia_postgres::discard(&earlier).ok();
        }
        let running = start(data.clone(), Source::Any)?;
        Ok(Self::Own { running: Some(running), data })
    }

    /// The superuser's URL of the maintenance database.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Given(url) => url.clone(),
            Self::Own { running, .. } => running.as_ref().map(Running::admin_url).unwrap_or_default(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Self::Own { running, data } = self {
            drop(running.take());
            // The next run deletes what cannot be deleted now.
            portia_postgres::discard(data).ok();
        }
    }
}

/// A folder in memory, where there is room for the data of the tests. On a disk the tests spend most of the CPU time of Postgres
/// on the files of their databases: 22 instead of 7 seconds for 36 tests on ext4 without a journal (2026-11-29).
pub(crate) fn memory() -> Option<&'static Path> {
    let folder = Path::new("/dev/shm");
    // Some tests run programs that they have written.
    let mounts = fs::read_to_string("/proc/mounts").ok()?;
    if mounts.lines().any(|mount| mount.contains(" /dev/shm ") && mount.contains("noexec")) {
        return None;
    }
    let df = Command::new("df").arg("-Pk").arg(folder).output().ok()?;
    (free_kib(&String::from_utf8_lossy(&df.stdout))? >= ROOM_KIB).then_some(folder)
}

/// The fourth column of the last line of `df -Pk`.
fn free_kib(df: &str) -> Option<u64> {
    df.lines().next_back()?.split_whitespace().nth(3)?.parse().ok()
}

fn start(data: PathBuf, source: Source) -> Result<Running> {
    let progress = &|line: &str| say(line);
    Ok(Postgres::start(Options { data, profile: Profile::Throwaway, source, progress })?)
}

/// The folders of killed earlier runs of this task, and of current ones.
///
/// A task's folder is named after it and its process: `test-1234`.
pub(crate) fn earlier_runs(folder: &Path) -> Vec<PathBuf> {
    let task = |path: &Path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let (task, process) = name.rsplit_once('-')?;
        process.parse::<u32>().is_ok().then(|| task.to_owned())
    };
    let siblings = folder.parent().and_then(|parent| fs::read_dir(parent).ok());
    let paths = siblings.into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| path != folder && task(path).is_some() && task(path) == task(folder)).collect()
}

/// A bootstrapped database on a server, with SQL files applied. The drop of the value drops the database.
pub(crate) struct Scratch<'a> {
    workspace: &'a Workspace,
    server: &'a str,
    name: String,
}

impl<'a> Scratch<'a> {
    /// Lets this cargo build the program that creates and drops the databases. With --workspace the dependencies have the
    /// features of the tests, and are compiled once.
    pub(crate) fn build<'c>(cargo: &'c mut Command, workspace: &Workspace) -> &'c mut Command {
        cargo.args(["build", "--quiet", "--workspace", "--example=scratch-database"]).current_dir(&workspace.root)
    }

    /// The program of [`Scratch::build`] is built.
    pub(crate) fn create(workspace: &'a Workspace, server: &'a str, name: &str, files: &[PathBuf]) -> Result<Self> {
        let name = format!("portia_{name}_{}", std::process::id());
        let mut command = scratch_database(workspace)?;
        run(command.args(["create", server, &name]).args(files))?;
        Ok(Self { workspace, server, name })
    }

    /// The superuser's URL of this database.
    pub(crate) fn url(&self) -> String {
        let (server, query) = self.server.split_once('?').unwrap_or((self.server, ""));
        let base = server.rsplit_once('/').map_or(server, |(base, _)| base);
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{base}/{}{mark}{query}", self.name)
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        let drop = scratch_database(self.workspace);
        if let Err(error) = drop.and_then(|mut command| run(command.args(["drop", self.server, &self.name]))) {
            say(&format!("The database {} could not be dropped: {error}", self.name));
        }
    }
}

fn scratch_database(workspace: &Workspace) -> Result<Command> {
    Ok(Command::new(workspace.target()?.join("debug/examples/scratch-database")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_space_is_read() {
        let df = "Filesystem     1024-blocks  Used Available Capacity Mounted on\n\
                  tmpfs             24684096 12288  24671808       1% /dev/shm\n";
        assert_eq!(free_kib(df), Some(24_671_808));
        assert_eq!(free_kib(""), None);
    }

    #[test]
    fn earlier_runs_are_those_of_the_same_task() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["test-1", "test-2", "sqlx-3", "test-notes", "db"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        assert_eq!(earlier_runs(&folder.path().join("test-2")), [folder.path().join("test-1")]);
    }
}
