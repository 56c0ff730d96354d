//! The end of a server: of this process, or of a killed one.

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
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A fast shutdown writes a checkpoint, an immediate one does not.
const FAST_TIMEOUT: Duration = Duration::from_secs(20);
const IMMEDIATE_TIMEOUT: Duration = Duration::from_secs(5);

/// The beginning of the names of a socket and its lock.
const SOCKETS: &str = ".s.PGSQL.";

/// Stops the server that a killed process left on this cluster, and removes a stale pid file and stale sockets.
pub(crate) fn stop_orphan(cluster: &Path) -> Result<()> {
    stop_process(cluster)?;
    // A killed server leaves its sockets: if its lock holds the id of another process, the next server does not start.
    for entry in fs::read_dir(cluster).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(SOCKETS) {
            fs::remove_file(entry.path()).doing("delete", &entry.path())?;
        }
    }
    Ok(())
}

fn stop_process(cluster: &Path) -> Result<()> {
    let file = cluster.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&file) else {
        return Ok(());
    };
    let pid = text.lines().next().and_then(|line| line.trim().parse().ok()).map(Pid::from_raw);
    match pid {
        Some(pid) if is_postgres(pid, cluster) => shut_down(pid, || !is_postgres(pid, cluster)),
        // Postgres removes it itself unless the number now belongs to another process.
        _ => match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).doing("delete", &file),
            _ => Ok(()),
        },
    }
}

/// Whether `pid` is a live Postgres on this cluster, by its working directory.
fn is_postgres(pid: Pid, cluster: &Path) -> bool {
    if pid.as_raw() <= 1 || kill(pid, None) == Err(Errno::ESRCH) {
        return false;
    }
    if Path::new("/proc/self").exists() {
        // A zombie has no working directory, and one that this user may not read is not a Postgres of this user.
        let folder = fs::read_link(format!("/proc/{pid}/cwd"));
        return folder.is_ok_and(|folder| cluster.canonicalize().is_ok_and(|cluster| cluster == folder));
    }
    // macOS has no /proc: the name decides.
    let named = Command::new("ps").args(["-o", "comm=", "-p", &pid.to_string()]).output();
    named.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("postgres"))
}

/// Fast, then immediate, then SIGKILL; `gone` returns true when it has ended.
pub(crate) fn shut_down(pid: Pid, mut gone: impl FnMut() -> bool) -> Result<()> {
    let steps =
        [(Signal::SIGINT, FAST_TIMEOUT), (Signal::SIGQUIT, IMMEDIATE_TIMEOUT), (Signal::SIGKILL, IMMEDIATE_TIMEOUT)];
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
            sleep(POLL_INTERVAL);
        }
    }
    Ok(())
}

pub(crate) fn pid_of(child: &Child) -> Pid {
    // Process ids are positive and small; the standard library has them as unsigned.
    Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX))
}
