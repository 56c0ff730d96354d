//! A Postgres server for one test, for effects that occur only when a schema moves to another server.

use std::path::PathBuf;

use portia_postgres::{Options, Postgres, Profile, Running, Source};
use sqlx::migrate::Migrator;

use crate::{Database, server::Server};

/// A second server; stopped and deleted with the value.
#[derive(Debug)]
pub struct OtherServer {
    /// Taken on drop: the server stops before its folder is deleted.
    running: Option<Running>,
    folder: PathBuf,
    server: Server,
}

impl OtherServer {
    /// Creates and starts it, in about a second.
    pub async fn start() -> Self {
        let since = std::time::UNIX_EPOCH.elapsed().expect("the clock is past 1970");
        let folder = std::env::temp_dir().join(format!("portia-test-{}-{:x}", std::process::id(), since.as_nanos()));
        let data = folder.clone();
        let start = move || {
            Postgres::start(Options { data, profile: Profile::Throwaway, source: Source::Any, progress: &|_| {} })
        };
        let started = tokio::task::spawn_blocking(start).await.expect("starting does not panic");
        let running = started.unwrap_or_else(|error| panic!("A second Postgres does not start: {error}"));
        let server = Server::at(&running.admin_url());
        Self { running: Some(running), folder, server }
    }

    /// Like [`Database::fresh`], on this server.
    pub async fn database(&self, schema: &str, migrator: &Migrator) -> Database {
        Database::on(self.server.clone(), schema, migrator).await
    }
}

impl Drop for OtherServer {
    fn drop(&mut self) {
        drop(self.running.take());
        // At most a folder in the system's temporary folder remains.
        portia_postgres::discard(&self.folder).ok();
    }
}
