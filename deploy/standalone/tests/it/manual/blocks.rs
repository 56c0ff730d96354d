//! The shell blocks of the manual, from its Markdown.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A block: three backticks, `sh` and a name.
pub struct Block {
    pub name: String,
    /// The file and the line.
    pub place: String,
    pub text: String,
}

/// The root of the repository, in which operators run the blocks.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The chapters, as paths from `deploy`.
pub fn chapters() -> Vec<String> {
    let folder = root().join("deploy/manual");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut chapters: Vec<String> = names.map(|name| format!("manual/{name}")).collect();
    chapters.push("kubernetes/README.md".to_owned());
    chapters.sort();
    chapters
}

/// Every block of the manual.
pub fn blocks() -> Vec<Block> {
    let files = chapters().into_iter().chain(["README.md".to_owned()]);
    files.flat_map(|file| parse(&file, &fs::read_to_string(root().join("deploy").join(&file)).unwrap())).collect()
}

fn parse(file: &str, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let start = line.trim_start();
        let place = format!("deploy/{file}:{number}");
        let Some(fence) = start.strip_prefix("```") else {
            let is_command =
                ["kubectl ", "portia ", "docker ", "psql ", "pg_"].iter().any(|word| start.starts_with(word));
            assert!(!(is_command && line.starts_with("    ")), "{place}: write a block of three backticks");
            continue;
        };
        let indentation = line.len() - start.len();
        let content = lines.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != "```");
        let content: Vec<&str> = content.map(|line| line.get(indentation..).unwrap_or("")).collect();
        let (language, name) = fence.split_once(' ').unwrap_or((fence, ""));
        assert!(!language.is_empty(), "{place}: the block has no language");
        if language == "sh" {
            assert!(!name.is_empty(), "{place}: the block has no name");
            found.push(Block { name: name.to_owned(), place, text: content.join("\n") });
        }
    }
    found
}

#[test]
fn blocks_are_found_with_their_indentation() {
    let text = "Text\n\n   ```sh first\n   for a in b; do\n       echo\n\n   done\n   ```\n```ini\n[x]\n```\n```sh second\nls\n```\n";
    let blocks = parse("x.md", text);
    let found: Vec<(&str, &str)> = blocks.iter().map(|block| (block.name.as_str(), block.text.as_str())).collect();
    assert_eq!(found, [("first", "for a in b; do\n    echo\n\ndone"), ("second", "ls")]);
    assert_eq!(blocks[1].place, "deploy/x.md:12");
}
