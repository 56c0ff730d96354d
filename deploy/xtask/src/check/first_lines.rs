//! Every source file begins with a sentence about its content.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    process::Command,
};

use anyhow::{Context, Result};

use super::Findings;
use crate::{command::output, workspace::Workspace};

/// Comment marks by file extension.
const COMMENTS: [(&str, &[&str]); 9] = [
    ("rs", &["//!"]),
    ("sql", &["--"]),
    ("ts", &["//", "/*"]),
    ("tsx", &["//", "/*"]),
    ("mjs", &["//", "/*"]),
    ("css", &["/*"]),
    ("toml", &["#"]),
    ("yaml", &["#"]),
    ("yml", &["#"]),
];

/// Generated and required files, and manifests, which have a `description`.
const EXEMPT: [&str; 3] = [".gen.ts", "Cargo.toml", "vite-env.d.ts"];

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached"]).current_dir(&workspace.root);
    let mut found = Findings::new();
    for path in output(&mut list)?.lines() {
        let Some(marks) = marks(path) else {
            continue;
        };
        // A deleted file stays in the index until the commit.
        let Ok(file) = File::open(workspace.root.join(path)) else {
            continue;
        };
        let mut lines = BufReader::new(file).lines();
        let first = lines.next().transpose().with_context(|| format!("{path} cannot be read"))?;
        let second = lines.next().transpose().unwrap_or_default();
        if !says_something(&first.unwrap_or_default(), &second.unwrap_or_default(), marks) {
            found.push(format!("{path} does not begin with a sentence about itself"));
        }
    }
    Ok(found)
}

/// The comment marks of a file that requires a first sentence.
fn marks(path: &str) -> Option<&'static [&'static str]> {
    if EXEMPT.iter().any(|end| path.ends_with(end)) {
        return None;
    }
    let extension = path.rsplit_once('.')?.1;
    COMMENTS.into_iter().find(|(known, _)| *known == extension).map(|(_, marks)| marks)
}

fn says_something(first: &str, second: &str, marks: &[&str]) -> bool {
    // A compiler directive may precede the sentence.
    let line = if first.starts_with("/// <reference") { second } else { first };
    let comment = marks.iter().find_map(|mark| line.strip_prefix(mark));
    // The text of a block comment may begin on its second line.
    let words = comment.map(|words| if words.trim().is_empty() { second } else { words });
    words.is_some_and(|words| words.chars().any(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_first_sentence_is_reported() {
        let rust = marks("services/feed/src/posts.rs").unwrap();
        assert!(says_something("//! Posts: their rules and their SQL.", "", rust));
        assert!(!says_something("use std::fs;", "", rust));
        assert!(!says_something("//!", "", rust));
        assert!(!says_something("// Posts: not documentation of the module.", "", rust));
        assert!(says_something("/*", " * The design's colours.", marks("web/src/tokens.css").unwrap()));
        let web = marks("web/vite.config.ts").unwrap();
        assert!(says_something("/// <reference types=\"vitest\" />", "// How the client is built.", web));
    }

    #[test]
    fn generated_files_are_not_read() {
        assert_eq!(marks("web/src/api/schema.gen.ts"), None);
        assert_eq!(marks("services/feed/Cargo.toml"), None);
        assert_eq!(marks("web/public/favicon.svg"), None);
    }
}
