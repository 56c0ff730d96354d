//! The user who runs Postgres: this user, or an unprivileged one, because Postgres refuses root.

use std::{
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::Path,
    process::Command,
};

use nix::unistd::{Uid, User};

use crate::error::{Error, Result};

/// A user of this machine.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Whether programs must run as another user than this process.
    drop_root: bool,
}

impl Account {
    /// The account for a cluster: its owner's if it exists, else the first that may run one.
    pub(crate) fn for_cluster(cluster: &Path) -> Result<Self> {
        let ours = Uid::effective();
        let owner = std::fs::metadata(cluster).ok().map(|found| Uid::from_raw(found.uid()));
        match owner {
            Some(owner) if ours.is_root() && !owner.is_root() => {
                Self::of(owner).ok_or(Error::UnknownUser { uid: owner.as_raw() })
            }
            Some(owner) if !ours.is_root() && owner != ours => {
                Err(Error::OtherOwner { path: cluster.into(), owner: name_of(owner), ours: name_of(ours) })
            }
            _ => Self::fresh(),
        }
    }

    /// The account for a new cluster.
    pub(crate) fn fresh() -> Result<Self> {
        let ours = Uid::effective();
        if !ours.is_root() {
            return Self::of(ours).ok_or(Error::UnknownUser { uid: ours.as_raw() });
        }
        ["postgres", "nobody"]
            .into_iter()
            .filter_map(|name| User::from_name(name).ok().flatten())
            .find(|user| !user.uid.is_root())
            .map(Self::from)
            .ok_or(Error::NoAccount)
    }

    fn of(uid: Uid) -> Option<Self> {
        User::from_uid(uid).ok().flatten().map(Self::from)
    }

    /// A command that runs as this account, without this terminal's Ctrl-C and `PG*` variables.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if self.drop_root {
            // As root, std also clears the supplementary groups when it sets a uid.
            command.uid(self.uid).gid(self.gid);
        }
        // The caller's PGDATA or PGPORT belong to another server; messages are parsed, so they must be in English.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command.env("LC_ALL", "C").current_dir("/").process_group(0);
        command
    }

    /// Changes the owner of a file or folder to this account.
    pub(crate) fn own(&self, path: &Path) -> std::io::Result<()> {
        if self.drop_root {
            std::os::unix::fs::chown(path, Some(self.uid), Some(self.gid))?;
        }
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn stranger(uid: u32, gid: u32) -> Self {
        Self { name: "stranger".into(), uid, gid, drop_root: false }
    }
}

impl From<User> for Account {
    fn from(user: User) -> Self {
        Self {
            name: user.name,
            uid: user.uid.as_raw(),
            gid: user.gid.as_raw(),
            drop_root: Uid::effective() != user.uid,
        }
    }
}

fn name_of(uid: Uid) -> String {
    User::from_uid(uid).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postgres_never_runs_as_root() {
        let account = Account::fresh().unwrap();
        assert_ne!(account.uid, 0);
        let output = account.command(Path::new("/usr/bin/id")).arg("-u").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), account.uid.to_string());
    }

    #[test]
    fn an_existing_cluster_is_run_by_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let first = Account::fresh().unwrap();
        first.own(folder.path()).unwrap();
        assert_eq!(Account::for_cluster(folder.path()).unwrap().uid, first.uid);
    }
}
