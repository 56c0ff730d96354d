//! The allowed names at the top of the repository.

use anyhow::Result;

use super::Findings;
use crate::{command::output, workspace::Workspace};

/// The folders of the architecture, and files that tools expect here.
const ALLOWED: [&str; 12] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "deny.toml",
    "deploy",
    "docker-compose.yml",
    "gateway",
    "proto",
    "rust-toolchain.toml",
    "services",
    "web",
];

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let mut list = std::process::Command::new("git");
    list.args(["ls-files", "--cached"]).current_dir(&workspace.root);
    Ok(unknown_names(&output(&mut list)?))
}

fn unknown_names(files: &str) -> Findings {
    let mut tops: Vec<&str> = files.lines().filter_map(|path| path.split('/').next()).collect();
    tops.sort_unstable();
    tops.dedup();
    tops.into_iter()
        .filter(|name| !name.starts_with('.') && !ALLOWED.contains(name))
        .map(|name| format!("{name} does not belong at the top"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_and_dotfiles_are_allowed() {
        assert!(unknown_names("Cargo.toml\n.ci/run\nweb/src/app.tsx\nservices/feed/src/lib.rs\n").is_empty());
    }

    #[test]
    fn an_unknown_name_is_reported_once() {
        let found = unknown_names("notes.md\nscratch/a\nscratch/b\nREADME.md\n");
        assert_eq!(found, ["notes.md does not belong at the top", "scratch does not belong at the top"]);
    }
}
