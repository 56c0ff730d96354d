//! `cargo xtask dev`: Portia in the dev profile behind the development server of the web client, at one address. A saved Rust file
//! rebuilds and restarts it; a saved file of the client is on the page at once.

use std::{
    ffi::OsString,
    fs,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, SystemTime},
};

use anyhow::{Result, bail};

use crate::{
    command::{cargo, handle_interrupts, interrupted, run, say, started},
    portia::stop,
    web,
    workspace::Workspace,
};

/// The folders and files from which the program is built.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "proto", "services", "gateway", "deploy"];
/// The endings of files that a build reads.
const ENDINGS: [&str; 6] = ["rs", "toml", "lock", "proto", "sql", "json"];
/// Looking takes some milliseconds. There is no notification of the kind on every system, and this needs no library.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

#[derive(clap::Args)]
pub(crate) struct Dev {
    /// The loopback port of the address.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The data folder [default: data/ of this clone].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Further arguments for `portia`; see `portia --help`.
    #[arg(last = true, value_name = "ARGUMENT")]
    more: Vec<OsString>,
}

impl Dev {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)) {
            bail!("port {} of 127.0.0.1 cannot be used ({error}); choose another with --port", self.port);
        }
        handle_interrupts()?;
        web::install(workspace)?;
        let behind = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let address = format!("http://127.0.0.1:{}", self.port);
        let mut portia = Running::default();
        let mut vite = Running::default();
        let mut built = None;
        while !interrupted() {
            let newest = newest_in(&workspace.root)?;
            if built != Some(newest) {
                built = Some(newest);
                if build(workspace).is_ok() {
                    portia.replace(&mut self.portia(workspace, behind, &address)?)?;
                } else if !interrupted() {
                    say("The build failed; the earlier program runs on");
                }
            }
            if !vite.is_running() && !interrupted() {
                vite.replace(&mut client(workspace, self.port, behind))?;
                say(&format!("Portia is at {address}; Ctrl-C ends it"));
            }
            sleep(LOOK_INTERVAL);
        }
        Ok(())
    }

    fn portia(&self, workspace: &Workspace, port: u16, address: &str) -> Result<Command> {
        let data = match &self.data {
            Some(data) => std::path::absolute(data)?,
            None => workspace.root.join("data"),
        };
        let mut portia = Command::new(workspace.target()?.join("debug/portia"));
        portia.args(["--port", &port.to_string()]).arg("--data").arg(data).arg("--web").arg(workspace.web());
        portia.args(&self.more).env("PORTIA_PUBLIC_ORIGIN", address);
        Ok(portia)
    }
}

fn build(workspace: &Workspace) -> Result<()> {
    run(cargo().args(["build", "--quiet", "--package=portia"]).current_dir(&workspace.root))
}

/// The development server of the client, which forwards requests of the API.
fn client(workspace: &Workspace, port: u16, behind: u16) -> Command {
    let mut vite = web::npm(workspace);
    vite.args(["run", "--silent", "dev", "--", "--strictPort", "--port", &port.to_string()]);
    vite.env("PORTIA_URL", format!("http://127.0.0.1:{behind}"));
    vite
}

/// A program that is stopped when another one takes its place, and at the end.
#[derive(Default)]
struct Running(Option<Child>);

impl Running {
    fn replace(&mut self, command: &mut Command) -> Result<()> {
        self.0.iter_mut().for_each(stop);
        self.0 = Some(started(command.stdin(Stdio::null()), Command::spawn)?);
        Ok(())
    }

    fn is_running(&mut self) -> bool {
        self.0.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(stop);
    }
}

/// The time of the last change of a source. A deleted file changes its folder.
fn newest_in(root: &Path) -> Result<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders: Vec<PathBuf> = SOURCES.iter().map(|source| root.join(source)).collect();
    while let Some(path) = folders.pop() {
        // A file may be gone between the two looks.
        let Ok(about) = fs::metadata(&path) else { continue };
        let is_source = path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
        if about.is_dir() {
            folders.extend(fs::read_dir(&path)?.filter_map(|entry| entry.ok().map(|entry| entry.path())));
        } else if !is_source {
            continue;
        }
        newest = newest.max(about.modified()?);
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_and_a_deleted_source_are_changes_and_others_are_not() {
        let root = tempfile::tempdir().unwrap();
        let file = |name: &str| root.path().join("services").join(name);
        let set = |path: &Path, seconds| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            fs::File::open(path).unwrap().set_modified(time).unwrap();
        };
        fs::create_dir(root.path().join("services")).unwrap();
        for (name, time) in [("a.rs", 10), ("b.sql", 20), ("notes.md", 90)] {
            fs::write(file(name), name).unwrap();
            set(&file(name), time);
        }
        set(&root.path().join("services"), 30);
        let newest = || newest_in(root.path()).unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
        assert_eq!(newest(), 30);
        set(&file("a.rs"), 40);
        assert_eq!(newest(), 40);
        fs::remove_file(file("b.sql")).unwrap();
        assert!(newest() > 90);
    }
}
