//! What can go wrong in messaging, and what a caller is told about it.

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks a rule.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// There is no such conversation, the asker takes no part in it, or one of the two blocks the other.
    #[error("Conversation not found")]
    ConversationNotFound,
    /// There is nobody to talk with: one of the two blocks the other.
    #[error("User not found")]
    MemberNotFound,
    /// There is no such message in the conversation, or the asker cleared it.
    #[error("Message not found")]
    MessageNotFound,
    /// There is no such notification of the asker's.
    #[error("Notification not found")]
    NotificationNotFound,
    /// The other's account is closed, or gone.
    #[error("This member's account is closed.")]
    FormerMember,
    /// Enough was said in a request that nobody has taken yet.
    #[error("They need to accept your request before you can write more.")]
    RequestWaiting,
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// The database refused, or is away.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "messaging";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::ConversationNotFound | Self::MemberNotFound | Self::MessageNotFound | Self::NotificationNotFound => {
                ErrorKind::NotFound
            }
            Self::FormerMember | Self::RequestWaiting => ErrorKind::Forbidden,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::ConversationNotFound => "CONVERSATION_NOT_FOUND",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::MessageNotFound => "MESSAGE_NOT_FOUND",
            Self::NotificationNotFound => "NOTIFICATION_NOT_FOUND",
            Self::FormerMember => "FORMER_MEMBER",
            Self::RequestWaiting => "REQUEST_WAITING",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations)) => violations,
            _ => &[],
        }
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}
