//! The style of the contract: the package is the path, one service per file, own messages for every RPC, documented errors.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::Findings;
use crate::workspace::Workspace;

pub(super) fn check(workspace: &Workspace) -> Result<Findings> {
    let root = workspace.root.join("proto");
    let mut files = Vec::new();
    collect(&root.join("portia"), &mut files)?;
    let mut found = Findings::new();
    for file in files {
        let path = file.strip_prefix(&root)?.to_string_lossy().into_owned();
        found.extend(violations(&path, &fs::read_to_string(&file)?));
    }
    Ok(found)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

/// The violations in the file at `path` in proto/.
fn violations(path: &str, text: &str) -> Findings {
    let mut found = Findings::new();
    let mut say = |line: usize, what: String| found.push(format!("proto/{path}:{}: {what}", line + 1));

    let wanted = path.rsplit_once('/').map_or("", |(folder, _)| folder).replace('/', ".");
    let mut package = None;
    let mut services = 0;
    let mut messages = BTreeSet::new();
    let mut requests = Vec::new();
    let mut comment = String::new();
    let mut naming: Option<String> = None;

    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(words) = line.strip_prefix("//") {
            comment.push_str(words);
            comment.push('\n');
            continue;
        }
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || "(){};=".contains(c)).filter(|w| !w.is_empty()).collect();
        match words.as_slice() {
            ["package", name, ..] => package = Some((number, (*name).to_owned())),
            ["service", ..] => services += 1,
            ["message", name, ..] => {
                messages.insert((*name).to_owned());
            }
            ["enum", name, ..] => naming = Some(screaming(name)),
            ["rpc", name, rest @ ..] => {
                if !comment.contains("Errors:") {
                    say(number, format!("the comment of {name} does not list its errors ('Errors: ...')"));
                }
                let types: Vec<&&str> = rest.iter().filter(|word| !["stream", "returns"].contains(*word)).collect();
                let own = [format!("{name}Request"), format!("{name}Response")];
                if types.iter().map(|word| **word).ne(own.iter().map(String::as_str)) {
                    say(number, format!("{name} should take {} and return {}", own[0], own[1]));
                }
                requests.extend(own.map(|each| (number, each)));
            }
            [value, "0"] => {
                if let Some(prefix) = naming.take()
                    && *value != format!("{prefix}_UNSPECIFIED")
                {
                    say(number, format!("the zero of an enum is {prefix}_UNSPECIFIED, not {value}"));
                }
            }
            _ => {}
        }
        comment.clear();
    }

    match package {
        Some((_, name)) if name == wanted => {}
        Some((number, name)) => say(number, format!("the package is {name}, the path says {wanted}")),
        None => say(0, format!("there is no package; the path says {wanted}")),
    }
    if services > 1 {
        say(0, format!("{services} services in one file"));
    }
    for (number, name) in requests {
        if !messages.contains(&name) {
            say(number, format!("{name} is not defined beside its RPC"));
        }
    }
    found
}

/// `ReactionKind` -> `REACTION_KIND`.
fn screaming(name: &str) -> String {
    let mut screaming = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !screaming.is_empty() {
            screaming.push('_');
        }
        screaming.push(letter.to_ascii_uppercase());
    }
    screaming
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
syntax = "proto3";

// Posts.
package portia.feed.v1;

// The feed.
service FeedService {
  // Publishes a post.
  // Errors: INVALID_ARGUMENT.
  rpc CreatePost(CreatePostRequest) returns (CreatePostResponse);
  // Sends posts as they come.
  // Errors: UNAUTHENTICATED.
  rpc WatchPosts(WatchPostsRequest) returns (stream WatchPostsResponse);
}

// How a member reacts.
enum ReactionKind {
  // Refused.
  REACTION_KIND_UNSPECIFIED = 0;
  REACTION_KIND_LIKE = 1;
}

message CreatePostRequest { string content = 1; }
message CreatePostResponse {}
message WatchPostsRequest {}
message WatchPostsResponse {}
"#;

    fn found(text: &str) -> Findings {
        violations("portia/feed/v1/feed.proto", text)
    }

    #[test]
    fn a_good_file_passes() {
        assert_eq!(found(GOOD), Findings::new());
    }

    #[test]
    fn each_rule_finds_its_violation() {
        for (good, bad, expected) in [
            ("package portia.feed.v1;", "package portia.posts;", "the package is portia.posts"),
            ("package portia.feed.v1;", "", "there is no package"),
            ("  // Errors: INVALID_ARGUMENT.\n", "", "comment of CreatePost does not list"),
            ("rpc CreatePost(CreatePostRequest)", "rpc CreatePost(WatchPostsRequest)", "CreatePost should take"),
            ("returns (CreatePostResponse)", "returns (Post)", "CreatePost should take"),
            ("message CreatePostResponse {}", "", "CreatePostResponse is not defined"),
            ("REACTION_KIND_UNSPECIFIED", "REACTION_KIND_NONE", "zero of an enum"),
            ("// How a member", "service Another {\n}\n// How a member", "2 services"),
        ] {
            let text = GOOD.replace(good, bad);
            assert_ne!(text, GOOD, "{good}");
            let found = found(&text);
            assert!(found.iter().any(|each| each.contains(expected)), "{expected}: {found:?}");
        }
    }
}
