//! The rules of changed messages and muted conversations.

use testkit::member;
use uuid::Uuid;

use super::{
    conversation::Message,
    rules::{Model, Outcome, changed},
};
use crate::{messages::change::MessageRef, publishing::ConversationFact};

impl Model {
    pub fn edit(&mut self, who: u128, message: MessageRef, content: &'static str) -> Outcome {
        let fact = self.message_changed(who, message);
        let message = self.changeable(who, message)?;
        if message.content.is_empty() {
            return Err("MESSAGE_NOT_FOUND");
        }
        (message.content, message.edited) = (content, true);
        Ok(vec![fact])
    }

    pub fn delete(&mut self, who: u128, message: MessageRef) -> Outcome {
        let fact = self.message_changed(who, message);
        let before = self.unread_of(who, message.conversation);
        let deleted = self.changeable(who, message)?;
        if deleted.content.is_empty() {
            return Ok(Vec::new());
        }
        deleted.content = "";
        // The recipient had not read it.
        let after = self.unread_of(who, message.conversation);
        let recipient = after.filter(|_| after != before).map(|(other, _)| changed(message.conversation, other));
        Ok([fact].into_iter().chain(recipient).collect())
    }

    /// Returns a message of `who` that is deleted or was sent less than 15 minutes ago.
    fn changeable(&mut self, who: u128, message: MessageRef) -> Result<&mut Message, &'static str> {
        let now = self.minutes;
        let conversation = self.visible(who, message.conversation)?;
        let cleared = conversation.participants[&who].cleared;
        let mut visible = conversation.messages.iter_mut().skip(cleared);
        let message = visible.find(|one| one.id == message.id).ok_or("MESSAGE_NOT_FOUND")?;
        if message.sender != Some(who) {
            return Err("NOT_SENDER");
        }
        if !message.content.is_empty() && now - message.sent_at >= 15 {
            return Err("MESSAGE_CHANGE_TOO_LATE");
        }
        Ok(message)
    }

    /// Returns the other participant of a conversation, and their unread count.
    fn unread_of(&self, who: u128, id: Uuid) -> Option<(u128, i32)> {
        let conversation = self.conversations.get(&id)?;
        let mut others = conversation.participants.keys().filter(|other| **other != who);
        others.next().map(|other| (*other, conversation.unread_count(*other)))
    }

    fn message_changed(&self, who: u128, message: MessageRef) -> ConversationFact {
        let conversation = self.conversations.get(&message.conversation);
        let other = conversation.and_then(|conversation| self.present(conversation.other(who)));
        message.changed(member(who), other.map(member).into_iter().collect())
    }

    pub fn mute(&mut self, who: u128, id: Uuid, muted: bool) -> Outcome {
        let participant = self.visible(who, id)?.participants.get_mut(&who).unwrap();
        if participant.muted == muted {
            return Ok(Vec::new());
        }
        participant.muted = muted;
        Ok(vec![changed(id, who)])
    }
}
