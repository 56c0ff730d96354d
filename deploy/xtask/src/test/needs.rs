//! Programs the tests need besides Rust and Node: installed where that is possible, else named.

use std::{path::PathBuf, process::Command};

use anyhow::{Result, bail};
use nix::unistd::Uid;

use crate::command::{is_installed, on_the_path, run, say};

/// A program, the names it goes by, and the Debian package that brings it.
pub(super) struct Need {
    names: &'static [&'static str],
    package: &'static str,
}

impl Need {
    /// Where the program is, by the first of its names that is on the PATH.
    pub(super) fn found(&self) -> Option<PathBuf> {
        self.names.iter().find_map(|name| on_the_path(name))
    }
}

const REDIS: Need = Need { names: &["redis-server"], package: "redis-server" };
pub(super) const CHROMIUM: Need = Need {
    names: &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        // Where macOS keeps it, off the PATH; an absolute name is found where it says.
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ],
    package: "chromium",
};

/// Makes sure of Redis for the Rust tests and Chromium for the browser tests.
pub(super) fn install(rust: bool, browser: bool) -> Result<()> {
    let wanted = [(rust, REDIS), (browser, CHROMIUM)];
    let missing: Vec<&str> = wanted
        .into_iter()
        .filter(|(wanted, need)| *wanted && need.found().is_none())
        .map(|(_, need)| need.package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !(Uid::effective().is_root() && is_installed("apt-get")) {
        bail!("the tests need {}; install it first, e.g. `{}`", missing.join(" and "), advice(&missing));
    }
    say(&format!("Installing {} ...", missing.join(" and ")));
    // The lists of a fresh container are empty, those of a used machine only sometimes too old.
    if run(&mut apt_install(&missing)).is_err() {
        run(apt_get().arg("update"))?;
        run(&mut apt_install(&missing))?;
    }
    Ok(())
}

fn apt_get() -> Command {
    let mut apt = Command::new("apt-get");
    apt.arg("--quiet").env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn apt_install(packages: &[&str]) -> Command {
    let mut apt = apt_get();
    apt.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    apt
}

fn advice(packages: &[&str]) -> String {
    if cfg!(target_os = "macos") {
        let words: Vec<&str> =
            packages.iter().map(|name| if *name == REDIS.package { "redis" } else { "--cask google-chrome" }).collect();
        return words.iter().map(|word| format!("brew install {word}")).collect::<Vec<_>>().join(" && ");
    }
    format!("sudo apt-get install -y --no-install-recommends {}", packages.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_advice_can_be_pasted() {
        let advice = advice(&["redis-server", "chromium"]);
        assert!(advice.contains("install"), "{advice}");
        assert!(advice.contains("redis"), "{advice}");
    }
}
