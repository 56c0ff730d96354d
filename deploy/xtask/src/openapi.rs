//! gateway/openapi.json, from the handlers of the gateway, and the types and limits of the web client, from this document.

mod limits;

use std::{fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};

use crate::{
    command::{cargo, output, run, say},
    web::npm,
    workspace::Workspace,
};

/// Builds the generator, then compares or writes the files.
pub(crate) fn check_or_write(workspace: &Workspace, check: bool) -> Result<()> {
    // With --workspace the dependencies have the features of the tests, and are compiled once.
    run(cargo().args(["build", "--quiet", "--workspace", "--example=openapi"]).current_dir(&workspace.root))?;
    check_or_write_built(workspace, check)
}

/// Compares the files with the output of the generator that is in the build folder.
pub(crate) fn check_built(workspace: &Workspace) -> Result<()> {
    check_or_write_built(workspace, true)
}

/// openapi.json comes first, because the types of the web client are generated from it.
fn check_or_write_built(workspace: &Workspace, check: bool) -> Result<()> {
    let example = workspace.target()?.join("debug/examples/openapi");
    let mut description = output(&mut Command::new(example)).context("openapi.json could not be generated")?;
    if !description.ends_with('\n') {
        description.push('\n');
    }
    compare_or_write(workspace, "gateway/openapi.json", &description, check)?;
    for (file, content) in limits::typescript(&description)? {
        compare_or_write(workspace, &format!("web/src/api/{file}"), &content, check)?;
    }

    let mut types = npm(workspace);
    types.args(["run", "--silent", "api"]);
    if check {
        types.args(["--", "--check"]);
    }
    run(&mut types).context("web/src/api/schema.gen.ts does not follow from gateway/openapi.json")
}

/// Compares a generated file with the committed one, or writes it.
pub(crate) fn compare_or_write(workspace: &Workspace, name: &str, fresh: &str, check: bool) -> Result<()> {
    let path: PathBuf = workspace.root.join(name);
    if fs::read_to_string(&path).is_ok_and(|committed| committed == fresh) {
        say(&format!("{name} is up to date"));
    } else if check {
        bail!("{name} is out of date; run `cargo xtask generate` and commit it");
    } else {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, fresh)?;
        say(&format!("{name} is written"));
    }
    Ok(())
}
