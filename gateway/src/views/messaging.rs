//! Conversations.

use chrono::{DateTime, Utc};
use portia_proto::messaging as wire;
use serde::Serialize;
use utoipa::ToSchema;

use super::{member::Author, moment};
use crate::people::People;

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
    fn of(id: Option<&str>, people: &People) -> Self {
        let Some(id) = id else {
            return Self { id: None, full_name: "Former member".to_owned(), headline: None, avatar_url: None };
        };
        let Author { id, full_name, headline, avatar_url } = people.author(id);
        Self { id: Some(id), full_name, headline, avatar_url }
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
}

impl Conversation {
    /// A conversation with the other participant.
    pub fn of(conversation: wire::Conversation, people: &People) -> Self {
        Self {
            other_user: OtherUser::of(conversation.other_member_id.as_deref(), people),
            id: conversation.id,
            last_message: conversation.last_message,
            last_message_at: moment(conversation.last_message_at),
            unread_count: conversation.unread_count,
        }
    }
}
