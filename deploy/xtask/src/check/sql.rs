//! The SQL of a service always names its own schema, and uses no feature that prevents sharding. Migrations block no requests.

mod blocking;
mod literals;
mod rules;
mod tokens;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;

use self::rules::{Kind, violations};
use super::Findings;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let services = workspace.services()?;
    let schemas: Vec<String> = services.iter().map(|name| name.replace('-', "_")).collect();
    let mut found = Findings::new();
    let mut checked = |folder: PathBuf, schema: &str| -> Result<()> {
        let mut files = Vec::new();
        collect(&folder, &mut files)?;
        for file in files {
            let path = file.strip_prefix(&workspace.root)?.display().to_string();
            let text = fs::read_to_string(&file)?;
            let each = in_file(&path, &text, schema, &schemas);
            found.extend(each.into_iter().map(|(line, what)| format!("{path}:{line}: {what}")));
        }
        Ok(())
    };
    let root = workspace.root.join("services");
    for (service, schema) in services.iter().zip(&schemas) {
        ["migrations", "src", "tests"]
            .into_iter()
            .try_for_each(|part| checked(root.join(service).join(part), schema))?;
    }
    for library in workspace.libraries_with_tables()? {
        checked(root.join("lib").join(library).join("migrations"), ANY_SCHEMA)?;
    }
    Ok(found)
}

/// The tables of libraries are in several schemas: any one stands for them.
const ANY_SCHEMA: &str = "auth";

fn in_file(path: &str, text: &str, schema: &str, schemas: &[String]) -> Vec<(usize, String)> {
    if !path.ends_with(".sql") {
        let queries = literals::queries(text).into_iter();
        return queries
            .flat_map(|(first, sql)| {
                let each = violations(&sql, Kind::Query, schema, schemas);
                each.into_iter().map(move |(line, what)| (first + line - 1, what))
            })
            .collect();
    }
    if !path.contains("/migrations/") {
        return violations(text, Kind::Query, schema, schemas);
    }
    let text = text.replace("{schema}", schema);
    let mut found = violations(&text, Kind::Migration, schema, schemas);
    found.extend(blocking::violations(&text));
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "sql" || extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}
