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
    for (service, schema) in services.iter().zip(&schemas) {
        let folder = workspace.root.join("services").join(service);
        let mut files = Vec::new();
        for part in ["migrations", "src", "tests"] {
            collect(&folder.join(part), &mut files)?;
        }
        for file in files {
            let path = file.strip_prefix(&workspace.root)?.display().to_string();
            let text = fs::read_to_string(&file)?;
            let finding = |line: usize, what: String| format!("{path}:{line}: {what}");
            if path.ends_with(".sql") {
                let kind = if path.contains("/migrations/") { Kind::Migration } else { Kind::Query };
                found.extend(
                    violations(&text, kind, schema, &schemas).into_iter().map(|(line, what)| finding(line, what)),
                );
                if kind == Kind::Migration {
                    let name = path.rsplit('/').next().unwrap_or_default();
                    found.extend(blocking::violations(name, &text).into_iter().map(|(line, what)| finding(line, what)));
                }
            } else {
                for (first, sql) in literals::queries(&text) {
                    let each = violations(&sql, Kind::Query, schema, &schemas);
                    found.extend(each.into_iter().map(|(line, what)| finding(first + line - 1, what)));
                }
            }
        }
    }
    Ok(found)
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
