//! Reading the files of the repository.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The seven services and the gateway.
pub const PROCESSES: [&str; 8] = ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging", "gateway"];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The documents of a YAML file.
pub fn documents(path: &str) -> Vec<Value> {
    let text = text(path);
    let parsed = serde_norway::Deserializer::from_str(&text).map(<Value as serde::Deserialize>::deserialize);
    parsed.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The only document of a kind.
pub fn document(path: &str, kind: &str) -> Value {
    let mut found = documents(path).into_iter().filter(|document| document["kind"] == kind);
    let document = found.next().unwrap_or_else(|| panic!("{path} has no {kind}"));
    assert!(found.next().is_none(), "{path} has several {kind}");
    document
}

/// The files below a folder, as paths from the root.
pub fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// The text of every Rust file below a folder.
pub fn sources(folder: &str) -> String {
    files(folder).iter().filter(|path| path.ends_with(".rs")).map(|path| text(path)).collect()
}

/// The texts between two marks.
pub fn between<'a>(text: &'a str, start: &str, end: &str) -> BTreeSet<&'a str> {
    text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

/// The number after the first occurrence of a mark.
pub fn number_after(text: &str, mark: &str) -> u64 {
    let rest = text.split(mark).nth(1).unwrap_or_else(|| panic!("{mark} is not there"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number after {mark}"))
}

pub fn strings(list: &Value) -> BTreeSet<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The variables of deploy/manual/configuration.md, which follows from the code, with the cell of their readers.
pub fn variables() -> BTreeMap<String, String> {
    let page = text("deploy/manual/configuration.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let readers = |row: &str| row.split(" | ").next().unwrap().to_owned();
    let services = || PROCESSES.into_iter().filter(|process| *process != "gateway");
    rows.flat_map(|(name, row)| {
        let all: Vec<String> = if name.contains("<SERVICE>") {
            services().map(|service| name.replace("<SERVICE>", &service.replace('-', "_").to_uppercase())).collect()
        } else {
            vec![name.to_owned()]
        };
        all.into_iter().map(move |name| (name, readers(row)))
    })
    .collect()
}
