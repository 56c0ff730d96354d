//! Modules of each crate: none import each other in a circle, neither files nor the modules at the top, and in the gateway `edge`
//! never imports `api`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use serde_json::Value;

use super::Findings;
use crate::workspace::Workspace;

/// Module path (`edge::cache`) to the modules it imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let metadata = workspace.metadata(false)?;
    let packages = metadata.get("packages").and_then(Value::as_array).context("cargo metadata names no packages")?;
    let mut found = Findings::new();
    for manifest in packages.iter().filter_map(|package| package.get("manifest_path")?.as_str()) {
        let folder = Path::new(manifest).with_file_name("");
        let source = folder.join("src");
        let mut files = BTreeMap::new();
        read(&source, &source, &mut files)?;
        let name = folder.strip_prefix(&workspace.root).unwrap_or(&folder).display().to_string();
        found.extend(violations(&graph(&files)).into_iter().map(|finding| format!("{name}: {finding}")));
    }
    Ok(found)
}

/// Reads every Rust file below `folder`, by module path.
fn read(folder: &Path, source: &Path, files: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, source, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(source)?.with_extension("");
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            let module = parts.join("::");
            if !parts.iter().any(|part| part == "tests") {
                files.insert(module, fs::read_to_string(&path)?);
            }
        }
    }
    Ok(())
}

/// The imports between the modules of `files`. The crate root only assembles the modules and is not part of the graph.
fn graph(files: &BTreeMap<String, String>) -> Graph {
    let of_tests: Vec<String> = files.iter().flat_map(|(name, text)| test_modules(name, text)).collect();
    let is_of_tests = |module: &str| of_tests.iter().any(|tests| module == tests || is_inside(module, tests));
    let modules: BTreeMap<&str, &str> = files
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "lib" | "main") && !is_of_tests(name))
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let edges = modules.iter().map(|(name, text)| {
        let imports = imported_paths(&code(text), name).into_iter().filter_map(|path| owner(&path, &modules));
        // A parent declares and re-exports its children; that is no dependency.
        let imports = imports.filter(|to| to != name && !is_inside(to, name) && !is_inside(name, to));
        ((*name).to_owned(), imports.map(str::to_owned).collect())
    });
    edges.collect()
}

/// The modules that a file declares for its tests.
fn test_modules(module: &str, text: &str) -> Vec<String> {
    let lines = text.lines().zip(text.lines().skip(1)).filter(|(attribute, _)| *attribute == "#[cfg(test)]");
    let names = lines.filter_map(|(_, line)| line.strip_prefix("mod ")?.strip_suffix(';'));
    let parent = if matches!(module, "lib" | "main") { String::new() } else { format!("{module}::") };
    names.map(|name| format!("{parent}{name}")).collect()
}

/// The text without line comments and without the tests at its end.
fn code(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text.get(..end).unwrap_or_default().lines();
    lines.map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Every path that begins with `crate::` or `super::`, with `use` groups expanded, from the crate root.
fn imported_paths(code: &str, module: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (prefix, start) in
        [("crate::", Some(String::new())), ("super::", module.rsplit_once("::").map(|(p, _)| format!("{p}::")))]
    {
        for (at, _) in code.match_indices(prefix) {
            let before = code.get(..at).and_then(|text| text.chars().next_back());
            let Some(start) =
                start.as_ref().filter(|_| !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':'))
            else {
                continue;
            };
            expand(code.get(at + prefix.len()..).unwrap_or_default(), start, &mut paths);
        }
    }
    paths
}

/// Reads one path, and for a group every path in it. Returns the number of bytes read.
fn expand(text: &str, start: &str, paths: &mut Vec<String>) -> usize {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let end = text.find(|c: char| !is_path(c)).unwrap_or(text.len());
    let path = format!("{start}{}", text.get(..end).unwrap_or_default());
    if !text.get(end..).unwrap_or_default().starts_with('{') || !path.ends_with("::") && !path.is_empty() {
        paths.push(path);
        return end;
    }
    let mut at = end + 1;
    while let Some(rest) = text.get(at..) {
        let skipped = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        let rest = rest.get(skipped..).unwrap_or_default();
        at += skipped;
        if rest.is_empty() {
            break;
        }
        if rest.starts_with('}') {
            return at + 1;
        }
        let read = expand(rest, &path, paths);
        // `self`, `*` and `as name` add no module.
        let next = rest.get(read..).and_then(|tail| tail.find([',', '}'])).unwrap_or(rest.len() - read);
        at += read + next;
    }
    at
}

