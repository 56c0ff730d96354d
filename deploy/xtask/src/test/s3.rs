//! moto, a server of S3, and the client of its operators, for the test of the chapter about pictures. Both are of PyPI: a machine
//! without a network runs the other tests.

use std::path::PathBuf;

use anyhow::Result;

use crate::{command::say, pypi::Tool, workspace::Workspace};

/// With the extra `s3`, and of its extra `server` what S3 needs.
const MOTO: Tool = Tool {
    program: "moto_server",
    package: "moto",
    version: "5.2.5",
    with: &["py-partiql-parser==0.6.3", "PyYAML==6.0.4", "flask==3.1.3", "flask-cors==6.0.5", "awscli==1.46.3"],
};

/// Installs both, or says that the test does not run.
pub(super) fn install(workspace: &Workspace) -> Result<()> {
    let folder = MOTO.folder(workspace)?;
    if !MOTO.is_in(&folder)
        && let Err(error) = MOTO.install(&folder)
    {
        say(&format!("The test of pictures in S3 does not run: {error:#}"));
    }
    Ok(())
}

/// The folder of the packages, if they are installed: then the test must run.
pub(super) fn installed(workspace: &Workspace) -> Option<PathBuf> {
    MOTO.folder(workspace).ok().filter(|folder| MOTO.is_in(folder))
}
