//! What may lie at the top of the repository: a newcomer's first `ls` shows the house, nothing else.

use anyhow::Result;

use super::Findings;
use crate::{command::output, workspace::Workspace};

/// The house of the architecture, what tools insist on finding here, and the licence.
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
    Ok(strangers(&output(&mut list)?))
}

fn strangers(files: &str) -> Findings {
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
    fn the_house_and_dotfiles_may_stay() {
        assert!(strangers("Cargo.toml\n.ci/run\nweb/src/app.tsx\nservices/feed/src/lib.rs\n").is_empty());
    }

    #[test]
    fn a_stranger_is_named_once() {
        let found = strangers("notes.md\nscratch/a\nscratch/b\nREADME.md\n");
        assert_eq!(found, ["notes.md does not belong at the top", "scratch does not belong at the top"]);
    }
}
