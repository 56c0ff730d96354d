//! Real servers in temporary folders: life cycle, faults, and the isolation of bootstrap.sql.

#![cfg(test)]

mod bootstrap;
mod lifecycle;

use std::path::{Path, PathBuf};

use portia_postgres::{Options, Postgres, Profile, Result, Running, Source};
use sqlx::{Connection, PgConnection};

/// A temporary folder with a path that Postgres' user can reach (a private `TMPDIR` is not one).
struct Folder {
    _temporary: tempfile::TempDir,
    data: PathBuf,
}

fn folder() -> Folder {
    let temporary = tempfile::tempdir().unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o711);
    std::fs::set_permissions(temporary.path(), open).unwrap();
    let data = temporary.path().join("postgres");
    Folder { _temporary: temporary, data }
}

fn start(data: &Path) -> Result<Running> {
    Postgres::start(Options { data: data.into(), profile: Profile::Throwaway, source: Source::Any, progress: &|_| () })
}

async fn connect(url: &str) -> PgConnection {
    PgConnection::connect(url).await.unwrap()
}
