//! The effects of a transition outside of the conversation: facts, and the unread totals of members.
//!
//! A rule collects them while it reads and writes rows, and applies them at its end, because the rows of the totals are locked after
//! all others: see [`UnreadChanges`].

use outbox::UnitOfWork;
use uuid::Uuid;

use super::Folder;
use crate::{
    error::Error,
    publishing::{self, ConversationFact},
    unread::{UnreadChanges, UnreadDelta},
};

/// The facts to publish and the unread totals to change.
#[derive(Debug, Default)]
#[must_use = "nothing is published before `apply`"]
pub struct Effects {
    pub facts: Vec<ConversationFact>,
    pub unread: UnreadChanges,
}

impl Effects {
    /// Returns the members who see the sent message; empty without a message.
    pub fn recipients(&self) -> &[Uuid] {
        let sent = self.facts.iter().find_map(|fact| match fact {
            ConversationFact::MessageSent { recipients, .. } => Some(recipients.as_slice()),
            _ => None,
        });
        sent.unwrap_or_default()
    }

    /// Adds the fact that the conversation appeared in the member's list, left it, moved to another folder, was muted
    /// or unmuted, or lost an unread message.
    pub fn add_changed(&mut self, conversation: Uuid, member: Uuid) {
        self.facts.push(ConversationFact::Changed { conversation, member });
    }

    /// Adds the fact that the group changed for these members.
    pub fn add_group_changed(&mut self, conversation: Uuid, members: Vec<Uuid>) {
        if !members.is_empty() {
            self.facts.push(ConversationFact::GroupChanged { conversation, members });
        }
    }

    /// Adds a change of the unread count of a conversation in the member's `folder` from `before` to `after`. The
    /// totals exclude muted conversations.
    pub fn add_unread(&mut self, member: Uuid, folder: Folder, is_muted: bool, before: i32, after: i32) {
        if is_muted {
            return;
        }
        let mut delta = UnreadDelta::default();
        match folder {
            Folder::Inbox => delta.messages = after - before,
            Folder::Requests => delta.requests = i32::from(after > 0) - i32::from(before > 0),
        }
        self.unread.add(member, delta);
    }

    /// Publishes the facts and changes the totals. These are the last statements of a rule.
    pub async fn apply(self, work: &mut UnitOfWork<'_>) -> Result<(), Error> {
        publishing::publish_all(work, &self.facts).await?;
        self.unread.apply(work.db).await
    }
}
