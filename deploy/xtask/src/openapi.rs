//! `cargo xtask openapi`: gateway/openapi.json from the gateway's handlers, and the web's types from it.

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{build_as_tested, output, run, say},
    web::npm,
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct OpenApi {
    /// Change nothing; fail when a committed file differs from what the code says.
    #[arg(long)]
    check: bool,
}

impl OpenApi {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        check_or_write(workspace, self.check)
    }
}

/// Both files, in the order in which they follow from each other.
pub(crate) fn check_or_write(workspace: &Workspace, check: bool) -> Result<()> {
    run(&mut build_as_tested(&workspace.root, &[]))?;
    let example = workspace.target()?.join("debug/examples/openapi");
    let mut description = output(&mut Command::new(example)).context("the gateway did not describe itself")?;
    if !description.ends_with('\n') {
        description.push('\n');
    }
    settle(workspace, "gateway/openapi.json", &description, check)?;

    let mut types = npm(workspace);
    types.args(["run", "--silent", "api"]);
    if check {
        types.args(["--", "--check"]);
    }
    run(&mut types).context("web/src/api/schema.gen.ts does not follow from gateway/openapi.json")
}

fn settle(workspace: &Workspace, name: &str, fresh: &str, check: bool) -> Result<()> {
    let path: PathBuf = workspace.root.join(name);
    if fs::read_to_string(&path).is_ok_and(|kept| kept == fresh) {
        say(&format!("{name} is up to date"));
    } else if check {
        bail!("{name} is out of date; run `cargo xtask openapi` and commit it");
    } else {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, fresh)?;
        say(&format!("{name} is written"));
    }
    Ok(())
}
