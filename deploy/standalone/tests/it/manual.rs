//! The operator manual: each of its shell blocks runs here against real processes and a real Postgres, or is in the
//! list of blocks that cannot.

mod backup;
mod blocks;
mod distribution;
mod keys;
mod moving;
mod pictures;
mod point_in_time;
mod replication;
mod shell;
mod standbys;
mod writers;

use std::{collections::BTreeSet, process::Command};

use self::blocks::{Block, blocks, root};

/// Blocks that do not run here, with the reason. They are parsed, and the files that they name exist.
const NOT_RUN: &[(&str, &str)] = &[
    ("build-images", DOCKER),
    ("push-images", DOCKER),
    ("make-folder", DOCKER),
    ("create-namespace", CLUSTER),
    ("address-small", CLUSTER),
    ("create-certificate", CLUSTER),
    ("create-bucket-keys", CLUSTER),
    ("limit-clients", CLUSTER),
    ("apply", CLUSTER),
    ("check-site", CLUSTER),
    ("upgrade-cluster", CLUSTER),
    ("roll-back-cluster", CLUSTER),
    ("stop-for-moderators", CLUSTER),
    ("restart-with-encryption", CLUSTER),
    ("operate-cluster", CLUSTER),
    ("dump-cluster", CLUSTER),
    ("stop-cluster", CLUSTER),
    ("start-compose", DOCKER),
];
const DOCKER: &str = "needs Docker";
const CLUSTER: &str = "needs a cluster";

#[test]
fn every_block_of_the_manual_has_a_runner() {
    let named: Vec<String> = blocks().into_iter().map(|block| block.name).collect();
    let all: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    assert_eq!(all.len(), named.len(), "a name is there twice: {named:?}");
    let run: BTreeSet<&str> = [
        backup::BLOCKS,
        backup::BLOCKS_OF_STANDALONE,
        distribution::BLOCKS,
        moving::BLOCKS,
        replication::BLOCKS,
        pictures::BLOCKS,
        point_in_time::BLOCKS,
        standbys::BLOCKS,
        keys::BLOCKS,
    ]
    .concat()
    .into_iter()
    .collect();
    let not_run: BTreeSet<&str> = NOT_RUN.iter().map(|(name, _)| *name).collect();
    assert_eq!(run.intersection(&not_run).collect::<Vec<_>>(), Vec::<&&str>::new(), "they run");
    let listed: BTreeSet<&str> = run.union(&not_run).copied().collect();
    assert_eq!(all, listed, "left: the blocks of the manual; right: those that a test names");
}

/// The words of a block that are paths of the repository.
fn paths(block: &Block) -> impl Iterator<Item = &str> {
    let words = block.text.split([' ', '\n', '"', '\'', '=', '(', ')', ';']);
    words.filter(|word| word.starts_with("deploy/") && !word.contains('$'))
}

#[test]
fn every_block_is_valid_shell_and_names_files_that_exist() {
    for block in blocks() {
        let parsed = Command::new("bash").args(["-n", "-c", &block.text]).output().unwrap();
        assert!(parsed.status.success(), "{}: {}", block.place, String::from_utf8_lossy(&parsed.stderr));
        for path in paths(&block) {
            assert!(root().join(path).exists(), "{}: there is no {path}", block.place);
        }
    }
}

#[test]
fn every_chapter_is_in_the_table_of_the_entry() {
    let entry = std::fs::read_to_string(root().join("deploy/README.md")).unwrap();
    for chapter in blocks::chapters() {
        assert!(entry.contains(&format!("({chapter})")), "deploy/README.md has no link to {chapter}");
    }
}

/// The links of a document that lead into the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|link| !link.contains("://"))
}

/// The anchors that GitHub makes of the headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '));
    let kept = |c: &char| c.is_alphanumeric() || *c == '-';
    headings.map(|heading| heading.to_lowercase().replace(' ', "-").chars().filter(kept).collect()).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    for file in blocks::chapters().into_iter().chain(["README.md".to_owned()]) {
        let path = root().join("deploy").join(&file);
        let text = std::fs::read_to_string(&path).unwrap();
        for link in links(&text) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if target.is_empty() { path.clone() } else { path.with_file_name(target) };
            assert!(target.exists(), "deploy/{file}: {link}");
            let known = anchor.is_empty() || anchors(&std::fs::read_to_string(&target).unwrap()).contains(anchor);
            assert!(known, "deploy/{file}: {link}");
        }
    }
}
