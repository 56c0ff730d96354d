//! Messages with their reactions and replies, and the requests to change them.

use chrono::{DateTime, Utc};
use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::{
        messaging::{
            attachment_views::{MessageFile, MessagePicture},
            group_views::{Group, SystemLine},
            participant::OtherUser,
        },
        state::Gateway,
    },
    edge::{
        authentication::Member,
        problem::Problem,
        timestamps::{moment, required_moment},
    },
};

pub use crate::api::contract::messaging::{MessageReactionKind, MessageReactions, RepliedMessage};

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
    /// The card of the sender in a group; null in a conversation of two.
    #[schema(required)]
    pub sender: Option<OtherUser>,
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The text, at most 4,000 characters. Empty for a deleted message, a system line, and a message of attachments only.
    pub content: String,
    /// The pictures, at most 4.
    pub pictures: Vec<MessagePicture>,
    /// The PDF file; null without one.
    #[schema(required)]
    pub file: Option<MessageFile>,
    /// The change of the group that the message states; null for a message of a member.
    #[schema(required)]
    pub system_line: Option<SystemLine>,
    /// The time of sending.
    pub created_at: DateTime<Utc>,
    /// Whether the recipient has read the message; in a group, whether another member has.
    pub is_read: bool,
    /// The number of members of a group who read a message of the caller, as far as they show it. 0 in a conversation of two.
    pub read_count: i32,
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

impl Message {
    /// A message, with the cards of [`Message::people`].
    pub fn of(message: pb::Message, people: &MemberCards) -> Self {
        let pictures = message.pictures.into_iter().enumerate();
        Self {
            pictures: pictures.map(|(at, picture)| MessagePicture::of(&message.id, at, picture)).collect(),
            file: message.file.map(|file| MessageFile::of(&message.id, file)),
            id: message.id,
            sender: message.of_group.then(|| OtherUser::of(message.sender_id.as_deref(), people)),
            user_id: message.sender_id,
            conversation_id: message.conversation_id,
            content: message.content,
            system_line: message.system_line.and_then(|line| SystemLine::of(line, people)),
            created_at: required_moment(message.sent_at),
            is_read: message.is_read,
            read_count: message.read_count,
            edited_at: moment(message.edited_at),
            deleted: message.deleted,
            reactions: message.reactions.into_iter().filter_map(MessageReactions::of).collect(),
            reply_to: message.reply_to.map(RepliedMessage::from),
        }
    }

    /// The members whose cards a message contains: none in a conversation of two.
    pub fn people(message: &pb::Message) -> impl Iterator<Item = &str> {
        let subjects = message.system_line.iter().flat_map(|line| &line.subject_ids);
        message.sender_id.iter().filter(|_| message.of_group).chain(subjects).map(String::as_str)
    }

    /// The message in a response, with one call for its cards if it is of a group.
    pub async fn respond(gateway: &Gateway, member: &Member, message: Option<pb::Message>) -> Result<Self, Problem> {
        let message = message.ok_or(Problem::internal())?;
        let people = gateway.members.cards(&member.call, Self::people(&message)).await;
        Ok(Self::of(message, &people))
    }
}

/// A found message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundMessage {
    /// The message, without its reactions and the message that it replies to.
    #[serde(flatten)]
    pub message: Message,
    /// The other participant of the conversation; null in a group.
    #[schema(required)]
    pub other_user: Option<OtherUser>,
    /// The group; null for a conversation of two.
    #[schema(required)]
    pub group: Option<Group>,
}

impl FoundMessage {
    /// None when the service sent no message.
    pub fn of(found: pb::FoundMessage, people: &MemberCards) -> Option<Self> {
        let is_pair = found.group.is_none();
        let other_user = is_pair.then(|| OtherUser::of(found.other_member_id.as_deref(), people));
        let group = found.group.map(|group| Group::of(group, people));
        Some(Self { message: Message::of(found.message?, people), other_user, group })
    }

    /// The ids of the members whose cards it contains.
    pub fn members(found: &pb::FoundMessage) -> impl Iterator<Item = &str> {
        let members = found.group.iter().flat_map(|group| &group.member_ids);
        let named = found.other_member_id.iter().chain(members).map(String::as_str);
        named.chain(found.message.iter().flat_map(Message::people))
    }
}

/// The new text of a message.
#[derive(Deserialize, ToSchema)]
pub struct EditMessage {
    /// The text: not blank, at most 4,000 characters.
    #[schema(format = "text", min_length = 1, max_length = 4000)]
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
