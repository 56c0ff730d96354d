//! The data folder that is filled and measured: its paths, and the note that marks it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgConnectOptions;

/// The database inside the private server.
const DATABASE: &str = "portia";

/// A data folder of the standalone Portia.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// The content of a filled folder. Without this note nothing is written to a folder or measured in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// `S`, `M`, `L` or a number.
    pub size: String,
    /// Members.
    pub members: u32,
    /// Posts.
    pub posts: u32,
    /// The present time of the data: the same size and time give the same rows.
    pub as_of: DateTime<Utc>,
    /// The password of every member.
    pub password: String,
    /// Four usernames with about fifty connections.
    pub typical: Vec<String>,
    /// The username of a member with about five hundred connections, or the maximum.
    pub known: String,
    /// The username of the member with the most connections.
    pub hub: String,
    /// The numbers of connections: of the first of the four, of the second kind, of the third.
    pub degrees: [u32; 3],
}

impl DataFolder {
    /// The folder, or its replacement when Postgres cannot reach it: the same choice as `portia` makes.
    ///
    /// # Errors
    /// When no folder is possible.
    pub fn at(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(portia_postgres::home_for(&std::path::absolute(path)?)?))
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The database's folder.
    #[must_use]
    pub fn postgres(&self) -> PathBuf {
        self.0.join("postgres")
    }

    /// The running server's log.
    #[must_use]
    pub fn postgres_log(&self) -> PathBuf {
        self.postgres().join("log")
    }

    /// A page for the gateway to serve as the web client; no measured request reads it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn page(&self) -> anyhow::Result<PathBuf> {
        let folder = self.0.join("page");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("index.html"), "<!doctype html>\n<title>Portia</title>\n")?;
        Ok(folder)
    }

    /// The note, if the folder was filled.
    ///
    /// # Errors
    /// When the note cannot be read.
    pub fn note(&self) -> anyhow::Result<Option<Note>> {
        let path = self.note_path();
        match fs::read(&path) {
            Ok(bytes) => {
                Ok(Some(serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// Writes the note, as the last step.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_note(&self, note: &Note) -> anyhow::Result<()> {
        let path = self.note_path();
        fs::write(&path, serde_json::to_vec_pretty(note)?)
            .with_context(|| format!("{} cannot be written", path.display()))
    }

    fn note_path(&self) -> PathBuf {
        self.0.join("seed.json")
    }

    /// Whether the folder contains any Portia.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        self.postgres().exists()
    }

    /// The process id of the running server, and the superuser's URL of the database.
    ///
    /// # Errors
    /// When no server is running.
    pub fn server(&self) -> anyhow::Result<(u32, PgConnectOptions)> {
        let path = self.postgres().join("cluster/postmaster.pid");
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let password = fs::read_to_string(self.postgres().join("password"))?;
        // postmaster.pid: the process id in the first line, the port in the fourth.
        let line = |number: usize| text.lines().nth(number - 1).map(str::trim);
        let process = line(1).and_then(|process| process.parse().ok());
        let port = line(4).and_then(|port| port.parse().ok());
        let (Some(process), Some(port)) = (process, port) else {
            anyhow::bail!("{} is not what Postgres writes", path.display());
        };
        let options = PgConnectOptions::new()
            .host("127.0.0.1")
            .port(port)
            .username("postgres")
            .password(password.trim())
            .database(DATABASE);
        // Like the services of the measured Portia.
        let folder = self.postgres().join("cluster");
        let has_socket = folder.join(format!(".s.PGSQL.{port}")).exists();
        Ok((process, if has_socket { options.socket(folder) } else { options }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_note_has_no_note() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder(folder.path().into());
        assert!(data.note().unwrap().is_none());
        fs::write(folder.path().join("seed.json"), "{}").unwrap();
        assert!(data.note().is_err(), "a damaged note is an error");
    }

    #[test]
    fn the_server_is_found_by_its_pid_file() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder(folder.path().into());
        assert!(data.server().is_err());
        fs::create_dir_all(folder.path().join("postgres/cluster")).unwrap();
        fs::write(data.postgres().join("password"), "00ff\n").unwrap();
        fs::write(data.postgres().join("cluster/postmaster.pid"), "4242\n/x\n0\n5433\n\n127.0.0.1\n0\nready\n")
            .unwrap();
        let (process, options) = data.server().unwrap();
        assert_eq!((process, options.get_port(), options.get_database()), (4242, 5433, Some("portia")));
    }
}
