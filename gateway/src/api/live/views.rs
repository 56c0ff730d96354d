//! The data of live events: ids of what to read again, never content.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A message was sent (`message`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveMessage {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The message.
    #[schema(format = Uuid)]
    pub message_id: String,
    /// The sender.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A participant has read a conversation (`conversation-read`) or is typing (`typing`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveParticipant {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// The participant.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A conversation was added to the list, removed from it, or moved (`conversation`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConversation {
    /// The conversation.
    #[schema(format = Uuid)]
    pub conversation_id: String,
}
