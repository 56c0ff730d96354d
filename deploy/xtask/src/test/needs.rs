//! Programs that the tests need besides Rust and Node: installed as root with apt, otherwise named in an error.

use std::{path::PathBuf, process::Command};

use anyhow::{Result, bail};
use nix::unistd::Uid;

use crate::{
    chaos::FAKETIME,
    command::{is_installed, on_the_path, run, say},
};

/// A program: its possible names and its Debian package.
pub(super) struct Need {
    names: &'static [&'static str],
    package: &'static str,
}

impl Need {
    /// The path of the program: the first of its names that is on the PATH.
    pub(super) fn found(&self) -> Option<PathBuf> {
        self.names.iter().find_map(|name| on_the_path(name))
    }
}

const REDIS: Need = Need { names: &["redis-server"], package: "redis-server" };
/// Moves the clocks of processes in the chaos run.
const CLOCKS: Need = Need { names: FAKETIME, package: "libfaketime" };
pub(super) const CHROMIUM: Need = Need {
    names: &[
        // The build without a window needs a third less CPU time for the same tests.
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        // The location on macOS; an absolute name is found without the PATH.
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ],
    package: "chromium-headless-shell",
};

/// The packages of missing programs.
pub(super) struct Missing(Vec<&'static str>);

impl Missing {
    /// Looks for Redis for the Rust tests and the chaos run, libfaketime for the latter, and Chromium for the browser tests. Fails
    /// when one cannot be installed.
    pub(super) fn find(rust: bool, chaos: bool, browser: bool) -> Result<Self> {
        let wanted = [(rust || chaos, REDIS), (chaos && cfg!(target_os = "linux"), CLOCKS), (browser, CHROMIUM)];
        let missing: Vec<&str> = wanted
            .into_iter()
            .filter(|(wanted, need)| *wanted && need.found().is_none())
            .map(|(_, need)| need.package)
            .collect();
        let installs = Uid::effective().is_root() && is_installed("apt-get");
        if !missing.is_empty() && !installs {
            bail!("the tests need {}; install it first, e.g. `{}`", missing.join(" and "), advice(&missing));
        }
        Ok(Self(missing))
    }

    pub(super) fn install(&self) -> Result<()> {
        let Self(packages) = self;
        if packages.is_empty() {
            return Ok(());
        }
        say(&format!("Installing {} ...", packages.join(" and ")));
        // A fresh container has no package lists; a used machine has lists that are only sometimes outdated.
        if run(&mut apt_install(packages)).is_err() {
            run(apt_get().arg("update"))?;
            run(&mut apt_install(packages))?;
        }
        Ok(())
    }
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
        let advice = advice(&["redis-server", "chromium-headless-shell"]);
        assert!(advice.contains("install"), "{advice}");
        assert!(advice.contains("redis"), "{advice}");
    }
}
