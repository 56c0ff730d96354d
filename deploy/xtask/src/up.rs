//! `cargo xtask up`: builds Portia and runs it.

use std::{
    ffi::OsString,
    net::{Ipv4Addr, TcpListener},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::Command,
    thread,
};

use anyhow::{Context, Result, anyhow, bail};

use crate::{
    command::{cargo, run, say},
    web,
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Up {
    /// The loopback port to listen on.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The data folder [default: data/ of this clone].
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Start without the demo members and posts.
    #[arg(long)]
    empty: bool,
    /// Further arguments for `portia`; see `portia --help`.
    #[arg(last = true, value_name = "ARGUMENT")]
    more: Vec<OsString>,
}

impl Up {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        // Checked before the build, which takes minutes.
        if let Err(error) = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)) {
            bail!("port {} of 127.0.0.1 cannot be used ({error}); choose another with --port", self.port);
        }
        let dist = build(workspace)?;

        let data = match &self.data {
            Some(data) => std::path::absolute(data)?,
            None => workspace.root.join("data"),
        };
        let program = workspace.target()?.join("release/portia");
        let mut portia = Command::new(&program);
        portia.arg("--port").arg(self.port.to_string()).arg("--data").arg(data).arg("--web").arg(dist);
        if self.empty {
            portia.arg("--empty");
        }
        portia.args(self.more);
        // Replaces this process, so that the server gets every signal and its exit code is returned.
        let error = portia.exec();
        Err(error).with_context(|| format!("{} could not be started", program.display()))
    }
}

/// Builds the server and, concurrently, the web client. Returns the folder of the client.
fn build(workspace: &Workspace) -> Result<PathBuf> {
    web::check_node()?;
    thread::scope(|scope| {
        let web = scope.spawn(|| web::build(workspace));
        say("Building Portia (the first time this takes some minutes) ...");
        run(cargo().args(["build", "--release", "--package=portia"]).current_dir(&workspace.root))?;
        web.join().map_err(|_| anyhow!("the build of the web client panicked"))?
    })
}
