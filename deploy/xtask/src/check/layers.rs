//! The allowed dependencies between crates, from `cargo metadata`.

use anyhow::Result;
use serde::Deserialize;

use super::Findings;
use crate::workspace::Workspace;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// None for a normal dependency, else "dev" or "build".
    kind: Option<String>,
}

/// The role of a crate in the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Proto,
    /// A library for every layer, such as chassis, db, rpc or outbox.
    Library,
    Crawler,
    Search,
    Testkit,
    Service,
    Gateway,
    Postgres,
    Xtask,
    Standalone,
    Bench,
    Chaos,
}

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    Ok(violations(&serde_json::from_value(workspace.metadata(false)?)?))
}

fn violations(metadata: &Metadata) -> Findings {
    let part_of = |name: &str| metadata.packages.iter().find(|package| package.name == name).and_then(part);
    let mut found = Findings::new();
    for package in &metadata.packages {
        let name = &package.name;
        let Some(from) = part(package) else {
            found.push(format!("{name} ({}) is no part of the architecture", package.manifest_path));
            continue;
        };
        for dependency in &package.dependencies {
            let (other, dev) = (&dependency.name, dependency.kind.as_deref() == Some("dev"));
            if let Some(to) = part_of(other)
                && !may(from, to, dev)
            {
                let how = if dev { "in its tests" } else { "" };
                found.push(format!("{name} may not depend on {other} {how}").trim_end().to_owned());
            }
            // Only owners of schemas use a database, and the gateway owns none.
            if from == Part::Gateway && other == "sqlx" && !dev {
                found.push("gateway may not depend on sqlx: it owns no data".to_owned());
            }
        }
    }
    found
}

/// The dependency rules of the architecture.
fn may(from: Part, to: Part, dev: bool) -> bool {
    use Part::{Bench, Chaos, Crawler, Gateway, Library, Postgres, Proto, Search, Service, Standalone, Testkit, Xtask};
    match (from, to) {
        (Proto, _) => false,
        // Libraries contain no business term; their tests may use databases.
        (Library, Library) => true,
        (Library, Testkit | Postgres) => dev,
        (Library, _) => false,
        (Postgres, _) => false,
        // Libraries for some services only; the gateway uses none of them.
        (Crawler | Search, Library) => true,
        (Crawler | Search, _) => false,
        (Service, Crawler | Search) => true,
        (Service | Gateway, Proto | Library) => true,
        (Service | Gateway, Testkit) => dev,
        (Service | Gateway, _) => false,
        (Testkit, Proto | Library | Postgres) => true,
        (Testkit, _) => false,
        (Xtask, Postgres) => true,
        (Xtask, _) => false,
        // The only crate that depends on several services.
        (Standalone, Proto | Library | Service | Gateway | Postgres) => true,
        // Its tests measure a complete Portia, and compare a deployment's rules with the crawler's.
        (Standalone, Testkit | Bench | Crawler) => dev,
        (Standalone, _) => false,
        // It fills tables and sends requests, and starts processes like Chaos; it does not depend on services.
        (Bench, Proto | Library | Search | Postgres | Standalone) => true,
        (Bench, Testkit) => dev,
        (Bench, _) => false,
        // It starts the processes of an installation with the keys and the database of standalone.
        (Chaos, Library | Standalone) => true,
        (Chaos, _) => false,
    }
}

