//! A reader: every acknowledged write is visible at once, at every gateway; a read may fail, but never deny it.

use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;

use super::{Load, Member, client::Answer, setup::text};
use crate::{journal::Text, rng::Rng};

/// Lists that a member reads.
const LISTS: [&str; 6] = [
    "/api/posts?sort=recent&limit=20",
    "/api/posts?feed=relevant&limit=20",
    "/api/conversations",
    "/api/notifications",
    "/api/unread",
    "/api/auth/me",
];

/// A reader.
pub(super) struct Reader {
    load: Arc<Load>,
    rng: Rng,
}

impl Reader {
    pub fn new(load: Arc<Load>, rng: Rng) -> Self {
        Self { load, rng }
    }

    pub async fn run(mut self) {
        let load = Arc::clone(&self.load);
        while !load.is_finished() {
            let Some(member) = self.rng.choose(&load.members) else { return };
            match self.rng.below(4) {
                0 => self.read_list(member).await,
                1 => {
                    let post = load.journal.read(|entries| self.rng.choose(&entries.posts).cloned());
                    self.read_text(member, "/api/posts/", post).await;
                }
                2 => {
                    let comment = load.journal.read(|entries| self.rng.choose(&entries.comments).cloned());
                    self.read_text(member, "/api/comments/", comment).await;
                }
                _ => self.read_message().await,
            }
        }
    }

    async fn read(&mut self, member: &Member, path: &str) -> Option<Value> {
        let gateway = self.rng.below(2);
        let Answer { status, body, .. } = self.load.client.read(member, gateway, path).await?;
        if status == 200 {
            return Some(body);
        }
        self.load.violate(format!("GET {path}: {status} {body}"));
        None
    }

    /// A list has no entry twice.
    async fn read_list(&mut self, member: &Member) {
        let Some(path) = self.rng.choose(&LISTS) else { return };
        let Some(body) = self.read(member, path).await else { return };
        let ids: Vec<String> = body.as_array().into_iter().flatten().filter_map(|entry| text(entry, "id")).collect();
        if ids.iter().collect::<BTreeSet<_>>().len() != ids.len() {
            self.load.violate(format!("GET {path} lists an entry twice: {ids:?}"));
        }
    }

    async fn read_text(&mut self, member: &Member, path: &str, expected: Option<Text>) {
        let Some(expected) = expected else { return };
        let path = format!("{path}{}", expected.id);
        let Some(body) = self.read(member, &path).await else { return };
        if text(&body, "content").as_ref() != Some(&expected.content) {
            self.load.violate(format!("GET {path} is not {expected:?}: {body}"));
        }
    }

    async fn read_message(&mut self) {
        let load = Arc::clone(&self.load);
        let message = load.journal.read(|entries| self.rng.choose(&entries.messages).cloned());
        let Some(message) = message else { return };
        let Some(member) = load.members.iter().find(|member| member.id == message.author) else { return };
        let path = format!("/api/conversations/{}/messages/", message.parent);
        self.read_text(member, &path, Some(message)).await;
    }
}
