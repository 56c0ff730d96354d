//! The lists of the API: each member's posts with their counters, and each conversation, compared with the journal.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;
use serde_json::Value;

use super::{Finding, difference};
use crate::{
    journal::{Entries, Switch},
    load::{Load, Member},
};

/// Compares the pages of every member.
pub(super) async fn compare(load: &Load) -> anyhow::Result<[Finding; 2]> {
    let posts = load.journal.read(posts_of_members);
    let messages = load.journal.read(|entries| {
        let mut of_conversations: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for message in &entries.messages {
            let line = format!("{} {}", message.id, message.content);
            of_conversations.entry(message.parent.clone()).or_default().insert(line);
        }
        of_conversations
    });
    let mut of_posts = Finding { what: "posts and counters in the API".to_owned(), rows: 0, mismatches: Vec::new() };
    let mut of_messages = Finding { what: "messages in the API".to_owned(), rows: 0, mismatches: Vec::new() };
    for member in &load.members {
        let path = format!("/api/posts?userId={}&limit=100", member.id);
        let found = pages(load, member, path, |page| page.as_array().cloned(), post_line).await?;
        add(&mut of_posts, posts.get(&member.id), &found);

        let path = format!("/api/conversations/{}?limit=100", member.conversation);
        let messages_of = |page: &Value| page.get("messages").and_then(Value::as_array).cloned();
        let line = |message: &Value| format!("{} {}", text(message, "id"), text(message, "content"));
        let found = pages(load, member, path, messages_of, line).await?;
        add(&mut of_messages, messages.get(&member.conversation), &found);
    }
    Ok([of_posts, of_messages])
}

fn add(finding: &mut Finding, expected: Option<&BTreeSet<String>>, found: &[String]) {
    let expected = expected.cloned().unwrap_or_default();
    finding.rows += expected.len();
    finding.mismatches.extend(difference(&expected, found));
}

/// Id, text and counters of the posts of each member.
fn posts_of_members(entries: &Entries) -> BTreeMap<String, BTreeSet<String>> {
    let likes = Entries::counts(entries.on(Switch::Like).map(|(_, post)| post));
    let comments = Entries::counts(entries.comments.iter().map(|comment| comment.parent.as_str()));
    let count = |counts: &BTreeMap<&str, u64>, id: &str| counts.get(id).copied().unwrap_or_default();
    let mut of_members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for post in &entries.posts {
        let (likes, comments) = (count(&likes, &post.id), count(&comments, &post.id));
        let line = format!("{} {} {likes} {comments}", post.id, post.content);
        of_members.entry(post.author.clone()).or_default().insert(line);
    }
    of_members
}

fn post_line(post: &Value) -> String {
    let number = |field| post.get(field).and_then(Value::as_u64).unwrap_or(u64::MAX);
    format!("{} {} {} {}", text(post, "id"), text(post, "content"), number("likeCount"), number("commentCount"))
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The entries of all pages, a line each.
async fn pages(
    load: &Load,
    member: &Member,
    path: String,
    entries: impl Fn(&Value) -> Option<Vec<Value>>,
    line: impl Fn(&Value) -> String,
) -> anyhow::Result<Vec<String>> {
    let (mut lines, mut next) = (Vec::new(), Some(path));
    while let Some(path) = next {
        let answer = load.client.read_surely(member, &path).await?;
        ensure!(answer.status == 200, "GET {path}: {} {}", answer.status, answer.body);
        lines.extend(entries(&answer.body).unwrap_or_default().iter().map(&line));
        next = answer.next;
    }
    Ok(lines)
}
