//! Messages with their reactions and replies, and the requests to change them.

use chrono::{DateTime, Utc};
use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::messaging::participant::OtherUser,
    edge::timestamps::{moment, required_moment},
};

/// A message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The sender; null when their account is erased.
    #[schema(required, format = Uuid)]
    pub user_id: Option<String>,
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The text, at most 4,000 characters. Empty for a deleted message.
    pub content: String,
    /// The time of sending.
    pub created_at: DateTime<Utc>,
    /// Whether the recipient has read the message.
    pub is_read: bool,
    /// The time of the last edit; null for a message that was not edited.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// Whether the sender deleted the message.
    pub deleted: bool,
    /// The reactions, one entry a kind.
    pub reactions: Vec<MessageReactions>,
    /// The message that this one replies to; null for a message that is no reply.
    #[schema(required)]
    pub reply_to: Option<RepliedMessage>,
}

/// The reactions of one kind to a message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageReactions {
    /// The kind.
    pub kind: MessageReactionKind,
    /// The members who reacted, the first one first.
    #[schema(value_type = Vec<uuid::Uuid>)]
    pub user_ids: Vec<String>,
}

/// The message that a message replies to.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepliedMessage {
    /// The message.
    #[schema(format = Uuid)]
    pub id: String,
    /// Its sender; null when their account is erased.
    #[schema(required, format = Uuid)]
    pub user_id: Option<String>,
    /// The beginning of its text; null when it is deleted, or cleared by the caller.
    #[schema(required)]
    pub content: Option<String>,
}

/// A kind of reaction to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageReactionKind {
    /// Thumbs up.
    Like,
    /// Heart.
    Love,
    /// Laughter.
    Laugh,
    /// Surprise.
    Wow,
    /// Sadness.
    Sad,
    /// Folded hands.
    Thanks,
}

impl From<MessageReactionKind> for pb::MessageReactionKind {
    fn from(kind: MessageReactionKind) -> Self {
        match kind {
            MessageReactionKind::Like => Self::Like,
            MessageReactionKind::Love => Self::Love,
            MessageReactionKind::Laugh => Self::Laugh,
            MessageReactionKind::Wow => Self::Wow,
            MessageReactionKind::Sad => Self::Sad,
            MessageReactionKind::Thanks => Self::Thanks,
        }
    }
}

impl MessageReactions {
    /// None for a kind of a newer service.
    fn of(reactions: pb::MessageReactions) -> Option<Self> {
        let kind = match reactions.kind() {
            pb::MessageReactionKind::Unspecified => return None,
            pb::MessageReactionKind::Like => MessageReactionKind::Like,
            pb::MessageReactionKind::Love => MessageReactionKind::Love,
            pb::MessageReactionKind::Laugh => MessageReactionKind::Laugh,
            pb::MessageReactionKind::Wow => MessageReactionKind::Wow,
            pb::MessageReactionKind::Sad => MessageReactionKind::Sad,
            pb::MessageReactionKind::Thanks => MessageReactionKind::Thanks,
        };
        Some(Self { kind, user_ids: reactions.member_ids })
    }
}

impl From<pb::Message> for Message {
    fn from(message: pb::Message) -> Self {
        let replied = |to: pb::RepliedMessage| RepliedMessage { id: to.id, user_id: to.sender_id, content: to.content };
        Self {
            id: message.id,
            user_id: message.sender_id,
            conversation_id: message.conversation_id,
            content: message.content,
            created_at: required_moment(message.sent_at),
            is_read: message.is_read,
            edited_at: moment(message.edited_at),
            deleted: message.deleted,
            reactions: message.reactions.into_iter().filter_map(MessageReactions::of).collect(),
            reply_to: message.reply_to.map(replied),
        }
    }
}

/// A found message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundMessage {
    /// The message, without its reactions and the message that it replies to.
    #[serde(flatten)]
    pub message: Message,
    /// The other participant of the conversation.
    pub other_user: OtherUser,
}

impl FoundMessage {
    /// None when the service sent no message.
    pub fn of(found: pb::FoundMessage, people: &MemberCards) -> Option<Self> {
        let other_user = OtherUser::of(found.other_member_id.as_deref(), people);
        Some(Self { message: found.message?.into(), other_user })
    }
}

/// The new text of a message.
#[derive(Deserialize, ToSchema)]
pub struct EditMessage {
    /// The text: not blank, at most 4,000 characters.
    #[schema(min_length = 1, max_length = 4000)]
    pub content: String,
}

/// A reaction of the caller to a message.
#[derive(Deserialize, ToSchema)]
pub struct SetMessageReaction {
    /// The kind.
    pub kind: MessageReactionKind,
    /// Whether to set or to remove it.
    pub on: bool,
}
