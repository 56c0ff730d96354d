//! A disk of limited size for the data of Postgres, which a fault fills: a file system in memory, in a mount namespace of this process
//! and its children. The system removes both with the last of them, also after a SIGKILL.

use std::{io, path::PathBuf};

#[cfg(target_os = "linux")]
use nix::{
    mount::{MsFlags, mount},
    sched::{CloneFlags, unshare},
    sys::statvfs::statvfs,
};

/// The size of the disk while it is not full, in bytes. It takes as much memory as files are in it.
const SIZE: u64 = 8 << 30;

/// The mounted disk.
#[derive(Debug)]
pub(crate) struct Disk(PathBuf);

/// Separates this process's mounts from the system's. Call it before the first thread starts: it affects only the
/// calling thread and the threads that it starts.
///
/// # Errors
/// When the system does not permit it.
#[cfg(target_os = "linux")]
pub fn separate_mounts() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    // Otherwise the mounts would also appear outside.
    Ok(mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)?)
}

#[cfg(target_os = "linux")]
impl Disk {
    /// Mounts one at an empty folder.
    pub(crate) fn mount(folder: PathBuf) -> io::Result<Self> {
        let options = format!("mode=0755,size={SIZE}");
        mount(Some("portia-chaos"), &folder, Some("tmpfs"), MsFlags::empty(), Some(options.as_str()))?;
        Ok(Self(folder))
    }

    /// Fills the disk, so that no file can grow. Files that are removed afterwards make space: repeat it.
    pub(crate) fn fill(&self) -> io::Result<()> {
        let found = statvfs(&self.0)?;
        self.resize((found.blocks() - found.blocks_free()) * found.fragment_size())
    }

    /// There is space again.
    pub(crate) fn free(&self) -> io::Result<()> {
        self.resize(SIZE)
    }

    fn resize(&self, bytes: u64) -> io::Result<()> {
        let options = format!("size={}", bytes.max(4096));
        Ok(mount(None::<&str>, &self.0, None::<&str>, MsFlags::MS_REMOUNT, Some(options.as_str()))?)
    }
}

/// Only Linux has them.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn separate_mounts() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
impl Disk {
    pub(crate) fn mount(folder: PathBuf) -> io::Result<Self> {
        drop(Self(folder));
        Err(io::Error::other(format!("a disk of {SIZE} bytes needs Linux")))
    }

    pub(crate) fn fill(&self) -> io::Result<()> {
        Err(io::Error::other(format!("{} is no disk", self.0.display())))
    }

    pub(crate) fn free(&self) -> io::Result<()> {
        self.fill()
    }
}
