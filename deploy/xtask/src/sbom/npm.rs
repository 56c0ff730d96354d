//! The packages of package-lock.json, with those for development and for other platforms.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::{Context, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value};

use super::{Bill, Component, text};
use crate::workspace::Workspace;

/// The folder of the packages of a package.
const MODULES: &str = "node_modules/";

pub(super) fn bill(workspace: &Workspace) -> Result<Bill> {
    let file = workspace.web().join("package-lock.json");
    let lock = fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lock: Value = serde_json::from_str(&lock)?;
    let packages = lock.get("packages").and_then(Value::as_object).context("package-lock.json lists no packages")?;
    let mut components = BTreeMap::<String, Component>::new();
    let mut locked = BTreeSet::new();
    for (path, package) in packages.iter().filter(|(path, _)| !path.is_empty()) {
        let (name, version) =
            (name(path).to_owned(), text(package, "version").with_context(|| path.clone())?.to_owned());
        let reference = purl(&name, &version);
        // The same package can be installed at several places, where its dependencies may be other ones.
        let component = components.entry(reference.clone()).or_insert_with(|| Component {
            name: name.clone(),
            version: version.clone(),
            purl: Some(reference),
            license: text(package, "license").ok().map(str::to_owned),
            hash: text(package, "integrity").ok().and_then(hash),
            needs: BTreeSet::new(),
        });
        component.needs.extend(needs(packages, path, package));
        locked.insert((name, version));
    }
    Ok(Bill { subject: "portia-web", components, locked })
}

/// `@radix-ui/react-slot` of `node_modules/radix-ui/node_modules/@radix-ui/react-slot`.
fn name(path: &str) -> &str {
    path.rsplit_once(MODULES).map_or(path, |(_, name)| name)
}

fn purl(name: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", name.replace('@', "%40"))
}

/// The packages that a package finds: each of the folders that contain it may have one.
fn needs(packages: &Map<String, Value>, path: &str, package: &Value) -> Vec<String> {
    let kinds = ["dependencies", "optionalDependencies", "peerDependencies"];
    let wanted = kinds.iter().filter_map(|kind| package.get(kind)?.as_object()).flat_map(Map::keys);
    let found = wanted.filter_map(|wanted| {
        let mut folder = Some(path);
        while let Some(inside) = folder {
            let separator = if inside.is_empty() { "" } else { "/" };
            if let Some(package) = packages.get(&format!("{inside}{separator}{MODULES}{wanted}")) {
                return Some(purl(wanted, text(package, "version").ok()?));
            }
            // The last step is the root.
            folder = match inside.rsplit_once(MODULES) {
                Some((outside, _)) => Some(outside.trim_end_matches('/')),
                None => None,
            };
        }
        // Not installed: it is optional.
        None
    });
    found.collect()
}

/// The hash of `sha512-<base64>`; `None` for another algorithm.
fn hash(integrity: &str) -> Option<(&'static str, String)> {
    let bytes = STANDARD.decode(integrity.strip_prefix("sha512-")?).ok()?;
    Some(("SHA-512", bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_package_finds_the_nearest_one() {
        let lock = json!({
            "": { "dependencies": { "a": "1" } },
            "node_modules/a": { "version": "1.0.0", "dependencies": { "b": "2", "@c/d": "1" }, "optionalDependencies": { "no": "1" } },
            "node_modules/a/node_modules/b": { "version": "2.0.0" },
            "node_modules/b": { "version": "1.0.0" },
            "node_modules/@c/d": { "version": "1.0.0", "dependencies": { "b": "1" } },
        });
        let packages = lock.as_object().unwrap();
        let of = |path: &str| needs(packages, path, &packages[path]);
        assert_eq!(of("node_modules/a"), ["pkg:npm/%40c/d@1.0.0", "pkg:npm/b@2.0.0"]);
        assert_eq!(of("node_modules/@c/d"), ["pkg:npm/b@1.0.0"]);
        assert_eq!(name("node_modules/a/node_modules/@c/d"), "@c/d");
    }

    #[test]
    fn an_integrity_becomes_hexadecimal() {
        assert_eq!(hash("sha512-AP8="), Some(("SHA-512", "00ff".to_owned())));
        assert_eq!(hash("sha1-AP8="), None);
    }
}
