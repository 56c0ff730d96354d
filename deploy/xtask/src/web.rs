//! Packages and build of the web client, renewed only when their inputs have changed.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{
    command::{output, run, say},
    workspace::Workspace,
};

/// The oldest supported version of Node.
const NODE: (u32, u32) = (20, 19);

/// Folders and files of web/ that no build reads.
const NOT_INPUTS: [&str; 5] = ["node_modules", "dist", "e2e", "test-results", "playwright-report"];

/// An npm command in web/; it downloads packages, never browsers.
pub(crate) fn npm(workspace: &Workspace) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(workspace.web()).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}

/// Checks the version of Node.
pub(crate) fn check_node() -> Result<()> {
    let version = output(Command::new("node").arg("--version"))
        .context("Portia's web client is built with Node.js 20 or newer")?;
    if !is_recent(&version) {
        let (major, minor) = NODE;
        bail!("Node.js {} is too old for the web client; install {major}.{minor} or newer", version.trim());
    }
    Ok(())
}

/// Checks for Node and npm and installs the packages of package-lock.json, unless npm has done so.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    check_node()?;
    let web = workspace.web();
    // npm writes the second one when all packages are in place.
    let changed = |path: &str| fs::metadata(web.join(path)).and_then(|file| file.modified());
    if let (Ok(wanted), Ok(installed)) = (changed("package-lock.json"), changed("node_modules/.package-lock.json"))
        && wanted <= installed
    {
        return Ok(());
    }
    say("Installing the web client's packages ...");
    run(npm(workspace).args(["ci", "--no-audit", "--no-fund"]))
}

/// Builds the client if its files have changed since the last build. Returns its folder.
pub(crate) fn build(workspace: &Workspace) -> Result<PathBuf> {
    install(workspace)?;
    let dist = workspace.web().join("dist");
    let stamp = workspace.target()?.join("xtask/web-inputs");
    let inputs = hash_of(inputs(&workspace.web())?.iter())?;
    let fresh = fs::read_to_string(&stamp).is_ok_and(|built| built == inputs);
    if fresh && dist.join("index.html").is_file() {
        say("The web client is up to date");
        return Ok(dist);
    }
    say("Building the web client ...");
    run(npm(workspace).args(["run", "--silent", "build"]))?;
    fs::create_dir_all(workspace.target()?.join("xtask"))?;
    fs::write(stamp, inputs)?;
    Ok(dist)
}

/// The files of the client that a build may read, in a fixed order.
fn inputs(web: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(web, &mut files, true)?;
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>, top: bool) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let entry = entry?;
        let skipped = top && NOT_INPUTS.iter().any(|name| entry.file_name() == **name);
        match entry.file_type()? {
            _ if skipped => {}
            kind if kind.is_dir() => collect(&entry.path(), files, false)?,
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}

/// A hash of paths and contents. Another toolchain may hash differently, which costs one build.
fn hash_of<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        let file = file.as_ref();
        file.hash(&mut hasher);
        fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Whether a version such as "v20.20.2" is supported.
fn is_recent(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|number| number.parse().ok());
    let (Some(major), Some(minor)) = (numbers.next(), numbers.next()) else {
        return false;
    };
    (major, minor) >= NODE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_run_no_scripts_when_they_are_installed() {
        let workspace = Workspace { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../..") };
        assert_eq!(output(npm(&workspace).args(["config", "get", "ignore-scripts"])).unwrap().trim(), "true");
    }

    #[test]
    fn old_nodes_are_refused() {
        assert!(is_recent("v20.19.0\n"));
        assert!(is_recent("v22.1.0"));
        assert!(!is_recent("v20.9.0"));
        assert!(!is_recent("v18.20.4"));
        assert!(!is_recent("gibberish"));
    }

    #[test]
    fn a_changed_source_changes_the_hash_and_a_test_does_not() {
        let web = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = web.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let hash = || hash_of(inputs(web.path()).unwrap().iter()).unwrap();
        write("src/app.tsx", "one");
        let first = hash();
        write("e2e/home.spec.ts", "a test");
        write("node_modules/react/index.js", "a package");
        assert_eq!(hash(), first);
        // Only web/e2e is excluded, not a deeper folder of that name.
        write("src/e2e/part.ts", "a source");
        assert_ne!(hash(), first);
        let second = hash();
        write("src/app.tsx", "two");
        assert_ne!(hash(), second);
    }
}
