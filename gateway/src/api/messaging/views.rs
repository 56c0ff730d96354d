//! Conversations and messages, and the requests to create them.

use chrono::{DateTime, Utc};
use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::{cache::MemberCards, namesakes::ConnectionNames, views::Author};
use crate::{
    api::messaging::{
        attachment_views::{AttachmentSummary, NewMessagePicture},
        group_views::{Group, SystemLine},
        message_views::Message,
        participant::OtherUser,
    },
    edge::timestamps::moment,
};

pub use crate::api::contract::messaging::Unread;

/// The folder of a conversation, for the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConversationFolder {
    /// Conversations with connections, and those that the caller opened, answered or accepted.
    #[default]
    Inbox,
    /// Conversations of other members that the caller has neither answered nor accepted.
    Requests,
}

impl From<ConversationFolder> for pb::Folder {
    fn from(folder: ConversationFolder) -> Self {
        match folder {
            ConversationFolder::Inbox => Self::Inbox,
            ConversationFolder::Requests => Self::Requests,
        }
    }
}

impl From<pb::Folder> for ConversationFolder {
    fn from(folder: pb::Folder) -> Self {
        match folder {
            pb::Folder::Inbox | pb::Folder::Unspecified => Self::Inbox,
            pb::Folder::Requests => Self::Requests,
        }
    }
}

/// A conversation, as the caller sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The other participant; null in a group.
    #[schema(required)]
    pub other_user: Option<OtherUser>,
    /// The group; null for a conversation of two.
    #[schema(required)]
    pub group: Option<Group>,
    /// The text of the newest message; null without messages, when the newest one is deleted or has no text, and for a system line.
    #[schema(required)]
    pub last_message: Option<String>,
    /// The attachments of the newest message; null without any.
    #[schema(required)]
    pub last_attachments: Option<AttachmentSummary>,
    /// Whether the newest message is deleted.
    pub last_message_deleted: bool,
    /// The newest message of a group, if it states a change of the group.
    #[schema(required)]
    pub last_system_line: Option<SystemLine>,
    /// The sender of the newest message of a group; null in a conversation of two.
    #[schema(required)]
    pub last_sender: Option<OtherUser>,
    /// The time of sending.
    #[schema(required)]
    pub last_message_at: Option<DateTime<Utc>>,
    /// The number of messages that the caller has not read.
    pub unread_count: i32,
    /// The folder.
    pub folder: ConversationFolder,
    /// Whether the caller opened the conversation and the other participant has not accepted it.
    pub waiting: bool,
    /// Whether pictures and files of the caller are refused: the other participant, or every other member of a group, has not
    /// accepted the conversation.
    pub files_refused: bool,
    /// Whether the caller muted the conversation: it is not part of `GET /api/unread`.
    pub muted: bool,
    /// A connection of the caller with the same name as the other participant. Only in requests, and absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub same_name: Option<Author>,
}

impl Conversation {
    /// A conversation, with the cards of [`Conversation::people`].
    pub fn of(conversation: pb::Conversation, people: &MemberCards) -> Self {
        let is_pair = conversation.group.is_none();
        let has_message = conversation.last_message_at.is_some();
        let last_sender = conversation.last_sender_id.as_deref();
        Self {
            other_user: is_pair.then(|| OtherUser::of(conversation.other_member_id.as_deref(), people)),
            folder: conversation.folder().into(),
            waiting: conversation.waiting,
            files_refused: conversation.files_refused,
            muted: conversation.muted,
            same_name: None,
            last_message_deleted: conversation.last_message_deleted,
            last_sender: (!is_pair && has_message).then(|| OtherUser::of(last_sender, people)),
            last_system_line: conversation.last_system_line.and_then(|line| SystemLine::of(line, people)),
            group: conversation.group.map(|group| Group::of(group, people)),
            id: conversation.id,
            last_message: conversation.last_message,
            last_attachments: conversation.last_attachments.map(AttachmentSummary::from),
            last_message_at: moment(conversation.last_message_at),
            unread_count: conversation.unread_count,
        }
    }

    /// The conversation with the connection that has the name of the other participant.
    pub fn with_same_name(self, names: &ConnectionNames) -> Self {
        let other = self.other_user.as_ref().and_then(|other| other.id.as_deref());
        Self { same_name: other.and_then(|other| names.get(other)), ..self }
    }

    /// Returns the other participant of a request, whose name is compared with the names of connections.
    pub fn requester(conversation: &pb::Conversation) -> Option<String> {
        let is_request = conversation.folder() == pb::Folder::Requests && conversation.group.is_none();
        conversation.other_member_id.clone().filter(|_| is_request)
    }

    /// The members whose cards it contains.
    pub fn people(conversation: &pb::Conversation) -> impl Iterator<Item = &str> {
        let members = conversation.group.iter().flat_map(|group| &group.member_ids);
        let subjects = conversation.last_system_line.iter().flat_map(|line| &line.subject_ids);
        let others = conversation.other_member_id.iter().chain(&conversation.last_sender_id);
        others.chain(members).chain(subjects).map(String::as_str)
    }
}

/// A conversation with a page of its messages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationThread {
    /// The conversation, as in lists, with the `unreadCount` before this request.
    #[serde(flatten)]
    pub conversation: Conversation,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
}

/// A request to open a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenConversation {
    /// The other participant.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A new message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendMessage {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub user_id: Option<String>,
    /// The conversation of the path. May be left out.
    #[schema(format = Uuid)]
    pub conversation_id: Option<String>,
    /// The text: at most 4,000 characters, and not blank unless there are attachments. Absent counts as blank.
    #[serde(default)]
    #[schema(format = "text", required, max_length = 4000)]
    pub content: String,
    /// Uploaded pictures, at most 4. Refused with 403 in a request that the other participant has not accepted.
    #[serde(default)]
    #[schema(required = false, max_items = 4)]
    pub pictures: Vec<NewMessagePicture>,
    /// An uploaded PDF file; not with pictures. Refused like pictures.
    #[schema(format = Uuid)]
    pub file_id: Option<String>,
    /// A message of the conversation that this one replies to.
    #[schema(format = Uuid)]
    pub reply_to: Option<String>,
}
