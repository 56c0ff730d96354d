//! The crates of Cargo.lock, with the licences and dependencies that cargo knows, for every platform and feature.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
};

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Bill, Component, text};
use crate::{
    command::{cargo, output},
    workspace::Workspace,
};

pub(super) fn bill(workspace: &Workspace) -> Result<Bill> {
    let mut metadata = cargo();
    metadata.args(["metadata", "--format-version=1", "--locked", "--all-features"]).current_dir(&workspace.root);
    let metadata: Value = serde_json::from_str(&output(&mut metadata)?)?;
    let lock = fs::read_to_string(workspace.root.join("Cargo.lock")).context("Cargo.lock cannot be read")?;
    let locked = locked(&lock);

    let mut components = BTreeMap::new();
    let mut references = HashMap::new();
    for package in list(&metadata, "/packages")? {
        let (name, version) = (text(package, "name")?.to_owned(), text(package, "version")?.to_owned());
        let is_own = package.get("source").is_none_or(Value::is_null);
        let purl = format!("pkg:cargo/{name}@{version}");
        let reference = if is_own { format!("portia/{name}@{version}") } else { purl.clone() };
        references.insert(text(package, "id")?, reference.clone());
        let checksum = locked.get(&(name.clone(), version.clone())).cloned().flatten();
        let component = Component {
            purl: (!is_own).then_some(purl),
            // The older notation of cargo for a choice.
            license: text(package, "license").ok().map(|license| license.replace(" / ", "/").replace('/', " OR ")),
            hash: checksum.map(|hash| ("SHA-256", hash)),
            needs: BTreeSet::new(),
            name,
            version,
        };
        components.insert(reference, component);
    }
    for node in list(&metadata, "/resolve/nodes")? {
        let needed = list(node, "/dependencies")?.iter().filter_map(Value::as_str);
        let needs = needed.filter_map(|id| references.get(id).cloned()).collect();
        if let Some(component) = references.get(text(node, "id")?).and_then(|at| components.get_mut(at)) {
            component.needs = needs;
        }
    }
    Ok(Bill { subject: "portia", components, locked: locked.into_keys().collect() })
}

fn list<'a>(value: &'a Value, pointer: &str) -> Result<&'a Vec<Value>> {
    value.pointer(pointer).and_then(Value::as_array).with_context(|| format!("cargo metadata has no {pointer}"))
}

/// The packages of a lock file: name and version, with the checksum of those from a registry.
fn locked(lock: &str) -> BTreeMap<(String, String), Option<String>> {
    let packages = lock.split("[[package]]").skip(1);
    let field = |package: &str, name: &str| {
        let lines = package.lines().filter_map(|line| line.split_once(" = "));
        lines.into_iter().find(|(field, _)| *field == name).map(|(_, value)| value.trim_matches('"').to_owned())
    };
    packages
        .filter_map(|package| Some(((field(package, "name")?, field(package, "version")?), field(package, "checksum"))))
        .collect()
}