fn part(package: &Package) -> Option<Part> {
    let folder = package.manifest_path.strip_suffix("/Cargo.toml")?;
    let mut last = folder.rsplit('/');
    match (last.next()?, last.next()?) {
        ("proto", _) => Some(Part::Proto),
        ("gateway", _) => Some(Part::Gateway),
        ("crawler", "lib") => Some(Part::Crawler),
        ("search", "lib") => Some(Part::Search),
        ("testkit", "lib") => Some(Part::Testkit),
        (_, "lib") => Some(Part::Library),
        (_, "services") => Some(Part::Service),
        ("postgres", "deploy") => Some(Part::Postgres),
        ("xtask", "deploy") => Some(Part::Xtask),
        ("standalone", "deploy") => Some(Part::Standalone),
        ("bench", "deploy") => Some(Part::Bench),
        ("chaos", "deploy") => Some(Part::Chaos),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name and kind of a dependency.
    type Needs<'a> = (&'a str, Option<&'a str>);
    /// Folder, name and dependencies of a crate.
    type Crate<'a> = (&'a str, &'a str, &'a [Needs<'a>]);

    fn workspace(crates: &[Crate<'_>]) -> Metadata {
        let packages = crates.iter().map(|(folder, name, dependencies)| Package {
            name: (*name).to_owned(),
            manifest_path: format!("/clone/{folder}/Cargo.toml"),
            dependencies: dependencies
                .iter()
                .map(|(name, kind)| Dependency { name: (*name).to_owned(), kind: kind.map(str::to_owned) })
                .collect(),
        });
        Metadata { packages: packages.collect() }
    }

    const PROTO: Crate<'static> = ("proto", "portia-proto", &[]);
    const CHASSIS: Crate<'static> = ("services/lib/chassis", "chassis", &[]);
    const CRAWLER: Crate<'static> = ("services/lib/crawler", "crawler", &[]);
    const SEARCH: Crate<'static> = ("services/lib/search", "search", &[]);
    const TESTKIT: Crate<'static> = ("services/lib/testkit", "testkit", &[]);

    #[test]
    fn the_architecture_is_allowed() {
        let found = violations(&workspace(&[
            PROTO,
            CHASSIS,
            ("services/lib/crawler", "crawler", &[("chassis", None)]),
            ("services/lib/search", "search", &[("chassis", None)]),
            TESTKIT,
            ("services/news", "news", &[("chassis", None), ("crawler", None)]),
            (
                "services/feed",
                "feed",
                &[("portia-proto", None), ("chassis", None), ("search", None), ("testkit", Some("dev"))],
            ),
            ("services/auth", "auth", &[("chassis", None), ("sqlx", None)]),
            ("gateway", "gateway", &[("portia-proto", None), ("chassis", None)]),
            ("deploy/standalone", "portia", &[("feed", None), ("gateway", None), ("crawler", Some("dev"))]),
            ("deploy/bench", "portia-bench", &[("chassis", None), ("portia", None), ("testkit", Some("dev"))]),
            ("deploy/chaos", "portia-chaos", &[("chassis", None), ("portia", None)]),
        ]));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn every_rule_is_enforced() {
        let rules: [(&str, &str, Needs<'_>); 21] = [
            ("proto", "portia-proto", ("chassis", None)),
            ("services/lib/chassis", "chassis", ("portia-proto", None)),
            ("services/lib/chassis", "chassis", ("crawler", None)),
            ("services/lib/crawler", "crawler", ("portia-proto", None)),
            ("services/lib/crawler", "crawler", ("auth", None)),
            ("services/lib/crawler", "crawler", ("testkit", Some("dev"))),
            ("services/lib/search", "search", ("portia-proto", None)),
            ("services/lib/testkit", "testkit", ("crawler", None)),
            ("gateway", "gateway", ("search", None)),
            ("gateway", "gateway", ("crawler", None)),
            ("services/feed", "feed", ("auth", None)),
            ("services/feed", "feed", ("auth", Some("dev"))),
            ("services/feed", "feed", ("gateway", None)),
            ("services/feed", "feed", ("testkit", None)),
            ("gateway", "gateway", ("auth", None)),
            ("gateway", "gateway", ("sqlx", None)),
            ("deploy/xtask", "xtask", ("chassis", None)),
            ("deploy/bench", "portia-bench", ("auth", None)),
            ("deploy/standalone", "portia", ("portia-bench", None)),
            ("deploy/standalone", "portia", ("crawler", None)),
            ("deploy/chaos", "portia-chaos", ("feed", None)),
        ];
        for (folder, name, dependency) in rules {
            let mut crates = vec![
                PROTO,
                CHASSIS,
                CRAWLER,
                SEARCH,
                TESTKIT,
                ("services/auth", "auth", &[]),
                ("services/feed", "feed", &[]),
                ("gateway", "gateway", &[]),
            ];
            crates.push(("deploy/bench", "portia-bench", &[]));
            crates.retain(|each| each.1 != name);
            let dependencies = [dependency];
            crates.push((folder, name, &dependencies));
            assert_eq!(violations(&workspace(&crates)).len(), 1, "{name} -> {}", dependency.0);
        }
    }

    #[test]
    fn a_crate_outside_the_architecture_is_reported() {
        let found = violations(&workspace(&[("libs/helpers", "helpers", &[])]));
        assert!(found.iter().any(|finding| finding.contains("no part of the architecture")), "{found:?}");
    }
}
