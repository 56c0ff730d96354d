//! Messages to what the features take, and back; the only place that checks shape.

mod notifications;

use portia_proto::messaging as wire;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, Line, PageSize, Text},
};
use uuid::Uuid;

use crate::{
    conversations::{Active, Conversation, Folder},
    error::Error,
    messages::{Before, Message, send::NewMessage},
    unread::Unread,
};

pub use notifications::{MyNotifications, Turned};

/// What a blank message is told.
const BLANK: &str = "Please write something before sending.";
/// To so many people a list can be cut.
const MOST_PEOPLE: usize = 1_000;

/// A page of one folder of the actor's conversations.
pub struct MyConversations {
    pub size: PageSize,
    pub after: Active,
    pub folder: Folder,
    /// With whom; with anybody when empty.
    pub among: Vec<Uuid>,
}

impl TryFrom<wire::ListConversationsRequest> for MyConversations {
    type Error = Error;

    fn try_from(request: wire::ListConversationsRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(Active::from_token(&request.page_token));
        let folder = form.take(folder(request.folder));
        let among = form.take(people(&request.other_member_ids));
        let (((size, after), folder), among) = form.finish(size.zip(after).zip(folder).zip(among))?;
        Ok(Self { size, after: after.unwrap_or(Active::FIRST), folder, among })
    }
}

/// One folder, the inbox unless it is named.
pub fn folder(raw: i32) -> Result<Folder, Violation> {
    match wire::Folder::try_from(raw) {
        Ok(wire::Folder::Unspecified | wire::Folder::Inbox) => Ok(Folder::Inbox),
        Ok(wire::Folder::Requests) => Ok(Folder::Requests),
        Err(_) => Err(Violation::new("folder", "This must be inbox or requests.")),
    }
}

fn people(raw: &[String]) -> Result<Vec<Uuid>, Violation> {
    if raw.len() > MOST_PEOPLE {
        return Err(Violation::new("otherMemberIds", format!("These must be at most {MOST_PEOPLE}.")));
    }
    raw.iter().map(|id| ids::parse("otherMemberIds", id)).collect()
}

/// A page of one conversation's messages.
pub struct Thread {
    pub conversation: Uuid,
    pub size: PageSize,
    pub before: Before,
}

impl TryFrom<wire::ListMessagesRequest> for Thread {
    type Error = Error;

    fn try_from(request: wire::ListMessagesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(conversation_id(&request.conversation_id));
        let size = form.take(PageSize::parse(request.page_size));
        let before = form.take(Before::from_token(&request.page_token));
        let ((conversation, size), before) = form.finish(conversation.zip(size).zip(before))?;
        Ok(Self { conversation, size, before: before.unwrap_or(Before::END) })
    }
}

impl TryFrom<wire::SendMessageRequest> for NewMessage {
    type Error = Error;

    fn try_from(request: wire::SendMessageRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(conversation_id(&request.conversation_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let key = request.idempotency_key.as_deref();
        let key = key.map(|key| Line::parse("idempotencyKey", key, 1, "This must not be empty.")).transpose();
        let key = form.take(key);
        let ((conversation, content), key) = form.finish(conversation.zip(content).zip(key))?;
        Ok(Self { conversation, content, key })
    }
}

/// How far somebody has read.
pub struct Mark {
    pub conversation: Uuid,
    pub message: Uuid,
}

impl TryFrom<wire::MarkReadRequest> for Mark {
    type Error = Error;

    fn try_from(request: wire::MarkReadRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(conversation_id(&request.conversation_id));
        let message = form.take(ids::parse("upTo", &request.message_id));
        let (conversation, message) = form.finish(conversation.zip(message))?;
        Ok(Self { conversation, message })
    }
}

/// Which conversation.
pub fn conversation_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("conversationId", raw)
}

/// Which message.
pub fn message_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("messageId", raw)
}

/// Somebody else than `member`: with oneself there is nothing to talk about.
pub fn other_than(member: Uuid, raw: &str) -> Result<Uuid, Violation> {
    let other = ids::parse("userId", raw)?;
    if other == member { Err(Violation::new("userId", "This must be another member than you.")) } else { Ok(other) }
}

impl From<Folder> for wire::Folder {
    fn from(folder: Folder) -> Self {
        match folder {
            Folder::Inbox => Self::Inbox,
            Folder::Requests => Self::Requests,
        }
    }
}

impl From<Conversation> for wire::Conversation {
    fn from(conversation: Conversation) -> Self {
        Self {
            id: conversation.id.to_string(),
            other_member_id: conversation.other_member.map(|id| id.to_string()),
            last_message: conversation.last_message,
            last_message_at: conversation.last_message_at.map(timestamp),
            unread_count: conversation.unread_count,
            folder: wire::Folder::from(conversation.folder).into(),
            waiting: conversation.waiting,
        }
    }
}

impl From<Message> for wire::Message {
    fn from(message: Message) -> Self {
        Self {
            id: message.id.to_string(),
            conversation_id: message.conversation_id.to_string(),
            sender_id: message.sender.map(|id| id.to_string()),
            content: message.content,
            sent_at: Some(timestamp(message.sent_at)),
            is_read: message.is_read,
        }
    }
}

impl From<Unread> for wire::GetUnreadResponse {
    fn from(unread: Unread) -> Self {
        Self { messages: unread.messages, requests: unread.requests, notifications: unread.notifications }
    }
}
