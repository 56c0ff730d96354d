//! Messages, reactions and the search in messages.

use portia_proto::messaging as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor as _, Form, LikePatterns, PageSize, Text},
};
use uuid::Uuid;

use super::{BLANK, parse_conversation_id};
use crate::{
    error::Error,
    messages::{
        Message, RepliedMessage,
        change::{EditedMessage, MessageRef},
        reactions::ReactionKind,
        search::{FoundCursor, FoundMessage, MessageSearch},
    },
};

/// The maximum length of a search, in characters.
const MAX_SEARCH: usize = 100;

pub fn parse_message_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("messageId", raw)
}

/// Parses the ids of a conversation and a message.
pub fn parse_message_ref(conversation_id: &str, message_id: &str) -> Result<MessageRef, Error> {
    let mut form = Form::default();
    let conversation = form.take(parse_conversation_id(conversation_id));
    let id = form.take(parse_message_id(message_id));
    let (conversation, id) = form.finish(conversation.zip(id))?;
    Ok(MessageRef { conversation, id })
}

impl TryFrom<pb::EditMessageRequest> for EditedMessage {
    type Error = Error;

    fn try_from(request: pb::EditMessageRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let id = form.take(parse_message_id(&request.message_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let ((conversation, id), content) = form.finish(conversation.zip(id).zip(content))?;
        Ok(Self { message: MessageRef { conversation, id }, content })
    }
}

/// A reaction to set or to remove.
pub struct Reaction {
    pub message: MessageRef,
    pub kind: ReactionKind,
    pub on: bool,
}

impl TryFrom<pb::ReactToMessageRequest> for Reaction {
    type Error = Error;

    fn try_from(request: pb::ReactToMessageRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let conversation = form.take(parse_conversation_id(&request.conversation_id));
        let id = form.take(parse_message_id(&request.message_id));
        let kind = ReactionKind::ALL.into_iter().find(|kind| pb::MessageReactionKind::from(*kind) == request.kind());
        let kind = form.take(kind.ok_or_else(|| Violation::new("kind", "This is not a kind of reaction.")));
        let ((conversation, id), kind) = form.finish(conversation.zip(id).zip(kind))?;
        Ok(Self { message: MessageRef { conversation, id }, kind, on: request.on })
    }
}

/// Whether a member mutes a conversation.
pub struct MuteConversation {
    pub conversation: Uuid,
    pub muted: bool,
}

impl TryFrom<pb::MuteConversationRequest> for MuteConversation {
    type Error = Error;

    fn try_from(request: pb::MuteConversationRequest) -> Result<Self, Error> {
        Ok(Self { conversation: parse_conversation_id(&request.conversation_id)?, muted: request.muted })
    }
}

impl TryFrom<pb::SearchMessagesRequest> for MessageSearch {
    type Error = Error;

    fn try_from(request: pb::SearchMessagesRequest) -> Result<Self, Error> {
        let mut form = Form::default();
        let words = form.take(parse_words(&request.query));
        let size = form.take(PageSize::parse(request.page_size));
        let after = form.take(FoundCursor::from_token(&request.page_token));
        let ((words, size), after) = form.finish(words.zip(size).zip(after))?;
        Ok(Self { words, size, after: after.unwrap_or(FoundCursor::START) })
    }
}

fn parse_words(raw: &str) -> Result<Option<LikePatterns>, Violation> {
    if raw.chars().count() > MAX_SEARCH {
        return Err(Violation::new("query", format!("This must be at most {MAX_SEARCH} characters.")));
    }
    LikePatterns::parse_optional("query", raw)
}

impl From<ReactionKind> for pb::MessageReactionKind {
    fn from(kind: ReactionKind) -> Self {
        match kind {
            ReactionKind::Like => Self::Like,
            ReactionKind::Love => Self::Love,
            ReactionKind::Laugh => Self::Laugh,
            ReactionKind::Wow => Self::Wow,
            ReactionKind::Sad => Self::Sad,
            ReactionKind::Thanks => Self::Thanks,
        }
    }
}

impl From<Message> for pb::Message {
    fn from(message: Message) -> Self {
        let attachments = message.attachments.unwrap_or_default();
        Self {
            id: message.id.to_string(),
            conversation_id: message.conversation_id.to_string(),
            sender_id: message.sender.map(|id| id.to_string()),
            content: message.content,
            sent_at: Some(timestamp(message.sent_at)),
            is_read: message.is_read,
            edited_at: message.edited_at.map(timestamp),
            deleted: message.is_deleted,
            reactions: by_kind(&message.reactions),
            reply_to: message.reply_to.map(pb::RepliedMessage::from),
            system_line: message.line.map(pb::SystemLine::from),
            read_count: message.read_count,
            of_group: message.of_group,
            pictures: attachments.pictures.into_iter().map(pb::MessagePicture::from).collect(),
            file: attachments.file.map(pb::MessageFile::from),
        }
    }
}

/// Groups reactions by kind, in the order of the kinds.
fn by_kind(reactions: &[(ReactionKind, Uuid)]) -> Vec<pb::MessageReactions> {
    let of_kind = |kind| reactions.iter().filter(move |(of, _)| *of == kind).map(|(_, member)| member.to_string());
    let kinds = ReactionKind::ALL.into_iter().map(|kind| pb::MessageReactions {
        kind: pb::MessageReactionKind::from(kind).into(),
        member_ids: of_kind(kind).collect(),
    });
    kinds.filter(|reactions| !reactions.member_ids.is_empty()).collect()
}

impl From<RepliedMessage> for pb::RepliedMessage {
    fn from(message: RepliedMessage) -> Self {
        Self {
            id: message.id.to_string(),
            sender_id: message.sender.map(|id| id.to_string()),
            content: message.content,
            attachments: message.attachments.as_ref().map(pb::AttachmentSummary::from),
        }
    }
}

impl From<FoundMessage> for pb::FoundMessage {
    fn from(found: FoundMessage) -> Self {
        Self {
            message: Some(found.message.into()),
            other_member_id: found.other_member.map(|id| id.to_string()),
            group: found.group.map(pb::Group::from),
        }
    }
}
