//! Compiles the tests. The same run of the compiler checks the lints of clippy and describes the SQL queries. As separate
//! checks, each compiles the workspace once more, and clippy the metadata of every dependency.

use std::process::Command;

use anyhow::Result;

use crate::{
    check::{Findings, report},
    command::{linting_cargo, run},
    database::{Scratch, Server},
    openapi,
    sqlx::Description,
    tally::Tally,
    workspace::Workspace,
};

/// Compiles the tests with their programs, and reports the checks of the compilation. Without success, no test can run.
pub(super) fn compile(workspace: &Workspace, server: &Server) -> Result<Tally> {
    // Its dependencies are needed by the tests too.
    run(Scratch::build(&mut linting_cargo(), workspace))?;
    let url = server.url();
    let description = Description::begin(workspace, &url, workspace.services()?)?;
    let mut compilation = compilation(workspace);
    description.configure(&mut compilation);
    run(&mut compilation)?;

    let mut tally = report("clippy", Ok(Findings::new()));
    tally += report(".sqlx", description.compare());
    Ok(tally)
}

/// Compares openapi.json and the types of the web client with the compiled gateway. Needs the packages of the client.
pub(super) fn check_openapi(workspace: &Workspace) -> Tally {
    report("openapi.json and its types", openapi::check_built(workspace).map(|()| Findings::new()))
}

/// Compiles what only the browser tests and the chaos need, with the artifacts of [`compile`] if it has run.
pub(super) fn compile_portia(workspace: &Workspace) -> Result<()> {
    run(&mut compilation(workspace))
}

/// Tests, and the programs and examples beside them, as `cargo test` compiles them by default.
fn compilation(workspace: &Workspace) -> Command {
    let mut compilation = linting_cargo();
    compilation.args(["test", "--no-run", "--quiet", "--workspace"]).current_dir(&workspace.root);
    compilation
}
