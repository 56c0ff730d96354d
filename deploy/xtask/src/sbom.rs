//! `cargo xtask sbom`: the bills of materials of Rust and npm as CycloneDX, from the lock files.
//!
//! cargo-cyclonedx writes a file for each crate into the sources and leaves development dependencies out; `npm sbom` refuses the lock
//! file because of the packages that an optional one of another platform contains.

mod npm;
mod rust;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::{command::say, workspace::Workspace};

/// The version of the format.
const SPECIFICATION: &str = "1.5";

#[derive(clap::Args)]
pub(crate) struct Sbom {}

impl Sbom {
    #[expect(clippy::unused_self, reason = "every command has arguments")]
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        let folder = workspace.target()?.join("sbom");
        fs::create_dir_all(&folder)?;
        for (name, bill) in [("rust", rust::bill(workspace)?), ("npm", npm::bill(workspace)?)] {
            let file = folder.join(format!("{name}.cdx.json"));
            fs::write(&file, serde_json::to_string_pretty(&bill.document()?)? + "\n")?;
            say(&format!("{}: {} packages", file.display(), bill.components.len()));
        }
        Ok(())
    }
}

/// A package of a lock file.
#[derive(Debug, Default)]
struct Component {
    name: String,
    version: String,
    /// The address of the package in its registry; `None` for a crate of this repository, which no registry has.
    purl: Option<String>,
    /// An SPDX expression.
    license: Option<String>,
    /// The algorithm and the hash in hexadecimal digits.
    hash: Option<(&'static str, String)>,
    /// The references of the packages that it needs.
    needs: BTreeSet<String>,
}

/// A bill of materials before it is written.
#[derive(Debug)]
struct Bill {
    /// The program or image that the components make up.
    subject: &'static str,
    /// The components by reference.
    components: BTreeMap<String, Component>,
    /// The packages of the lock file, as name and version.
    locked: BTreeSet<(String, String)>,
}

impl Bill {
    /// The document.
    ///
    /// # Errors
    /// When a package of the lock file is missing, or a reference leads nowhere: such a bill is worse than none.
    fn document(&self) -> Result<Value> {
        let named: BTreeSet<(&str, &str)> =
            self.components.values().map(|component| (&*component.name, &*component.version)).collect();
        if let Some((name, version)) = self.locked.iter().find(|(name, version)| !named.contains(&(name, version))) {
            bail!("{name} {version} of the lock file is not in the bill of materials of {}", self.subject);
        }
        for (reference, component) in &self.components {
            if let Some(unknown) = component.needs.iter().find(|needed| !self.components.contains_key(*needed)) {
                bail!("{reference} needs {unknown}, which is not in the bill of materials of {}", self.subject);
            }
        }
        let dependencies: Vec<Value> = self
            .components
            .iter()
            .map(|(reference, component)| json!({ "ref": reference, "dependsOn": component.needs }))
            .collect();
        Ok(json!({
            "$schema": format!("http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json"),
            "bomFormat": "CycloneDX",
            "specVersion": SPECIFICATION,
            "version": 1,
            "metadata": {
                "component": {
                    "type": "application",
                    "bom-ref": self.subject,
                    "name": self.subject,
                    "version": env!("CARGO_PKG_VERSION"),
                },
            },
            "components": self.components.iter().map(|(at, component)| component.json(at)).collect::<Vec<_>>(),
            "dependencies": dependencies,
        }))
    }
}

impl Component {
    fn json(&self, reference: &str) -> Value {
        let mut json = json!({
            "type": "library",
            "bom-ref": reference,
            "name": self.name,
            "version": self.version,
        });
        let optional = [
            ("purl", self.purl.as_ref().map(|purl| json!(purl))),
            ("licenses", self.license.as_ref().map(|license| json!([{ "expression": license }]))),
            ("hashes", self.hash.as_ref().map(|(algorithm, hash)| json!([{ "alg": algorithm, "content": hash }]))),
        ];
        if let Some(fields) = json.as_object_mut() {
            fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        }
        json
    }
}

/// A field of JSON that must be a text.
fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    value.get(field).and_then(Value::as_str).with_context(|| format!("there is no field '{field}'"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn here() -> Workspace {
        Workspace { root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../..") }
    }

    #[test]
    fn every_package_of_the_lock_file_is_a_component() {
        let pairs = |bill: &Bill| (bill.locked.len(), bill.document().unwrap());
        let (crates, rust) = pairs(&rust::bill(&here()).unwrap());
        let (packages, npm) = pairs(&npm::bill(&here()).unwrap());
        // The lock files, counted in another way.
        let lock = fs::read_to_string(here().root.join("Cargo.lock")).unwrap();
        assert_eq!(crates, lock.matches("[[package]]").count());
        let lock: Value =
            serde_json::from_str(&fs::read_to_string(here().web().join("package-lock.json")).unwrap()).unwrap();
        let names = lock["packages"].as_object().unwrap().iter().filter(|(path, _)| !path.is_empty());
        let names: BTreeSet<String> = names
            .map(|(path, package)| format!("{}@{}", path.rsplit("node_modules/").next().unwrap(), package["version"]))
            .collect();
        assert_eq!(packages, names.len());
        for (bill, known) in [(&rust, "pkg:cargo/tokio@"), (&npm, "pkg:npm/%40tanstack/react-query@")] {
            assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&json!("CycloneDX"), &json!("1.5")));
            let components = bill["components"].as_array().unwrap();
            let of =
                |reference: &str| components.iter().find(|one| one["bom-ref"].as_str().unwrap().starts_with(reference));
            let component = of(known).unwrap_or_else(|| panic!("{known} is not there"));
            assert_eq!(component["purl"], component["bom-ref"]);
            assert!(component["licenses"][0]["expression"].as_str().unwrap().contains("MIT"), "{component}");
            assert!(component["hashes"][0]["content"].as_str().unwrap().len() >= 64, "{component}");
            let references: BTreeSet<&str> = components.iter().map(|one| one["bom-ref"].as_str().unwrap()).collect();
            assert_eq!(references.len(), components.len(), "references are unique");
        }
        let needs = |bill: &Value, of: &str| {
            let all = bill["dependencies"].as_array().unwrap();
            let found = all.iter().find(|one| one["ref"].as_str().unwrap().starts_with(of)).unwrap();
            found["dependsOn"].to_string()
        };
        assert!(needs(&rust, "portia/gateway@").contains("pkg:cargo/axum@"));
        assert!(needs(&npm, "pkg:npm/react-dom@").contains("pkg:npm/scheduler@"));
    }

    #[test]
    fn an_incomplete_bill_is_refused() {
        let component = || Component { name: "a".into(), version: "1.0.0".into(), ..Component::default() };
        let bill = |locked: &str, needed: Option<&str>| Bill {
            subject: "test",
            components: BTreeMap::from([(
                "a@1".to_owned(),
                Component { needs: needed.into_iter().map(str::to_owned).collect(), ..component() },
            )]),
            locked: BTreeSet::from([(locked.to_owned(), "1.0.0".to_owned())]),
        };
        assert!(bill("a", Some("a@1")).document().is_ok());
        let error = bill("b", None).document().unwrap_err().to_string();
        assert_eq!(error, "b 1.0.0 of the lock file is not in the bill of materials of test");
        let error = bill("a", Some("c@1")).document().unwrap_err().to_string();
        assert_eq!(error, "a@1 needs c@1, which is not in the bill of materials of test");
    }
}
