//! Conversations, what is said in them, and what is sent to say it.

use chrono::{DateTime, Utc};
use portia_proto::messaging as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::members::views::Author,
    edge::timestamps::{moment, required_moment},
};

/// The other participant.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherUser {
    /// Null once the account is gone.
    #[schema(required, format = Uuid)]
    pub id: Option<String>,
    /// 'Former member' once the account is gone.
    pub full_name: String,
    /// What they say they are, in a line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The picture's address.
    #[schema(required)]
    pub avatar_url: Option<String>,
}

impl OtherUser {
    fn of(id: Option<&str>, people: &MemberCards) -> Self {
        let Some(id) = id else {
            return Self { id: None, full_name: "Former member".to_owned(), headline: None, avatar_url: None };
        };
        let Author { id, full_name, headline, avatar_url } = people.author(id);
        Self { id: Some(id), full_name, headline, avatar_url }
    }
}

/// Where a conversation stands for the asker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConversationFolder {
    /// With one's connections, with whom one answered or accepted, and those one opened oneself.
    #[default]
    Inbox,
    /// From anybody else, until they are answered or accepted.
    Requests,
}

impl From<ConversationFolder> for wire::Folder {
    fn from(folder: ConversationFolder) -> Self {
        match folder {
            ConversationFolder::Inbox => Self::Inbox,
            ConversationFolder::Requests => Self::Requests,
        }
    }
}

impl From<wire::Folder> for ConversationFolder {
    fn from(folder: wire::Folder) -> Self {
        match folder {
            wire::Folder::Inbox | wire::Folder::Unspecified => Self::Inbox,
            wire::Folder::Requests => Self::Requests,
        }
    }
}

/// A conversation as its participant sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// With whom.
    pub other_user: OtherUser,
    /// The newest message's text.
    #[schema(required)]
    pub last_message: Option<String>,
    /// When it was sent.
    #[schema(required)]
    pub last_message_at: Option<DateTime<Utc>>,
    /// Messages the asker has not read.
    pub unread_count: i32,
    /// Where it stands for the asker.
    pub folder: ConversationFolder,
    /// The asker has opened it, and the other has not taken it yet.
    pub waiting: bool,
}

impl Conversation {
    /// A conversation with the other participant.
    pub fn of(conversation: wire::Conversation, people: &MemberCards) -> Self {
        Self {
            other_user: OtherUser::of(conversation.other_member_id.as_deref(), people),
            folder: conversation.folder().into(),
            waiting: conversation.waiting,
            id: conversation.id,
            last_message: conversation.last_message,
            last_message_at: moment(conversation.last_message_at),
            unread_count: conversation.unread_count,
        }
    }
}

/// A conversation with a page of its messages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationThread {
    /// As lists carry it; `unreadCount` is what it was before this page was read.
    #[serde(flatten)]
    pub conversation: Conversation,
    /// Oldest first.
    pub messages: Vec<Message>,
}

/// Something said.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// Who said it; null once their account is gone.
    #[schema(required, format = Uuid)]
    pub user_id: Option<String>,
    /// Where.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// At most 4,000 characters.
    pub content: String,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// Whether whoever did not write it has read it.
    pub is_read: bool,
}

impl From<wire::Message> for Message {
    fn from(message: wire::Message) -> Self {
        Self {
            id: message.id,
            user_id: message.sender_id,
            conversation_id: message.conversation_id,
            content: message.content,
            created_at: required_moment(message.sent_at),
            is_read: message.is_read,
        }
    }
}

/// What waits unread.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unread {
    /// Messages in the inbox.
    pub messages: i32,
    /// Requests with something unread.
    pub requests: i32,
    /// Notifications: one for everything of a kind about one thing.
    pub notifications: i32,
}

impl From<wire::GetUnreadResponse> for Unread {
    fn from(unread: wire::GetUnreadResponse) -> Self {
        Self { messages: unread.messages, requests: unread.requests, notifications: unread.notifications }
    }
}

/// Opens a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenConversation {
    /// With whom.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// Says something.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendMessage {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub user_id: Option<String>,
    /// The conversation of the address, or left out.
    #[schema(format = Uuid, nullable = false)]
    pub conversation_id: Option<String>,
    /// Not blank, at most 4,000 characters. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    pub content: String,
}

/// How far one has read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadConversation {
    /// The newest message one has seen.
    #[schema(format = Uuid)]
    pub up_to: String,
}
