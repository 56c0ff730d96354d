//! Paths: the repository, the build folder, the services.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{cargo, output};

/// The repository in which xtask was started.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
}

impl Workspace {
    /// The root, from a variable that cargo sets for the programs that it runs.
    pub(crate) fn here() -> Result<Self> {
        let Some(crate_folder) = std::env::var_os("CARGO_MANIFEST_DIR") else {
            bail!("run this as `cargo xtask`");
        };
        let folder = PathBuf::from(crate_folder);
        let root = folder.ancestors().nth(2).context("deploy/xtask lies in no workspace")?;
        Ok(Self { root: root.into() })
    }

    /// `cargo metadata` of the workspace, with or without its dependencies.
    pub(crate) fn metadata(&self, dependencies: bool) -> Result<Value> {
        let mut command = cargo();
        command.args(["metadata", "--format-version=1"]).current_dir(&self.root);
        if !dependencies {
            command.arg("--no-deps");
        }
        Ok(serde_json::from_str(&output(&mut command)?)?)
    }

    /// The build folder, which a setting of cargo may move.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let metadata = self.metadata(false)?;
        let target = metadata
            .get("target_directory")
            .and_then(Value::as_str)
            .context("cargo metadata names no target directory")?;
        Ok(target.into())
    }

    /// The services: the folders of services/ with migrations.
    pub(crate) fn services(&self) -> Result<Vec<String>> {
        self.with_migrations("services")
    }

    /// The libraries whose tables stand in schemas of services: the folders of services/lib with migrations.
    pub(crate) fn libraries_with_tables(&self) -> Result<Vec<String>> {
        self.with_migrations("services/lib")
    }

    fn with_migrations(&self, parent: &str) -> Result<Vec<String>> {
        let mut names: Vec<String> = fs::read_dir(self.root.join(parent))?
            .filter_map(|entry| entry.ok())
            .filter(|entry| entry.path().join("migrations").is_dir())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    pub(crate) fn web(&self) -> PathBuf {
        self.root.join("web")
    }
}
