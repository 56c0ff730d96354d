//! Licences and known vulnerabilities of the dependencies, against deny.toml.
//!
//! `cargo deny` checks both where it is installed. The test command does not install it: its newest wheel (0.14.2) does not know
//! the licence Unicode-3.0, and compiling it takes longer than all other checks. Without it the licences are checked here
//! by the same list.

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};

use super::Findings;
use crate::{
    command::{cargo, is_installed, run, say},
    workspace::Workspace,
};

/// The part of deny.toml that is read here.
#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// None for crates of this workspace.
    source: Option<String>,
}

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    if is_installed("cargo-deny") {
        run(cargo().args(["deny", "--workspace", "check"]).current_dir(&workspace.root))?;
        return Ok(Findings::new());
    }
    say("cargo-deny is not installed: licences are checked, advisories are not");
    let text = fs::read_to_string(workspace.root.join("deny.toml")).context("deny.toml cannot be read")?;
    let deny: Deny = toml::from_str(&text).context("deny.toml is not what it should be")?;
    Ok(violations(&serde_json::from_value(workspace.metadata(true)?)?, &deny.licenses.allow))
}

fn violations(metadata: &Metadata, allowed: &BTreeSet<String>) -> Findings {
    let foreign = metadata.packages.iter().filter(|package| package.source.is_some());
    foreign
        .filter_map(|package| {
            let licence = package.license.as_deref().unwrap_or("none");
            let finding = format!("{} {} is licensed as '{licence}'", package.name, package.version);
            (!is_allowed(licence, allowed)).then_some(finding)
        })
        .collect()
}

/// Whether an SPDX expression is satisfied by the allowed licences. Older crates write `/` for `OR`. An exception only
/// grants more than the licence alone does.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let name = |licence: &LicenseReq| licence.license.id().is_some_and(|id| allowed.contains(id.name));
    Expression::parse_mode(expression, ParseMode::LAX).is_ok_and(|parsed| parsed.evaluate(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> BTreeSet<String> {
        ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned).into()
    }

    #[test]
    fn reads_what_crates_write() {
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-3.0/MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR BSD-1-Clause",
            "BSD-1-Clause OR MIT AND Apache-2.0",
        ] {
            assert!(is_allowed(good, &allowed()), "{good}");
        }
        for bad in ["GPL-3.0", "none", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND GPL-3.0", "", "(MIT", "MIT MIT"] {
            assert!(!is_allowed(bad, &allowed()), "{bad}");
        }
    }

    #[test]
    fn names_the_crate_and_spares_our_own() {
        let package = |name: &str, licence: Option<&str>, source: Option<&str>| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: licence.map(str::to_owned),
            source: source.map(str::to_owned),
        };
        let metadata = Metadata {
            packages: vec![
                package("feed", None, None),
                package("fine", Some("MIT"), Some("registry")),
                package("odd", Some("SSPL-1.0"), Some("registry")),
            ],
        };
        assert_eq!(violations(&metadata, &allowed()), ["odd 1.0.0 is licensed as 'SSPL-1.0'"]);
    }
}