/// The longest prefix of a path that is a module.
fn owner<'a>(path: &str, modules: &BTreeMap<&'a str, &str>) -> Option<&'a str> {
    let mut prefix = path.trim_end_matches(':');
    loop {
        if let Some((name, _)) = modules.get_key_value(prefix) {
            return Some(name);
        }
        prefix = prefix.rsplit_once("::")?.0;
    }
}

fn is_inside(module: &str, parent: &str) -> bool {
    module.strip_prefix(parent).is_some_and(|rest| rest.starts_with("::"))
}

fn violations(graph: &Graph) -> Findings {
    let mut found = Findings::new();
    let in_part = |module: &str, part: &str| module == part || is_inside(module, part);
    for (from, imports) in graph {
        for to in imports.iter().filter(|to| in_part(from, "edge") && in_part(to, "api")) {
            found.push(format!("{from} imports {to}: edge knows nothing of api"));
        }
    }
    let folded = fold(graph);
    for (graph, is_folded) in [(graph, false), (&folded, true)] {
        for circle in circles(graph) {
            found.push(format!("a circle of {} modules: {}", circle.len(), circle.join(", ")));
            for from in circle.iter().filter(|_| !is_folded) {
                let inside = graph.get(*from).into_iter().flatten().filter(|to| circle.contains(&to.as_str()));
                found.extend(inside.map(|to| format!("    {from} imports {to}")));
            }
        }
    }
    found
}

/// The imports between the modules at the top, with all that they contain.
fn fold(graph: &Graph) -> Graph {
    let top = |module: &str| module.split("::").next().unwrap_or(module).to_owned();
    let mut folded = Graph::new();
    for (from, imports) in graph {
        let to = imports.iter().map(|to| top(to)).filter(|to| *to != top(from));
        folded.entry(top(from)).or_default().extend(to);
    }
    folded
}

/// Groups of more than one module that all reach each other.
fn circles(graph: &Graph) -> Vec<Vec<&str>> {
    let reachable: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|module| (module.as_str(), reached_from(graph, module))).collect();
    let reaches = |from: &str, to: &str| reachable.get(from).is_some_and(|all| all.contains(to));
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for module in graph.keys().map(String::as_str).filter(|module| reaches(module, module)) {
        let circle: Vec<&str> =
            graph.keys().map(String::as_str).filter(|other| reaches(module, other) && reaches(other, module)).collect();
        if seen.insert(circle.clone()) {
            circles.push(circle);
        }
    }
    circles
}

fn reached_from<'a>(graph: &'a Graph, module: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = graph.get(module).into_iter().flatten().map(String::as_str).collect();
    while let Some(each) = next.pop() {
        if reached.insert(each) {
            next.extend(graph.get(each).into_iter().flatten().map(String::as_str));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Findings {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        violations(&graph(&files))
    }

    #[test]
    fn imports_from_api_to_edge_are_allowed() {
        let found = findings(&[
            ("lib", "use crate::{api::posts, edge::cache};"),
            ("api", "pub mod posts;\npub use posts::views;"),
            ("api::posts", "use crate::edge::{cache::Cache, problem::{self, Problem}};\nuse super::members;"),
            ("api::members", "use crate::edge::cache;"),
            ("edge::cache", "// crate::api is not an import here\nuse std::fs;"),
            ("edge::problem", "use std::fs;\n\n#[cfg(test)]\nmod tests { use crate::api::posts; }"),
            ("edge", "#[cfg(test)]\nmod model;\nmod cache;"),
            ("edge::model::rules", "use crate::api::posts;"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn edge_may_not_import_api() {
        let found = findings(&[("api::posts", ""), ("edge::cache", "fn f() { crate::api::posts::get() }")]);
        assert_eq!(found, ["edge::cache imports api::posts: edge knows nothing of api"]);
    }

    #[test]
    fn a_circle_is_reported_with_its_imports() {
        let found = findings(&[
            ("edge::a", "use crate::{\n    config::Config,\n    edge::{b::{B, C as D}, c},\n};"),
            ("edge::b", "use super::a::A;"),
            ("edge::c", ""),
            ("config", ""),
        ]);
        let expected =
            ["a circle of 2 modules: edge::a, edge::b", "    edge::a imports edge::b", "    edge::b imports edge::a"];
        assert_eq!(found, expected);
    }

    #[test]
    fn folders_in_a_circle_are_reported_where_their_files_are_in_none() {
        let found = findings(&[
            ("posts::list", "use crate::timeline::page;"),
            ("posts::store", ""),
            ("timeline::page", ""),
            ("timeline::fill", "use crate::posts::store;"),
        ]);
        assert_eq!(found, ["a circle of 2 modules: posts, timeline"]);
    }
}
