//! The location of the data, given that Postgres may run as a user without access to every folder.

use std::{
    ffi::OsString,
    fs::{self, DirBuilder, Permissions},
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Component, Path, PathBuf},
};

use crate::{
    account::Account,
    error::{Doing, Error, Result},
};

/// The folder for Portia's data: `wanted`, unless the user who runs Postgres has no access to it.
///
/// This happens for a clone in root's home: root starts Portia, Postgres runs as `postgres` or `nobody`, and `/root` is
/// closed to both. The data is then in a folder named after the wanted one below `/var/lib/portia`, else
/// `$XDG_DATA_HOME/portia`, else `~/.local/share/portia`; two clones never share one.
///
/// # Errors
/// When there is no account to run Postgres as, or every candidate is inaccessible to it.
pub fn home_for(wanted: &Path) -> Result<PathBuf> {
    let wanted = std::path::absolute(wanted).doing("resolve", wanted)?;
    let account = Account::for_cluster(&wanted.join("cluster"))?;
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let bases = [
        Some(PathBuf::from("/var/lib")),
        std::env::var_os("XDG_DATA_HOME").map(PathBuf::from),
        home().map(|home| home.join(".local/share")),
    ];
    choose(&wanted, bases.into_iter().flatten(), &account)
}

fn choose(wanted: &Path, bases: impl Iterator<Item = PathBuf>, account: &Account) -> Result<PathBuf> {
    let Some(closed) = closed_to(account, wanted) else {
        return Ok(wanted.into());
    };
    bases
        .map(|base| base.join("portia").join(slug(wanted)))
        .find(|elsewhere| closed_to(account, elsewhere).is_none())
        .ok_or(Error::Unreachable { path: closed, user: account.name.clone() })
}

/// The first existing folder of `path`, itself included, that `account` may not enter.
pub(crate) fn closed_to(account: &Account, path: &Path) -> Option<PathBuf> {
    let real = real_path(path);
    let mut on_the_way: Vec<&Path> = real.ancestors().collect();
    on_the_way.reverse();
    on_the_way
        .into_iter()
        .find(|folder| fs::metadata(folder).is_ok_and(|found| !may_enter(account, &found)))
        .map(Path::to_path_buf)
}

/// POSIX checks only the first class that applies: owner, group, others.
fn may_enter(account: &Account, folder: &fs::Metadata) -> bool {
    let bit = if folder.uid() == account.uid {
        0o100
    } else if folder.gid() == account.gid {
        0o010
    } else {
        0o001
    };
    folder.mode() & bit != 0
}

/// The path with its existing part resolved, so that a link into an inaccessible folder is recognised.
fn real_path(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    for folder in path.ancestors() {
        if let Ok(real) = folder.canonicalize() {
            return missing.iter().rev().fold(real, |path, name| path.join(name));
        }
        missing.extend(folder.file_name());
    }
    path.into()
}

/// `/home/ana/data` as one name, `home-ana-data`.
fn slug(path: &Path) -> OsString {
    let names: Vec<_> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_owned()),
            _ => None,
        })
        .collect();
    names.join(std::ffi::OsStr::new("-"))
}

/// Creates a folder and its missing parents with permission for others to traverse but not to list them.
pub(crate) fn create_passable(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        create_passable(parent)?;
    }
    match DirBuilder::new().mode(0o711).create(path) {
        // The umask may have removed the needed bits.
        Ok(()) => fs::set_permissions(path, Permissions::from_mode(0o711)).doing("open", path),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error).doing("create", path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A user who owns nothing here and is in none of our groups.
    fn stranger() -> Account {
        Account::stranger(64_999, 64_999)
    }

    fn folder(mode: u32) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
        folder
    }

    #[test]
    fn an_accessible_path_is_used() {
        let open = folder(0o711);
        let wanted = open.path().join("data");
        let chosen = choose(&wanted, std::iter::empty(), &stranger()).unwrap();
        assert_eq!(chosen, wanted);
    }

    #[test]
    fn a_clone_in_a_closed_home_stores_its_data_elsewhere() {
        let home = folder(0o700);
        let elsewhere = folder(0o755);
        let wanted = home.path().join("clone/data");
        let bases = [home.path().join("share"), elsewhere.path().into()];
        let chosen = choose(&wanted, bases.into_iter(), &stranger()).unwrap();
        assert!(chosen.starts_with(elsewhere.path().join("portia")), "{chosen:?}");
        assert!(chosen.to_string_lossy().ends_with("-clone-data"), "{chosen:?}");
    }

    #[test]
    fn two_clones_in_one_closed_home_have_separate_folders() {
        let home = folder(0o700);
        let base = folder(0o755);
        let data_of =
            |clone: &str| choose(&home.path().join(clone), [base.path().into()].into_iter(), &stranger()).unwrap();
        assert_ne!(data_of("one"), data_of("two"));
    }

    #[test]
    fn a_link_into_a_closed_folder_is_recognised() {
        let home = folder(0o700);
        fs::create_dir(home.path().join("real")).unwrap();
        let open = folder(0o755);
        let link = open.path().join("link");
        std::os::unix::fs::symlink(home.path().join("real"), &link).unwrap();
        assert!(closed_to(&stranger(), &link.join("data")).is_some());
    }

    #[test]
    fn without_a_candidate_the_error_names_the_closed_folder() {
        let home = folder(0o700);
        let error = choose(&home.path().join("data"), std::iter::empty(), &stranger()).unwrap_err();
        let closed = home.path().canonicalize().unwrap();
        assert!(error.to_string().contains(&closed.display().to_string()), "{error}");
    }

    #[test]
    fn the_owner_enters_a_private_folder() {
        let home = folder(0o700);
        let owner = fs::metadata(home.path()).unwrap();
        let account = Account::stranger(owner.uid(), owner.gid());
        assert_eq!(closed_to(&account, &home.path().join("data")), None);
    }

    #[test]
    fn created_folders_can_be_traversed() {
        let open = folder(0o755);
        let made = open.path().join("a/b");
        create_passable(&made).unwrap();
        assert_eq!(closed_to(&stranger(), &made), None);
    }
}
