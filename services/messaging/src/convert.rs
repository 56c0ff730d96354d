//! Converts between proto and domain types. Only this module validates the shape of requests.

mod attachments;
mod groups;
mod messages;
mod notifications;
mod push;

use portia_proto::messaging as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, LikePatterns, Line, PageSize, Text},
};
use uuid::Uuid;

use crate::{
    conversations::{
        Conversation, Folder,
        list::{ConversationCursor, ListConversations},
    },
    error::Error,
    messages::{
        list::{ListMessages, MessageCursor},
        send::NewMessage,
    },
    unread::UnreadTotals,
};

pub use attachments::{IdempotentUpload, parse_file_upload, parse_picture_upload, parse_selection};
pub use groups::{AddMembers, GroupMemberRef, IdempotentGroup};
pub use messages::{MuteConversation, Reaction, parse_message_id, parse_message_ref};
pub use notifications::{SetSwitches, parse_time};
pub use push::{foreign_endpoint, parse_subscription_id};

/// The violation of a blank message.
const BLANK: &str = "Please write something before sending.";
/// The maximum number of members by which a list is filtered.
const MAX_OTHER_MEMBERS: usize = 1_000;

impl TryFrom<pb::ListConversationsRequest> for ListConversations {
    type Error = Error;

    fn try_from(request: pb::ListConversationsRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(ConversationCursor::from_token(&request.page_token));
        let folder = form.take(parse_folder(request.folder));
        let others = form.take(parse_other_members(&request.other_member_ids));
        let search = form.take(LikePatterns::parse_optional("search", &request.search));
        let ((((size, after), folder), other_members), search) =
            form.finish(size.zip(after).zip(folder).zip(others).zip(search))?;
        Ok(Self { size, after: after.unwrap_or(ConversationCursor::START), folder, other_members, search })
    }
}

/// Parses a folder; the inbox is the default.
pub fn parse_folder(raw: i32) -> Result<Folder, Violation> {
    match pb::Folder::try_from(raw) {
        Ok(pb::Folder::Unspecified | pb::Folder::Inbox) => Ok(Folder::Inbox),
        Ok(pb::Folder::Requests) => Ok(Folder::Requests),
        Err(_) => Err(Violation::new("folder", "This must be inbox or requests.")),
    }
}

fn parse_other_members(raw: &[String]) -> Result<Vec<Uuid>, Violation> {
    if raw.len() > MAX_OTHER_MEMBERS {
        return Err(Violation::new("otherMemberIds", format!("These must be at most {MAX_OTHER_MEMBERS}.")));
    }
    raw.iter().map(|id| ids::parse("otherMemberIds", id)).collect()
}

impl TryFrom<pb::ListMessagesRequest> for ListMessages {
    type Error = Error;

    fn try_from(request: pb::ListMessagesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let size = form.take(PageSize::parse(request.page_size));
        let before = form.take(MessageCursor::from_token(&request.page_token));
        let around = request.around_message_id.as_deref().filter(|_| request.page_token.is_empty());
        let around = form.take(around.map(|id| ids::parse("around", id)).transpose());
        let (((conversation, size), before), around) = form.finish(conversation.zip(size).zip(before).zip(around))?;
        Ok(Self { conversation, size, before: before.unwrap_or(MessageCursor::END), around })
    }
}

impl TryFrom<pb::SendMessageRequest> for NewMessage {
    type Error = Error;

    fn try_from(request: pb::SendMessageRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let attachments = form.take(attachments::parse_new(&request));
        let has_attachments = !request.pictures.is_empty() || request.file_id.is_some();
        let content = if has_attachments {
            Text::parse_optional("content", Some(&request.content))
        } else {
            Text::parse_or("content", &request.content, BLANK).map(Some)
        };
        let content = form.take(content);
        let key = request.idempotency_key.as_deref();
        let key = key.map(|key| Line::parse_key("idempotencyKey", key)).transpose();
        let key = form.take(key);
        let reply_to = request.reply_to_id.as_deref().map(|id| ids::parse("replyTo", id)).transpose();
        let reply_to = form.take(reply_to);
        let ((((conversation, content), attachments), key), reply_to) =
            form.finish(conversation.zip(content).zip(attachments).zip(key).zip(reply_to))?;
        Ok(Self { conversation, content, attachments, key, reply_to })
    }
}

/// A read mark up to a message.
pub struct MarkRead {
    pub conversation: Uuid,
    pub message: Uuid,
}

impl TryFrom<pb::MarkReadRequest> for MarkRead {
    type Error = Error;

    fn try_from(request: pb::MarkReadRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let message = form.take(ids::parse("upTo", &request.message_id));
        let (conversation, message) = form.finish(conversation.zip(message))?;
        Ok(Self { conversation, message })
    }
}

pub fn parse_conversation_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("conversationId", raw)
}

/// Parses the id of a member other than `member`.
pub fn parse_other_member(member: Uuid, raw: &str) -> Result<Uuid, Violation> {
    let other = ids::parse("userId", raw)?;
    if other == member { Err(Violation::new("userId", "This must be another member than you.")) } else { Ok(other) }
}

impl From<Folder> for pb::Folder {
    fn from(folder: Folder) -> Self {
        match folder {
            Folder::Inbox => Self::Inbox,
            Folder::Requests => Self::Requests,
        }
    }
}

impl From<Conversation> for pb::Conversation {
    fn from(conversation: Conversation) -> Self {
        let group = conversation.group.as_ref();
        let last_attachments = conversation.last_attachments.as_ref().map(pb::AttachmentSummary::from);
        let is_empty = last_attachments.is_none() && conversation.last_message.as_deref() == Some("");
        let last_line = group.and_then(|group| group.last_line.clone());
        Self {
            id: conversation.id.to_string(),
            other_member_id: conversation.other_member.map(|id| id.to_string()),
            last_message_deleted: last_line.is_none() && is_empty,
            last_attachments,
            last_system_line: last_line.map(pb::SystemLine::from),
            last_sender_id: group.and_then(|group| group.last_sender).map(|id| id.to_string()),
            last_message: conversation.last_message.filter(|content| !content.is_empty()),
            last_message_at: conversation.last_message_at.map(timestamp),
            unread_count: conversation.unread_count,
            folder: pb::Folder::from(conversation.folder).into(),
            waiting: conversation.waiting,
            files_refused: conversation.files_refused,
            muted: conversation.muted,
            group: conversation.group.map(pb::Group::from),
        }
    }
}

impl From<UnreadTotals> for pb::GetUnreadResponse {
    fn from(totals: UnreadTotals) -> Self {
        Self { messages: totals.messages, requests: totals.requests, notifications: totals.notifications }
    }
}
