//! deploy/manual/configuration.md, from the list of variables in the code. A test of chassis compares.

use anyhow::{Context, Result};

use crate::{
    command::{cargo, output},
    openapi::compare_or_write,
    workspace::Workspace,
};

pub(crate) fn write(workspace: &Workspace) -> Result<()> {
    let mut print = cargo();
    print.args(["run", "--quiet", "--package=portia", "--", "config"]).current_dir(&workspace.root);
    let page = output(&mut print).context("The variables could not be listed")?;
    compare_or_write(workspace, "deploy/manual/configuration.md", &page, false)
}
