//! Images of others have a version and the digest of its content, and the same digest wherever they are named.

use std::{collections::BTreeMap, fs, process::Command};

use anyhow::{Context, Result};

use super::Findings;
use crate::{command::output, workspace::Workspace};

/// The images that this repository builds, as the manifests name them.
const OWN: &str = "portia-";

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached", "docker-compose.yml", "*Dockerfile", "deploy/*.yaml", "deploy/*.yml"]);
    let paths = output(list.current_dir(&workspace.root))?;
    let read = |path| {
        Ok((path, fs::read_to_string(workspace.root.join(path)).with_context(|| format!("{path} cannot be read"))?))
    };
    let files = paths.lines().map(read).collect::<Result<Vec<(&str, String)>>>()?;
    Ok(findings(files.iter().map(|(path, text)| (*path, text.as_str()))))
}

/// The violations in files with their paths.
fn findings<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Findings {
    let (mut found, mut digests) = (Findings::new(), BTreeMap::new());
    for (path, text) in files {
        for image in images(text) {
            let Some((name, digest)) = image.split_once("@sha256:").filter(|(_, digest)| digest.len() == 64) else {
                found.push(format!("{path}: {image} has no digest"));
                continue;
            };
            if *digests.entry(name).or_insert(digest) != digest {
                found.push(format!("{path}: {name} has another digest than in a file before"));
            }
        }
    }
    found
}

/// The images of others in a compose file, a manifest or a Dockerfile.
fn images(text: &str) -> Vec<&str> {
    let mut stages = Vec::new();
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let image = match first {
            "image:" => words.next(),
            "-" if words.next() == Some("image:") => words.next(),
            "FROM" => words.find(|word| !word.starts_with("--")),
            _ => line.strip_prefix("# syntax="),
        };
        if first == "FROM" {
            stages.extend(line.rsplit_once(" AS ").map(|(_, stage)| stage));
        }
        found.extend(image.filter(|image| !image.starts_with(OWN) && !stages.contains(image)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_others_are_found_in_every_kind_of_file() {
        let compose = "services:\n  postgres:\n    image: postgres:17@sha256:0\n  feed:\n    build: { context: . }\n";
        assert_eq!(images(compose), ["postgres:17@sha256:0"]);
        let manifest = "containers:\n  - image: redis:7\n  - name: feed\n    image: portia-feed\n";
        assert_eq!(images(manifest), ["redis:7"]);
        let dockerfile = "# syntax=docker/dockerfile:1\nFROM --platform=linux/amd64 node:22 AS web\nFROM debian AS service\nFROM service AS gateway\n";
        assert_eq!(images(dockerfile), ["docker/dockerfile:1", "node:22", "debian"]);
    }

    #[test]
    fn an_image_without_its_digest_or_with_two_is_reported() {
        let [one, two] = ["1", "2"].map(|digit| format!("image: redis:7@sha256:{}", digit.repeat(64)));
        assert_eq!(findings([("a.yaml", one.as_str()), ("b.yaml", &one)].into_iter()), Findings::new());
        assert_eq!(findings([("a.yaml", "image: redis:7")].into_iter()), ["a.yaml: redis:7 has no digest"]);
        let different = findings([("a.yaml", one.as_str()), ("b.yaml", &two)].into_iter());
        assert_eq!(different, ["b.yaml: redis:7 has another digest than in a file before"]);
    }
}
