//! Real servers in temporary folders: their life, their faults, and the walls bootstrap.sql builds.

#![cfg(test)]

mod bootstrap;
mod life;

use std::path::{Path, PathBuf};

use portia_postgres::{Options, Postgres, Profile, Result, Running, Source};
use sqlx::{Connection, PgConnection};

/// A folder that goes with the test, with the path Postgres' user can reach (a private `TMPDIR` is not one).
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
