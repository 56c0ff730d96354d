//! The reasons why Postgres cannot run, each as one sentence with a possible action.

use std::{io, path::PathBuf};

/// The result of this crate's fallible functions.
pub type Result<T> = std::result::Result<T, Error>;

/// The reason why Postgres is not running.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither the machine nor the npm registry has binaries that fit.
    #[error("No PostgreSQL was found on this machine and none could be fetched: {reason}.")]
    NoBinaries {
        /// The last attempt, without a full stop.
        reason: String,
    },
    /// The data folder was written by a major version that is not available.
    #[error(
        "The data in {} was written by PostgreSQL {wanted}, which was not found here and could not be fetched ({reason}); install PostgreSQL {wanted} or choose another data folder.",
        path.display()
    )]
    Version {
        /// The cluster's folder.
        path: PathBuf,
        /// The major version that wrote it.
        wanted: u32,
        /// The last attempt, without a full stop.
        reason: String,
    },
    /// Postgres refuses root, and there is no other user to run it.
    #[error(
        "PostgreSQL refuses to run as root, and this machine has neither a user 'postgres' nor a user 'nobody' to run it as."
    )]
    NoAccount,
    /// `initdb` looks its user up and refuses one it cannot find.
    #[error("PostgreSQL refuses to run as user id {uid}, which has no entry in the user database (/etc/passwd).")]
    UnknownUser {
        /// The effective user id of this process.
        uid: u32,
    },
    /// The data belongs to a user that this process neither is nor can become.
    #[error("The data in {} belongs to user '{owner}', but this process runs as '{ours}'; run it as '{owner}' or choose another data folder.", path.display())]
    OtherOwner {
        /// The cluster's folder.
        path: PathBuf,
        /// Its owner.
        owner: String,
        /// The user of this process.
        ours: String,
    },
    /// A parent of the data folder is not accessible to the user who runs Postgres.
    #[error("User '{user}', who runs PostgreSQL, may not enter {}; choose a data folder outside it.", path.display())]
    Unreachable {
        /// The first inaccessible folder of the path.
        path: PathBuf,
        /// The user who runs Postgres.
        user: String,
    },
    /// The folder contains other files.
    #[error("The folder {} holds other files; choose an empty or a new folder for the data.", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// The data folder is incomplete.
    #[error("The data folder {} is damaged: {reason}; restore it from a backup, or delete it to start afresh.", path.display())]
    Broken {
        /// The folder.
        path: PathBuf,
        /// The missing part, without a full stop.
        reason: String,
    },
    /// Another process holds the folder's lock.
    #[error("Another Portia is already running on the data in {}; stop it first or choose another data folder.", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("There is no space left on the disk that holds {}.", path.display())]
    DiskFull {
        /// The folder.
        path: PathBuf,
    },
    /// `initdb` failed.
    #[error("PostgreSQL could not create its data in {}: {detail}.", path.display())]
    Init {
        /// The folder.
        path: PathBuf,
        /// Its last message, without a full stop.
        detail: String,
    },
    /// `postgres` ended before it took connections.
    #[error("PostgreSQL did not start on the data in {}: {detail}.", path.display())]
    Start {
        /// The folder.
        path: PathBuf,
        /// Its last message, without a full stop.
        detail: String,
    },
    /// `postgres` is running but has not accepted a connection in time.
    #[error("PostgreSQL did not become ready within {seconds} seconds; its log is {}.", log.display())]
    Timeout {
        /// The timeout.
        seconds: u64,
        /// The path of its log.
        log: PathBuf,
    },
    /// A file system operation failed.
    #[error("Portia could not {doing} {}: {}.", path.display(), reason(error))]
    Io {
        /// A verb: "create", "write" ...
        doing: &'static str,
        /// Its object.
        path: PathBuf,
        /// The message of the operating system. Part of the sentence, so it is not the source, which would repeat it.
        error: io::Error,
    },
}

/// The system's message without Rust's "(os error 13)".
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// Adds verb and path to an I/O error; a full disk has its own variant.
pub(crate) trait Doing<T> {
    fn doing(self, doing: &'static str, path: &std::path::Path) -> Result<T>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, doing: &'static str, path: &std::path::Path) -> Result<T> {
        self.map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull => Error::DiskFull { path: path.into() },
            _ => Error::Io { doing, path: path.into(), error },
        })
    }
}

/// The relevant line of a Postgres program's output: the last error, else the last line.
pub(crate) fn relevant_line(output: &str) -> String {
    let lines = || output.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let error_line = lines().find_map(|line| {
        ["FATAL:", "PANIC:", "error:", "fatal:"]
            .iter()
            .find_map(|mark| line.split_once(mark).map(|(_, words)| words.trim()))
    });
    error_line.or_else(|| lines().next()).unwrap_or("it said nothing").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn an_error_line_is_preferred_to_other_lines() {
        let log = "LOG:  starting\n2026 UTC [1] FATAL:  lock file exists.\n2026 UTC [1] HINT: look\n";
        assert_eq!(relevant_line(log), "lock file exists");
        assert_eq!(relevant_line("one\ntwo\n\n"), "two");
        assert_eq!(relevant_line(""), "it said nothing");
    }

    #[test]
    fn sentences_contain_no_error_numbers() {
        let denied: io::Result<()> = Err(io::Error::from_raw_os_error(13));
        let error = denied.doing("create", Path::new("/x")).unwrap_err();
        assert_eq!(error.to_string(), "Portia could not create /x: permission denied.");
        assert!(std::error::Error::source(&error).is_none(), "said twice");
    }

    #[test]
    fn a_full_disk_has_its_own_sentence() {
        let full: io::Result<()> = Err(io::Error::from(io::ErrorKind::StorageFull));
        assert!(matches!(full.doing("write", Path::new("/x")), Err(Error::DiskFull { .. })));
    }
}
