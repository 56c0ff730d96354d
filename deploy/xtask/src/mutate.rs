//! `cargo xtask mutate`: removes checks of the product, and proves that the tests of the whole notice each.
//!
//! The mutations are compiled together, because each has a line of its own in the failure of its test.

mod list;

use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    command::{cargo, handle_interrupts, interrupted, run, say, started},
    mutate::list::{MUTATIONS, Mutation},
    workspace::Workspace,
};

#[derive(clap::Args)]
pub(crate) struct Mutate {
    /// Only the mutations whose name contains one of these words.
    words: Vec<String>,
}

impl Mutate {
    pub(crate) fn run(self, workspace: &Workspace) -> Result<()> {
        handle_interrupts()?;
        let is_named = |mutation: &&Mutation| self.words.iter().any(|word| mutation.name.contains(word));
        let selected: Vec<_> = MUTATIONS.iter().filter(|one| self.words.is_empty() || is_named(one)).collect();
        let mut mutated = Mutated::default();
        for mutation in &selected {
            mutated.apply(workspace, mutation)?;
        }
        let mut tests: Vec<_> = selected.iter().map(|mutation| mutation.test).collect();
        tests.sort_unstable();
        tests.dedup();
        let output = tests.into_iter().map(|test| output_of(workspace, test)).collect::<Result<String>>();
        drop(mutated);
        let output = output?;
        let mut missed = 0;
        for Mutation { name, report, .. } in &selected {
            let caught = output.lines().find(|line| line.contains(report)).map(|line| line.chars().take(200).collect());
            missed += u32::from(caught.is_none());
            let (verdict, line): (_, String) = caught.map_or(("MISSED", String::new()), |line| ("caught", line));
            println!("{verdict}: {name}\n    {line}");
        }
        if selected.is_empty() || missed > 0 {
            bail!("{missed} of {} mutations were not caught", selected.len());
        }
        Ok(())
    }
}

/// Runs a test of the whole, and returns its output.
fn output_of(workspace: &Workspace, test: &str) -> Result<String> {
    let suite = ["test", "--quiet", "--package=portia", "--test=it"];
    // Code that does not compile is caught by no test.
    run(cargo().args(suite).arg("--no-run").current_dir(&workspace.root))?;
    say(test);
    let ran = |command: &mut Command| command.output();
    let output = started(cargo().args(suite).args(["--", "--exact", test]).current_dir(&workspace.root), ran)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if interrupted() || !text.contains("running 1 test") {
        bail!("the test {test} did not run\n{text}");
    }
    Ok(text)
}

/// Changed source files. They get their texts back when this is dropped.
#[derive(Default)]
struct Mutated {
    originals: BTreeMap<PathBuf, String>,
    /// The descriptions of changed statements.
    described: Vec<PathBuf>,
}

impl Mutated {
    fn apply(&mut self, workspace: &Workspace, mutation: &Mutation) -> Result<()> {
        let path = workspace.root.join(mutation.file);
        let text = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", mutation.file))?;
        let changed = mutation.changed(&text)?;
        self.originals.entry(path.clone()).or_insert(text);
        fs::write(path, changed)?;
        self.describe(workspace, mutation)
    }

    /// Describes the changed statements for the macros: like the original ones, because a mutation changes no column or parameter.
    fn describe(&mut self, workspace: &Workspace, mutation: &Mutation) -> Result<()> {
        let service: PathBuf = mutation.file.split('/').take(2).collect();
        for entry in fs::read_dir(workspace.root.join(service).join(".sqlx")).into_iter().flatten() {
            let path = entry?.path();
            let mut described: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let query = described.get("query").and_then(Value::as_str).unwrap_or_default();
            if !query.contains(mutation.text) {
                continue;
            }
            let query = query.replace(mutation.text, mutation.replacement);
            let hash: String = Sha256::digest(&query).iter().map(|byte| format!("{byte:02x}")).collect();
            if let Some(fields) = described.as_object_mut() {
                fields.insert("query".to_owned(), query.into());
                fields.insert("hash".to_owned(), hash.clone().into());
            }
            let path = path.with_file_name(format!("query-{hash}.json"));
            fs::write(&path, described.to_string())?;
            self.described.push(path);
        }
        Ok(())
    }
}

impl Drop for Mutated {
    fn drop(&mut self) {
        let restored = self.originals.iter().try_for_each(|(path, text)| fs::write(path, text));
        let removed = self.described.iter().try_for_each(fs::remove_file);
        if let Err(error) = restored.and(removed) {
            say(&format!("mutations stay in the source files: {error}"));
        }
    }
}

impl Mutation {
    /// The text of the file with the mutation.
    fn changed(&self, original: &str) -> Result<String> {
        match original.matches(self.text).count() {
            1 => Ok(original.replace(self.text, self.replacement)),
            count => bail!("{} has the text of the mutation {:?} {count} times instead of once", self.file, self.name),
        }
    }
}

/// Mutations whose text a file no longer has.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let stale = MUTATIONS.iter().filter_map(|mutation| {
        let original = fs::read_to_string(workspace.root.join(mutation.file)).unwrap_or_default();
        mutation.changed(&original).err()
    });
    Ok(stale.map(|error| error.to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_occurs_never_or_twice_is_an_error() {
        let mutation = Mutation {
            name: "own posts",
            file: "posts.rs",
            text: "a",
            replacement: "b",
            test: "matrix",
            report: "201",
        };
        assert_eq!(mutation.changed("cat").unwrap(), "cbt");
        for text in ["dog", "banana"] {
            let error = mutation.changed(text).unwrap_err().to_string();
            assert!(error.starts_with("posts.rs has the text of the mutation \"own posts\""), "{error}");
        }
    }
}
