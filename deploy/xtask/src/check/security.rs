//! `deploy/SECURITY.md`: every row of the standard is there once, and every file and test that the document names exists.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
};

use anyhow::{Context, Result};

use super::{
    Findings,
    specification::{OF, names},
};
use crate::workspace::Workspace;

/// The document; the path from the root of the repository.
const DOCUMENT: &str = "deploy/SECURITY.md";

/// The sections of ASVS 5.0 with the number of their rows of levels 1 and 2, which come first.
const SECTIONS: &str = "1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 \
                        4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 \
                        7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 \
                        11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 \
                        14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2";

/// The states of a row.
const STATES: [&str; 3] = ["met", "explained", "open"];

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let path = workspace.root.join(DOCUMENT);
    let document = fs::read_to_string(path).with_context(|| format!("{DOCUMENT} cannot be read"))?;
    let mut found = rows(&document, &standard());
    found.extend(evidence(&document, |path| {
        let path = workspace.root.join(path);
        if path.is_dir() { Some(String::new()) } else { fs::read_to_string(path).ok() }
    }));
    Ok(found)
}

/// The ids of all rows.
fn standard() -> BTreeSet<String> {
    let sections = SECTIONS.split_whitespace().filter_map(|section| section.split_once(':'));
    let rows = sections.filter_map(|(section, count)| Some((section, count.parse::<u32>().ok()?)));
    rows.flat_map(|(section, count)| (1..=count).map(move |row| format!("{section}.{row}"))).collect()
}

/// The violations in the tables of the standard: a row that is missing, there twice, without a state or without a reason.
fn rows(document: &str, standard: &BTreeSet<String>) -> Findings {
    let mut found = Findings::new();
    let mut stated = BTreeSet::new();
    for (line, text) in (1..).zip(document.lines()) {
        let Some(row) = text.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else { continue };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let mut wrong = |what: String| found.push(format!("{DOCUMENT}:{line}: {what}"));
        let ids = ids(cells.first().copied().unwrap_or_default(), standard);
        match cells.as_slice() {
            _ if ids.is_empty() => continue,
            [id, _, state, reason] if !STATES.contains(state) || reason.is_empty() => {
                wrong(format!("{id} needs one of the states {} and a reason", STATES.join(", ")));
            }
            [id, _, "open", reason] if !reason.contains("open: ") => wrong(format!("{id} does not say what is open")),
            [id, _, "met", reason] if reason.contains("open: ") && !reason.contains('`') => {
                wrong(format!("{id} is met without evidence"));
            }
            [_, _, _, _] | [_, _] => {}
            _ => wrong(
                "a row is an id, a requirement, a state and a reason, or ids that do not apply and the reason".into(),
            ),
        }
        for id in ids {
            if !stated.insert(id.clone()) {
                wrong(format!("{id} is there twice"));
            }
        }
    }
    found.extend(standard.difference(&stated).map(|id| format!("{DOCUMENT}: {id} is missing")));
    found
}

/// The rows of the standard that a cell names: `1.2.6, 10.*`. Empty when the cell is something else.
fn ids(cell: &str, standard: &BTreeSet<String>) -> Vec<String> {
    let mut named = Vec::new();
    for id in cell.split(", ") {
        let of_this: Vec<&String> = match id.strip_suffix('*') {
            Some(chapter) if chapter.ends_with('.') => standard.iter().filter(|row| row.starts_with(chapter)).collect(),
            _ => standard.get(id).into_iter().collect(),
        };
        if of_this.is_empty() {
            return Vec::new();
        }
        named.extend(of_this.into_iter().cloned());
    }
    named
}

