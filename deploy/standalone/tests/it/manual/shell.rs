//! The shell of an operator: it runs blocks of the manual by their names.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use portia_postgres::{self as postgres, Profile::Throwaway, Running};

use super::blocks::{blocks, root};
use crate::admin::utf8;

/// The variables of the shell, and the names of the blocks that ran.
pub struct Shell {
    variables: BTreeMap<String, String>,
    ran: BTreeSet<String>,
    /// Folders of programs that come first.
    programs: Vec<PathBuf>,
}

/// The values that differ between two servers.
#[derive(Clone)]
pub struct Server {
    pub port: u16,
    pub password: String,
}

impl Server {
    /// Another Postgres without a database of Portia; it ends with the value.
    pub async fn start(data: &Path) -> (Running, Self) {
        let data = data.to_owned();
        let started = tokio::task::spawn_blocking(move || {
            let options =
                postgres::Options { data, profile: Throwaway, source: postgres::Source::Any, progress: &|_| {} };
            postgres::Postgres::start(options)
        });
        let running = started.await.unwrap().unwrap();
        // postgres://postgres:PASSWORD@127.0.0.1:PORT/..
        let url = running.admin_url();
        let password = url.split("postgres:").last().unwrap().split('@').next().unwrap().to_owned();
        let server = Self { port: running.port(), password };
        (running, server)
    }

    /// The address for a role with a password.
    pub fn url(&self, role: &str, password: &str) -> String {
        format!("postgres://portia_{role}:{password}@127.0.0.1:{}/portia", self.port)
    }
}

impl Shell {
    /// A shell with the variables of deploy/README.md, for a Postgres on this machine.
    pub fn new(server: &Server, variables: &[(&str, &Path)]) -> Self {
        let mut shell = Self { variables: BTreeMap::new(), ran: BTreeSet::new(), programs: Vec::new() };
        for (name, value) in [("PGHOST", "127.0.0.1"), ("PGUSER", "postgres"), ("PGDATABASE", "portia")] {
            shell.set(name, value);
        }
        for (name, value) in variables {
            shell.set(name, value.to_str().unwrap());
        }
        shell.use_server(server);
        shell
    }

    /// The next blocks concern this server.
    pub fn use_server(&mut self, server: &Server) {
        self.set("PGPORT", &server.port.to_string());
        self.set("PGPASSWORD", &server.password);
    }

    /// Replaces a program that this machine may lack by a script.
    pub fn replace_program(&mut self, name: &str, folder: &Path, script: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(name), script).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        self.add_programs(folder);
    }

    /// Adds a folder of programs that come first.
    pub fn add_programs(&mut self, folder: &Path) {
        self.programs.push(folder.to_owned());
    }

    /// The value of a variable that is set.
    pub fn variable(&self, name: &str) -> &str {
        &self.variables[name]
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    /// Runs a block as it is in the manual, and returns what it prints.
    pub fn run(&mut self, name: &str) -> String {
        self.ran.insert(name.to_owned());
        printed(name, &self.command(name).output().unwrap())
    }

    /// Runs a block while other futures of the task continue. `run` would stop them, and a gateway would close their
    /// connections, on which no request arrives.
    pub async fn run_beside(&mut self, name: &str) -> String {
        self.ran.insert(name.to_owned());
        let mut command = self.command(name);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        printed(name, &output)
    }

    /// Runs a block that fails, and returns what it says.
    pub fn refused(&self, name: &str) -> String {
        let output = self.command(name).output().unwrap();
        assert!(!output.status.success(), "{name}: {}", utf8(&output.stdout));
        utf8(&output.stderr)
    }

    fn command(&self, name: &str) -> Command {
        let block = blocks().into_iter().find(|block| block.name == name);
        let block = block.unwrap_or_else(|| panic!("the manual has no block {name}"));
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", &block.text]).current_dir(root()).stdin(Stdio::null());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PORTIA_")) {
            bash.env_remove(name);
        }
        bash.env("PATH", self.path()).envs(&self.variables);
        bash
    }

    /// The PATH of an operator, with the command `portia`.
    fn path(&self) -> OsString {
        let portia = Path::new(env!("CARGO_BIN_EXE_portia")).parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let own = self.programs.iter().cloned().chain([portia]);
        std::env::join_paths(own.chain(std::env::split_paths(&path))).unwrap()
    }

    /// Asserts that the blocks that ran are the blocks in the test's list.
    pub fn finish(self, expected: &[&str]) {
        let expected: BTreeSet<String> = expected.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(self.ran, expected);
    }
}

/// The output of a block that succeeded.
fn printed(name: &str, output: &Output) -> String {
    assert!(output.status.success(), "{name}: {}{}", utf8(&output.stdout), utf8(&output.stderr));
    utf8(&output.stdout)
}

/// Whether this machine has the client programs of this or a later version of Postgres. The npm package, which machines without
/// Postgres use, has the server only: there the blocks are parsed and not run.
pub fn has_client_of(major: u32) -> bool {
    let version = Command::new("pg_dump").arg("--version").output();
    let text = version.map(|output| utf8(&output.stdout)).unwrap_or_default();
    let number = text.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty());
    let is_recent = number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|client| client >= major);
    if !is_recent {
        eprintln!("the blocks do not run: they need pg_dump {major}");
    }
    is_recent
}
