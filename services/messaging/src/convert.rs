//! Messages to what the features take, and back; the only place that checks shape.

use chassis::{
    clock::timestamp,
    input::{Cursor as _, PageSize},
};
use portia_proto::messaging as wire;

use crate::{
    conversations::{Active, Conversation},
    error::Error,
};

/// A page of the actor's conversations.
pub struct MyConversations {
    pub size: PageSize,
    pub after: Active,
}

impl TryFrom<wire::ListConversationsRequest> for MyConversations {
    type Error = Error;

    fn try_from(request: wire::ListConversationsRequest) -> Result<Self, Error> {
        let size = PageSize::parse(request.page_size)?;
        let after = Active::from_token(&request.page_token)?.unwrap_or(Active::FIRST);
        Ok(Self { size, after })
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
        }
    }
}
