//! The descriptions of every `query!` by Postgres, stored in services/<service>/.sqlx.
//!
//! Builds read these files (`SQLX_OFFLINE=true` in .cargo/config.toml) and need no database. sqlx writes one file per query
//! while a crate is compiled against a database with the migrations, as `cargo sqlx prepare` does, which needs an
//! installation.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{
    command::{cargo, run, say},
    database::{Scratch, Server},
    workspace::Workspace,
};

/// Describes the queries of some services, each by a compilation of its own.
pub(crate) fn write(workspace: &Workspace, services: Vec<String>) -> Result<()> {
    if services.is_empty() {
        return Ok(());
    }
    let server = server(workspace)?;
    let url = server.url();
    for service in services {
        let folder = workspace.root.join("services").join(&service).join(".sqlx");
        let description = describe(workspace, &url, vec![service.clone()])?;
        if files(&description.fresh)? == files(&folder)? {
            say(&format!("{service}: .sqlx is up to date"));
        } else {
            replace(&description.fresh, &folder)?;
            say(&format!("{service}: .sqlx contains {} queries", files(&folder)?.len()));
        }
    }
    Ok(())
}

/// Compares the committed descriptions of every service with a database. Returns a sentence for each difference.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let server = server(workspace)?;
    let url = server.url();
    describe(workspace, &url, workspace.services()?)?.compare()
}

fn server(workspace: &Workspace) -> Result<Server> {
    run(Scratch::build(&mut cargo(), workspace))?;
    Server::for_task(workspace, "sqlx")
}

/// Compiles services against a database.
fn describe<'a>(workspace: &'a Workspace, server: &'a str, services: Vec<String>) -> Result<Description<'a>> {
    let mut check = cargo();
    check.args(["check", "--quiet", "--lib", "--tests"]).current_dir(&workspace.root);
    services.iter().for_each(|service| _ = check.args(["--package", service]));
    let description = Description::begin(workspace, server, services)?;
    description.configure(&mut check);
    run(&mut check)?;
    Ok(description)
}

/// A database with the migrations of some services, and a folder for the descriptions that a compilation writes.
///
/// One database serves all services: each has a schema of its own.
pub(crate) struct Description<'a> {
    scratch: Scratch<'a>,
    /// The folders of the committed descriptions.
    committed: Vec<PathBuf>,
    fresh: PathBuf,
    /// Macros are expanded only in what is compiled.
    _touched: Vec<Touched>,
}

impl<'a> Description<'a> {
    /// The program of [`Scratch::build`] is built.
    pub(crate) fn begin(workspace: &'a Workspace, server: &'a str, services: Vec<String>) -> Result<Self> {
        let folders: Vec<PathBuf> = services.iter().map(|name| workspace.root.join("services").join(name)).collect();
        let mut statements = Vec::new();
        let mut touched = Vec::new();
        for (service, folder) in services.iter().zip(&folders) {
            statements.extend(library_migrations(workspace, &service.replace('-', "_"))?);
            statements.extend(migrations(&folder.join("migrations"))?);
            touched.push(Touched::now(folder.join("src/lib.rs"))?);
            if has_queries(&folder.join("tests"))? {
                touched.push(Touched::now(folder.join("tests/it/main.rs"))?);
            }
        }
        let fresh = workspace.target()?.join("xtask/.sqlx");
        if fresh.exists() {
            fs::remove_dir_all(&fresh)?;
        }
        fs::create_dir_all(&fresh)?;
        Ok(Self {
            scratch: Scratch::create(workspace, server, "sqlx", &statements)?,
            committed: folders.into_iter().map(|folder| folder.join(".sqlx")).collect(),
            fresh,
            _touched: touched,
        })
    }

    /// Lets a compilation describe the queries that it expands.
    pub(crate) fn configure(&self, compilation: &mut Command) {
        compilation
            .env("SQLX_OFFLINE", "false")
            .env("DATABASE_URL", self.scratch.url())
            .env("SQLX_OFFLINE_DIR", &self.fresh);
    }

    /// Compares the committed descriptions with the compiled ones. Returns a sentence for each difference.
    pub(crate) fn compare(&self) -> Result<Vec<String>> {
        let mut committed = BTreeMap::new();
        for folder in &self.committed {
            committed.append(&mut without_nullability(folder)?);
        }
        Ok(differences(&committed, &without_nullability(&self.fresh)?))
    }
}

/// A sentence for each query whose descriptions differ.
fn differences(committed: &BTreeMap<OsString, Value>, fresh: &BTreeMap<OsString, Value>) -> Vec<String> {
    let names = committed.keys().chain(fresh.keys().filter(|name| !committed.contains_key(*name)));
    let differing = names.filter(|name| committed.get(*name) != fresh.get(*name));
    differing.map(|name| difference(name, committed.get(name), fresh.get(name))).collect()
}

/// A sentence about a query with different descriptions.
fn difference(name: &OsString, committed: Option<&Value>, fresh: Option<&Value>) -> String {
    let what = match (committed, fresh) {
        (Some(_), None) => "is of no query",
        (None, _) => "is missing",
        _ => "is out of date",
    };
    let text = committed.or(fresh).and_then(|description| description.get("query")).and_then(Value::as_str);
    let text: String =
        text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
    format!(".sqlx/{} {what} ({text} ..); run `cargo xtask generate --all` and commit its result", name.display())
}

