//! The end of a server: ours, or the one a killed process left behind.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::error::{Doing, Error, Result};

/// The polling interval of states without a notification.
pub(crate) const LOOK: Duration = Duration::from_millis(20);

/// A fast shutdown writes a checkpoint, an immediate one nothing.
const FAST_WITHIN: Duration = Duration::from_secs(20);
const IMMEDIATE_WITHIN: Duration = Duration::from_secs(5);

/// Stops the server a killed process left on this cluster, and clears the pid file of one long gone.
pub(crate) fn stop_orphan(cluster: &Path) -> Result<()> {
    let file = cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&file) else {
        return Ok(());
    };
    let pid = text.lines().next().and_then(|line| line.trim().parse().ok()).map(Pid::from_raw);
    match pid {
        Some(pid) if is_postgres(pid, cluster) => shut_down(pid, || !is_postgres(pid, cluster)),
        // Postgres clears this itself unless the number has passed to another process since.
        _ => match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).doing("delete", &file),
            _ => Ok(()),
        },
    }
}

/// Whether `pid` is a live Postgres on this cluster: it works in its data folder.
fn is_postgres(pid: Pid, cluster: &Path) -> bool {
    if pid.as_raw() <= 1 || kill(pid, None) == Err(Errno::ESRCH) {
        return false;
    }
    if Path::new("/proc/self").exists() {
        // A process that has ended but is not yet waited for has no folder any more; one that is not
        // ours to look at is not the one this user's Postgres left.
        let folder = fs::read_link(format!("/proc/{pid}/cwd"));
        return folder.is_ok_and(|folder| cluster.canonicalize().is_ok_and(|cluster| cluster == folder));
    }
    // macOS has no /proc: the name must do.
    let named = Command::new("ps").args(["-o", "comm=", "-p", &pid.to_string()]).output();
    named.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("postgres"))
}

/// Fast, then immediate, then by force; `gone` says when it has ended.
pub(crate) fn shut_down(pid: Pid, mut gone: impl FnMut() -> bool) -> Result<()> {
    let steps =
        [(Signal::SIGINT, FAST_WITHIN), (Signal::SIGQUIT, IMMEDIATE_WITHIN), (Signal::SIGKILL, IMMEDIATE_WITHIN)];
    for (signal, patience) in steps {
        if gone() {
            return Ok(());
        }
        match kill(pid, signal) {
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(errno) => {
                let path = PathBuf::from(format!("process {pid}"));
                return Err(Error::Io { doing: "stop", path, error: errno.into() });
            }
        }
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if gone() {
                return Ok(());
            }
            sleep(LOOK);
        }
    }
    Ok(())
}

pub(crate) fn pid_of(child: &Child) -> Pid {
    // Process ids are positive and small; the standard library merely types them without a sign.
    Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX))
}
