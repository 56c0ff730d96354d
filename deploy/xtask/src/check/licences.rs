//! Licences and known vulnerabilities of the dependencies, against deny.toml.
//!
//! `cargo deny` checks both where it is installed. A fresh machine lacks it, and then the licences,
//! which need nothing but `cargo metadata`, are checked here by the same list.

use std::{collections::BTreeSet, fs};

use anyhow::{Context, Result};
use serde::Deserialize;

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

/// SPDX expressions as crates write them: `and` of groups, each an `or` (or the older `/`) of names.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let words = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut at = 0;
    any_of(&words, &mut at, allowed) && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut fine = all_of(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        fine |= all_of(words, at, allowed);
    }
    fine
}

fn all_of(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut fine = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        fine &= one(words, at, allowed);
    }
    fine
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else {
        return false;
    };
    *at += 1;
    if *word == "(" {
        let fine = any_of(words, at, allowed);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return fine && closed;
    }
    // An exception only ever grants more than the licence alone does.
    if words.get(*at) == Some(&"WITH") {
        *at += 2;
    }
    allowed.contains(*word)
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