/// Returns the migrations in the order of their application, which is the order of the times in their names.
fn migrations(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    Ok(files)
}

/// Writes the migrations of the tables of libraries for a schema, as `db::migrator` runs them. Returns the files.
fn library_migrations(workspace: &Workspace, schema: &str) -> Result<Vec<PathBuf>> {
    let folder = workspace.target()?.join("xtask/library-migrations").join(schema);
    fs::create_dir_all(&folder)?;
    let mut templates = Vec::new();
    for library in workspace.libraries_with_tables()? {
        templates.extend(migrations(&workspace.root.join("services/lib").join(library).join("migrations"))?);
    }
    let write = |template: PathBuf| {
        let file = folder.join(template.file_name().unwrap_or_default());
        fs::write(&file, fs::read_to_string(&template)?.replace("{schema}", schema))?;
        Ok(file)
    };
    templates.into_iter().map(write).collect()
}

/// A file with the present modification time, which makes cargo compile its crate. The drop restores the time, so that later
/// builds do not compile it again.
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

/// Whether a file in the folder has queries that the compiler checks.
fn has_queries(tests: &Path) -> Result<bool> {
    let Ok(entries) = fs::read_dir(tests) else {
        return Ok(false);
    };
    for entry in entries {
        let path = entry?.path();
        let found = if path.is_dir() {
            has_queries(&path)?
        } else {
            let text = fs::read_to_string(&path).unwrap_or_default();
            ["query!(", "query_as!(", "query_scalar!("].iter().any(|each| text.contains(each))
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The files of a folder by name; none when the folder does not exist.
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

/// The descriptions without `nullable`, which sqlx derives from a query plan and which differs between versions of Postgres.
fn without_nullability(folder: &Path) -> Result<BTreeMap<OsString, Value>> {
    let described = files(folder)?.into_iter().map(|(name, text)| {
        let mut description: Value = serde_json::from_slice(&text)?;
        if let Some(columns) = description.get_mut("describe").and_then(Value::as_object_mut) {
            columns.remove("nullable");
        }
        Ok((name, description))
    });
    described.collect()
}

/// Replaces the committed descriptions by the fresh ones.
fn replace(fresh: &Path, committed: &Path) -> Result<()> {
    let new = files(fresh)?;
    for name in files(committed)?.keys().filter(|name| !new.contains_key(*name)) {
        fs::remove_file(committed.join(name))?;
    }
    fs::create_dir_all(committed)?;
    for (name, text) in new {
        fs::write(committed.join(name), text)?;
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
    fn stale_queries_are_deleted_and_new_ones_added() {
        let fresh = folder_with(&[("query-a.json", "new"), ("query-b.json", "b")]);
        let committed = folder_with(&[("query-a.json", "old"), ("query-c.json", "c")]);
        replace(fresh.path(), committed.path()).unwrap();
        assert_eq!(files(fresh.path()).unwrap(), files(committed.path()).unwrap());
    }

    #[test]
    fn nullability_does_not_count_as_a_difference_but_columns_do() {
        let here = folder_with(&[("query-a.json", r#"{"describe": {"columns": [1], "nullable": [true]}}"#)]);
        let there = folder_with(&[("query-a.json", r#"{"describe": {"columns": [1], "nullable": [null]}}"#)]);
        let other = folder_with(&[("query-a.json", r#"{"describe": {"columns": [2], "nullable": [true]}}"#)]);
        assert_eq!(without_nullability(here.path()).unwrap(), without_nullability(there.path()).unwrap());
        assert_ne!(without_nullability(here.path()).unwrap(), without_nullability(other.path()).unwrap());
    }

    #[test]
    fn missing_stale_and_changed_descriptions_are_reported() {
        let described = |entries: &[(&str, &str, u32)]| -> BTreeMap<OsString, Value> {
            let entry = |(name, query, columns): &(&str, &str, u32)| {
                (OsString::from(name), serde_json::json!({ "query": query, "columns": columns }))
            };
            entries.iter().map(entry).collect()
        };
        let committed = described(&[("a", "select 1", 1), ("b", "select 2", 1), ("c", "select 3", 1)]);
        let fresh = described(&[("a", "select 1", 1), ("b", "select 2", 2), ("d", "select\n    4", 1)]);
        assert_eq!(
            differences(&committed, &fresh),
            [
                ".sqlx/b is out of date (select 2 ..); run `cargo xtask generate --all` and commit its result",
                ".sqlx/c is of no query (select 3 ..); run `cargo xtask generate --all` and commit its result",
                ".sqlx/d is missing (select 4 ..); run `cargo xtask generate --all` and commit its result",
            ]
        );
        assert_eq!(differences(&fresh, &fresh), Vec::<String>::new());
    }

    #[test]
    fn migrations_are_in_order_without_other_files() {
        let folder = folder_with(&[("2_b.sql", ""), ("1_a.sql", ""), ("README.md", "")]);
        let names: Vec<_> =
            migrations(folder.path()).unwrap().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["1_a.sql", "2_b.sql"]);
    }

    #[test]
    fn checked_queries_in_tests_are_found() {
        let with = folder_with(&[("it/posts.rs", "let id = sqlx::query_scalar!(\"select 1\")")]);
        let without = folder_with(&[("it/posts.rs", "// no query")]);
        assert!(has_queries(with.path()).unwrap());
        assert!(!has_queries(without.path()).unwrap());
        assert!(!has_queries(Path::new("/nowhere")).unwrap());
    }
}
