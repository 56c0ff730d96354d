//! Checks by other programs.

use anyhow::Result;

use super::Findings;
use crate::{
    command::{cargo, run},
    openapi, sqlx,
    web::{install, npm},
    workspace::Workspace,
};

pub(super) fn format(workspace: &Workspace) -> Result<Findings> {
    found(run(cargo().args(["fmt", "--all", "--check"]).current_dir(&workspace.root)))
}

pub(super) fn clippy(workspace: &Workspace) -> Result<Findings> {
    let mut clippy = cargo();
    clippy.args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny=warnings"]);
    found(run(clippy.current_dir(&workspace.root)))
}

/// Types, lints, equal texts in both languages, and the size budget of the landing page if it is built.
pub(super) fn web(workspace: &Workspace) -> Result<Findings> {
    install(workspace)?;
    run(npm(workspace).args(["run", "--silent", "check"]))?;
    if workspace.web().join("dist/index.html").is_file() {
        run(std::process::Command::new("node").arg("scripts/check-budget.mjs").current_dir(workspace.web()))?;
    }
    Ok(Findings::new())
}

pub(super) fn openapi(workspace: &Workspace) -> Result<Findings> {
    install(workspace)?;
    found(openapi::check_or_write(workspace, true))
}

pub(super) fn sqlx(workspace: &Workspace) -> Result<Findings> {
    sqlx::check(workspace)
}

/// The result of a program that prints its findings itself.
fn found(ran: Result<()>) -> Result<Findings> {
    ran.map(|()| Findings::new())
}
