//! The data folder: its lock, its content, and its creation.
//!
//! ```text
//! <data>/lock        held by the process that runs this Postgres
//!        password    the superuser's, 0600, this process's user only
//!        log         of the running server, begun anew at each start
//!        cluster/    what initdb made, 0700, owned by the user who runs Postgres
//! ```

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::{
    account::Account,
    binaries::Binaries,
    error::{Doing, Error, Result, relevant_line},
    location::{closed_to, create_passable},
    shutdown::stop_orphan,
};

/// The superuser's name.
pub(crate) const SUPERUSER: &str = "postgres";

/// The durability of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// For real data: a commit survives a power failure.
    Durable,
    /// For tests of a whole Portia: a commit survives the end of every process, but no power failure.
    Unsynced,
    /// For tests of a service: fast, with many connections, not durable.
    Throwaway,
}

/// A data folder whose lock this process holds.
#[derive(Debug)]
pub(crate) struct Cluster {
    data: PathBuf,
    /// Released by the system when this process ends, however it ends.
    lock: File,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Closing it is not enough: a child that another thread has just forked holds a copy until its exec.
        self.lock.unlock().ok();
    }
}

impl Cluster {
    /// Opens or creates a data folder and takes its lock.
    pub(crate) fn open(data: &Path) -> Result<Self> {
        let data = std::path::absolute(data).doing("resolve", data)?;
        create_passable(&data)?;
        if !is_ours(&data)? {
            return Err(Error::Foreign { path: data });
        }
        let path = data.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .doing("write to", &path)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { data, lock }),
            Err(TryLockError::WouldBlock) => Err(Error::InUse { path: data }),
            Err(TryLockError::Error(error)) => Err(error).doing("lock", &path),
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.data.join("cluster")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.data.join("log")
    }

    /// Whether `initdb` has completed here.
    pub(crate) fn exists(&self) -> bool {
        self.folder().exists()
    }

    /// The superuser's password, created with the cluster.
    pub(crate) fn password(&self) -> Result<String> {
        let path = self.data.join("password");
        let broken = |reason: &str| Error::Broken { path: self.data.clone(), reason: reason.into() };
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(broken("its file 'password' is missing"));
            }
            other => other.doing("read", &path)?,
        };
        let password = text.trim();
        // It is put into URLs unescaped, so it must have the format of `fresh_password`.
        if password.is_empty() || !password.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(broken("its file 'password' holds no password of Portia's"));
        }
        Ok(password.to_owned())
    }

    /// Runs `initdb` in a temporary folder and renames it when it is complete.
    pub(crate) fn create(&self, binaries: &Binaries, account: &Account, profile: Profile) -> Result<()> {
        if let Some(path) = closed_to(account, &self.data) {
            return Err(Error::Unreachable { path, user: account.name.clone() });
        }
        let password = fresh_password()?;
        write_private(&self.data.join("password"), &password)?;

        let fresh = self.data.join("cluster.new");
        remove(&fresh)?;
        fs::DirBuilder::new().mode(0o700).create(&fresh).doing("create", &fresh)?;
        account.own(&fresh).doing("hand over", &fresh)?;
        // initdb reads the password as the user it runs as; the copy exists only for that time.
        let copy = self.data.join("password.initdb");
        remove(&copy)?;
        write_private(&copy, &password)?;
        account.own(&copy).doing("hand over", &copy)?;

        let mut initdb = account.command(&binaries.program("initdb"));
        initdb.arg("--pgdata").arg(&fresh).arg("--pwfile").arg(&copy);
        initdb.args(["--username", SUPERUSER, "--encoding", "UTF8"]).args(LOCALE);
        match profile {
            Profile::Durable => initdb.args(["--auth", "scram-sha-256"]),
            // Tests connect thousands of times, and SCRAM takes 4,096 hashes each time, compiled without optimisation: in a
            // profile of the tests of messaging, 40 % of their CPU time. The password crosses only the loopback interface and is deleted with the server.
            Profile::Unsynced | Profile::Throwaway => initdb.args(["--auth", "password", "--no-sync"]),
        };
        let output = initdb.output().doing("run", &binaries.program("initdb"));
        remove(&copy)?;
        let output = output?;
        if output.status.success() {
            return fs::rename(&fresh, self.folder()).doing("create", &self.folder());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        remove(&fresh)?;
        Err(if said.contains("No space left on device") {
            Error::DiskFull { path: self.data.clone() }
        } else {
            Error::Init { path: self.data.clone(), detail: relevant_line(&said) }
        })
    }
}

/// UTF-8, ordered by code point; the names of the locales differ between systems.
const LOCALE: [&str; 3] = if cfg!(target_os = "macos") {
    ["--lc-collate=C", "--lc-ctype=en_US.UTF-8", "--lc-messages=C"]
} else {
    ["--lc-collate=C", "--lc-ctype=C.UTF-8", "--lc-messages=C"]
};

/// Deletes a data folder and the server that a killed process left running on it.
///
/// # Errors
/// When a live process holds it, when it is not a data folder of this crate, or when the file system refuses.
pub fn discard(data: &Path) -> Result<()> {
    if !data.exists() {
        return Ok(());
    }
    let cluster = Cluster::open(data)?;
    stop_orphan(&cluster.folder())?;
    fs::remove_dir_all(&cluster.data).doing("delete", &cluster.data)
}

/// Whether the folder is empty, or contains only files of this crate.
fn is_ours(data: &Path) -> Result<bool> {
    let ours = ["lock", "password", "password.initdb", "log", "cluster", "cluster.new"];
    for entry in fs::read_dir(data).doing("read", data)? {
        let name = entry.doing("read", data)?.file_name();
        if !ours.iter().any(|known| name == *known) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// 128 random bits in hexadecimal, which needs no escaping in a URL.
fn fresh_password() -> Result<String> {
    let source = Path::new("/dev/urandom");
    let mut bits = [0_u8; 16];
    File::open(source).and_then(|mut file| file.read_exact(&mut bits)).doing("read", source)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Written under another name and renamed, so that a crash leaves the old file or the new one.
fn write_private(path: &Path, text: &str) -> Result<()> {
    let mut file =
        OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path).doing("write", path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).doing("write", path)
}

fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).doing("delete", path),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_holds_a_folder() {
        let parent = tempfile::tempdir().unwrap();
        let data = parent.path().join("data");
        let first = Cluster::open(&data).unwrap();
        assert!(matches!(Cluster::open(&data), Err(Error::InUse { .. })));
        // As in a child before its exec.
        let copy = first.lock.try_clone().unwrap();
        drop(first);
        assert!(Cluster::open(&data).is_ok());
        drop(copy);
    }

    #[test]
    fn a_folder_with_other_files_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.md"), "text").unwrap();
        assert!(matches!(Cluster::open(folder.path()), Err(Error::Foreign { .. })));
        assert!(matches!(discard(folder.path()), Err(Error::Foreign { .. })));
        assert!(folder.path().join("thesis.md").exists());
        assert!(!folder.path().join("lock").exists());
    }

    #[test]
    fn a_password_that_would_change_the_url_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let cluster = Cluster::open(&parent.path().join("data")).unwrap();
        assert!(matches!(cluster.password(), Err(Error::Broken { .. })));
        write_private(&cluster.data.join("password"), "x@elsewhere/").unwrap();
        assert!(matches!(cluster.password(), Err(Error::Broken { .. })));
    }

    #[test]
    fn passwords_differ_and_fit_a_url() {
        let (one, two) = (fresh_password().unwrap(), fresh_password().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.len(), 32);
    }
}