/// The files and tests named between backticks that do not exist; `read` returns a file of the repository, if it exists.
fn evidence(document: &str, read: impl Fn(&str) -> Option<String>) -> Findings {
    let mut found = Findings::new();
    let mut tests: HashMap<String, Option<HashSet<String>>> = HashMap::new();
    for (line, text) in (1..).zip(document.lines()) {
        // Every second part is between backticks.
        for code in text.split('`').skip(1).step_by(2) {
            let (path, test) = match code.split_once(OF) {
                Some((path, test)) => (path, Some(test)),
                None if is_path(code) => (code, None),
                None => continue,
            };
            let known = tests.entry(path.to_owned()).or_insert_with(|| read(path).map(|source| names(path, &source)));
            match (known, test) {
                (None, _) => found.push(format!("{DOCUMENT}:{line}: there is no {path}")),
                (Some(names), Some(test)) if !names.contains(test) => {
                    found.push(format!("{DOCUMENT}:{line}: {path} has no test '{test}'"));
                }
                (Some(_), _) => {}
            }
        }
    }
    found
}

/// A path from the root of the repository: `deny.toml`, `gateway/src`. An address of the site begins with a slash.
fn is_path(code: &str) -> bool {
    let is_inside = code.contains('/') && !code.starts_with('/') && !code.contains("//");
    let is_at_root = [".toml", ".yml", ".md"].iter().any(|end| code.ends_with(end)) || code.starts_with('.');
    !code.contains(char::is_whitespace) && (is_inside || is_at_root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &str) -> Findings {
        let standard = ["1.1.1", "1.1.2", "10.1.1", "10.2.1"].map(str::to_owned).into();
        super::rows(rows, &standard)
    }

    #[test]
    fn the_standard_has_253_rows_of_the_first_two_levels() {
        let standard = standard();
        assert_eq!(standard.len(), 253);
        assert!(standard.contains("6.2.12") && standard.contains("17.3.2") && !standard.contains("6.2.13"));
    }

    #[test]
    fn a_table_with_every_row_passes() {
        let table = "| Row | Requirement | State | Reason |\n|---|---|---|---|\n| 1.1.1 | a | met | `deny.toml` |\n\
                     | 1.1.2 | b | open | open: later |\n\n| Rows | Reason |\n|---|---|\n| 10.* | none |\n| body | 64 KiB |";
        assert_eq!(of(table), Findings::new());
    }

    #[test]
    fn missing_repeated_and_unfounded_rows_are_reported() {
        let rest = "| 1.1.2 | b | met | c |\n| 10.1.1, 10.2.1 | none |";
        for (row, what) in [
            ("", ": 1.1.1 is missing"),
            ("| 1.1.1 | a | met | b |\n| 1.1.1 | a | met | b |\n", ":2: 1.1.1 is there twice"),
            ("| 1.1.1 | a | done | b |\n", ":1: 1.1.1 needs one of the states met, explained, open and a reason"),
            ("| 1.1.1 | a | met | |\n", ":1: 1.1.1 needs one of the states met, explained, open and a reason"),
            ("| 1.1.1 | a | open | later |\n", ":1: 1.1.1 does not say what is open"),
            ("| 1.1.1 | a | met | open: all of it |\n", ":1: 1.1.1 is met without evidence"),
            (
                "| 1.1.1 | a | met |\n",
                ":1: a row is an id, a requirement, a state and a reason, or ids that do not apply and the reason",
            ),
        ] {
            assert_eq!(of(&format!("{row}{rest}")), [format!("{DOCUMENT}{what}")], "{row}");
        }
    }

    #[test]
    fn files_and_tests_that_do_not_exist_are_reported() {
        let read = |path: &str| match path {
            "auth/it.rs" => Some("#[test]\nfn is_kept() {}\n".to_owned()),
            ".clippy.toml" | "gateway/src" => Some(String::new()),
            _ => None,
        };
        let good =
            "`auth/it.rs › is_kept`, `.clippy.toml`, `gateway/src`, `/api/docs`, `portia admin`, `PORTIA_X`, `tls.crt`";
        assert_eq!(evidence(good, read), Findings::new());
        for (bad, what) in [
            ("`gone/it.rs`", "there is no gone/it.rs"),
            ("`gone.toml`", "there is no gone.toml"),
            ("`auth/it.rs › is_gone`", "auth/it.rs has no test 'is_gone'"),
        ] {
            assert_eq!(evidence(bad, read), [format!("{DOCUMENT}:1: {what}")]);
        }
    }
}
