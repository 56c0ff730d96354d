//! `cargo xtask sqlx`: the description of every `query!` by Postgres, stored in services/<service>/.sqlx.
//!
//! Builds read those files (`SQLX_OFFLINE=true` in .cargo/config.toml), so no build needs a database to
//! compile. sqlx writes one file a query while the crate is checked against a database that has the
//! service's migrations, which is what `cargo sqlx prepare` does too, without its installation.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{
    command::{cargo, run, say},
    database::{Scratch, Server},
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Sqlx {
    /// The services, by their folder's name; all when none is given.
    services: Vec<String>,
    /// Change nothing; fail when a committed file differs from what the database says.
    #[arg(long)]
    check: bool,
}

impl Sqlx {
    /// Whether every committed file is what the database says today.
    pub(crate) const fn check_all() -> Self {
        Self { services: Vec::new(), check: true }
    }

    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let known = workspace.services()?;
        if let Some(stranger) = self.services.iter().find(|name| !known.contains(name)) {
            bail!("there is no service '{stranger}' with migrations; there are: {}", known.join(", "));
        }
        let services = if self.services.is_empty() { known } else { self.services };
        let server = Server::for_task(workspace, "sqlx")?;
        for service in services {
            let fresh = describe(workspace, &server.url(), &service)?;
            let kept = workspace.root.join("services").join(&service).join(".sqlx");
            if files(&fresh)? == files(&kept)? || (self.check && meanings(&fresh)? == meanings(&kept)?) {
                say(&format!("{service}: .sqlx is up to date"));
            } else if self.check {
                bail!("services/{service}/.sqlx is out of date; run `cargo xtask sqlx {service}` and commit it");
            } else {
                replace(&fresh, &kept)?;
                say(&format!("{service}: .sqlx holds {} queries", files(&kept)?.len()));
            }
        }
        Ok(())
    }
}

/// Checks the service against a fresh database with its migrations; returns the folder sqlx wrote to.
fn describe(workspace: &Workspace, server: &str, service: &str) -> Result<PathBuf> {
    let folder = workspace.root.join("services").join(service);
    let migrations = migrations(&folder.join("migrations"))?;
    let scratch = Scratch::create(workspace, server, &format!("sqlx_{}", service.replace('-', "_")), &migrations)?;

    let fresh = workspace.target()?.join("xtask").join(format!(".sqlx-{service}"));
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    fs::create_dir_all(&fresh)?;

    let mut check = cargo();
    check.args(["check", "--quiet", "--package", service, "--lib"]).current_dir(&workspace.root);
    let mut touched = vec![Touched::now(folder.join("src/lib.rs"))?];
    if asks_the_database(&folder.join("tests"))? {
        check.arg("--tests");
        touched.push(Touched::now(folder.join("tests/it/main.rs"))?);
    }
    check.env("SQLX_OFFLINE", "false").env("DATABASE_URL", scratch.url()).env("SQLX_OFFLINE_DIR", &fresh);
    let described = run(&mut check).with_context(|| format!("{service} was not described"));
    drop(touched);
    described.map(|()| fresh)
}

/// The migrations in the order in which they are applied: by the time their names begin with.
fn migrations(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    Ok(files)
}

/// A file that looks just written while this lives: macros are expanded only when cargo thinks the
/// crate has changed, and other builds should not think so afterwards.
struct Touched {
    file: PathBuf,
    before: SystemTime,
}

impl Touched {
    fn now(file: PathBuf) -> Result<Self> {
        let touched = |file: &Path| {
            let before = fs::metadata(file)?.modified()?;
            set_modified(file, SystemTime::now())?;
            Ok::<_, std::io::Error>(before)
        };
        let before = touched(&file).with_context(|| format!("{} could not be touched", file.display()))?;
        Ok(Self { file, before })
    }
}

impl Drop for Touched {
    fn drop(&mut self) {
        // At worst the next build compiles this crate again.
        set_modified(&self.file, self.before).ok();
    }
}

