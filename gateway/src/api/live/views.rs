//! What a live stream tells: only where to look, never what is there.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Somebody said something (`message`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveMessage {
    /// Where.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// What.
    #[schema(format = Uuid)]
    pub message_id: String,
    /// Who.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A participant has read (`conversation-read`), or is typing (`typing`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveParticipant {
    /// Where.
    #[schema(format = Uuid)]
    pub conversation_id: String,
    /// Who.
    #[schema(format = Uuid)]
    pub user_id: String,
}

/// A conversation appeared in a list, left it, or moved (`conversation`).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveConversation {
    /// Which.
    #[schema(format = Uuid)]
    pub conversation_id: String,
}
