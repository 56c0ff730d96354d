//! The rules of deploy/observability, by promtool: their syntax, and their unit tests.

use std::process::Command;

use anyhow::Result;

use super::Findings;
use crate::{
    command::{is_installed, output, run, say},
    workspace::Workspace,
};

const RULES: [&str; 2] = ["rules/recording.yml", "rules/alerts.yml"];
const TESTS: &str = "rules/tests.yml";
const CONFIGURATION: &str = "prometheus.yml";

/// A machine without promtool skips this check: it is in no registry of packages that this repository uses.
pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    if !is_installed("promtool") {
        say("The Prometheus rules are not checked: promtool is missing, for example `apt-get install prometheus`");
        return Ok(Findings::new());
    }
    let promtool = || {
        let mut promtool = Command::new("promtool");
        promtool.current_dir(workspace.root.join("deploy/observability"));
        promtool
    };
    output(promtool().args(["check", "config", CONFIGURATION]))?;
    output(promtool().args(["check", "rules"]).args(RULES))?;
    run(promtool().args(["test", "rules", TESTS]))?;
    Ok(Findings::new())
}