fn set_modified(file: &Path, to: SystemTime) -> std::io::Result<()> {
    File::options().append(true).open(file)?.set_modified(to)
}

/// Whether the service's own tests use checked queries too.
fn asks_the_database(tests: &Path) -> Result<bool> {
    let Ok(entries) = fs::read_dir(tests) else {
        return Ok(false);
    };
    for entry in entries {
        let path = entry?.path();
        let asks = if path.is_dir() {
            asks_the_database(&path)?
        } else {
            let text = fs::read_to_string(&path).unwrap_or_default();
            ["query!(", "query_as!(", "query_scalar!("].iter().any(|each| text.contains(each))
        };
        if asks {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A folder's files by name; none when there is no folder.
fn files(folder: &Path) -> Result<BTreeMap<OsString, Vec<u8>>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(BTreeMap::new());
    };
    entries
        .map(|entry| {
            let entry = entry?;
            Ok((entry.file_name(), fs::read(entry.path())?))
        })
        .collect()
}

/// The descriptions without `nullable`: sqlx reads that from the planner's mind, which differs between
/// versions of Postgres, so a check on another machine must not stumble over it.
fn meanings(folder: &Path) -> Result<BTreeMap<OsString, Value>> {
    let described = files(folder)?.into_iter().map(|(name, text)| {
        let mut description: Value = serde_json::from_slice(&text)?;
        if let Some(columns) = description.get_mut("describe").and_then(Value::as_object_mut) {
            columns.remove("nullable");
        }
        Ok((name, description))
    });
    described.collect()
}

/// Makes `kept` hold what `fresh` does: stale queries go, new ones come.
fn replace(fresh: &Path, kept: &Path) -> Result<()> {
    let new = files(fresh)?;
    for name in files(kept)?.keys().filter(|name| !new.contains_key(*name)) {
        fs::remove_file(kept.join(name))?;
    }
    fs::create_dir_all(kept)?;
    for (name, text) in new {
        fs::write(kept.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn stale_queries_go_and_new_ones_come() {
        let fresh = folder_with(&[("query-a.json", "new"), ("query-b.json", "b")]);
        let kept = folder_with(&[("query-a.json", "old"), ("query-c.json", "c")]);
        replace(fresh.path(), kept.path()).unwrap();
        assert_eq!(files(fresh.path()).unwrap(), files(kept.path()).unwrap());
    }

    #[test]
    fn another_postgres_is_not_another_answer_but_another_column_is() {
        let here = folder_with(&[("query-a.json", r#"{"describe": {"columns": [1], "nullable": [true]}}"#)]);
        let there = folder_with(&[("query-a.json", r#"{"describe": {"columns": [1], "nullable": [null]}}"#)]);
        let other = folder_with(&[("query-a.json", r#"{"describe": {"columns": [2], "nullable": [true]}}"#)]);
        assert_eq!(meanings(here.path()).unwrap(), meanings(there.path()).unwrap());
        assert_ne!(meanings(here.path()).unwrap(), meanings(other.path()).unwrap());
    }

    #[test]
    fn migrations_come_in_order_and_nothing_else_does() {
        let folder = folder_with(&[("2_b.sql", ""), ("1_a.sql", ""), ("README.md", "")]);
        let names: Vec<_> =
            migrations(folder.path()).unwrap().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["1_a.sql", "2_b.sql"]);
    }

    #[test]
    fn sees_checked_queries_in_tests() {
        let with = folder_with(&[("it/posts.rs", "let id = sqlx::query_scalar!(\"select 1\")")]);
        let without = folder_with(&[("it/posts.rs", "// no query")]);
        assert!(asks_the_database(with.path()).unwrap());
        assert!(!asks_the_database(without.path()).unwrap());
        assert!(!asks_the_database(Path::new("/nowhere")).unwrap());
    }
}
