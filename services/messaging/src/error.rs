//! The errors of this service, with their kinds and reasons.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

/// The error of a request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// Unknown, the caller is not a participant, or one of the two members blocks the other.
    #[error("Conversation not found")]
    ConversationNotFound,
    /// One of the two members blocks the other.
    #[error("User not found")]
    MemberNotFound,
    /// Not a message of the conversation, or the caller cleared it.
    #[error("Message not found")]
    MessageNotFound,
    /// Not an attachment of a message that the caller sees.
    #[error("Attachment not found")]
    AttachmentNotFound,
    /// Not a notification of the caller.
    #[error("Notification not found")]
    NotificationNotFound,
    /// The account of the other member is closed or erased.
    #[error("This member's account is closed.")]
    FormerMember,
    /// Pictures and files in a request without an answer.
    #[error("You can send pictures and files once your request is accepted.")]
    AttachmentsRefused,
    /// The member stores the maximum number of bytes in messages.
    #[error("You have sent 500 MB of pictures and files within a year, which is the most. Delete some of them first.")]
    AttachmentsFull,
    /// The member stored the maximum number of bytes of a day in messages.
    #[error(
        "You have added 150 MB of pictures and files to messages within a day, which is the most. Please try again later."
    )]
    AttachmentsOfDay { retry_after: Duration },
    /// The daily allowance of message requests is used up.
    #[error("You have written to as many new members as you can for now. You can write to more as members answer.")]
    RequestsOfDay { retry_after: Duration },
    /// Too many message requests wait for an answer.
    #[error("Many of your message requests are waiting for an answer. You can write to more members as they answer.")]
    RequestsWaiting { retry_after: Duration },
    /// Too many pictures are waiting to be decoded.
    #[error("Too many images are being processed. Please try again.")]
    PicturesBusy,
    /// A request without an answer has the maximum number of messages.
    #[error("They need to accept your request before you can write more.")]
    RequestWaiting,
    /// The other member does not accept messages from this sender.
    #[error("This member does not accept new messages.")]
    MessagesClosed,
    /// A new member of a group does not accept messages from its owner.
    #[error("One of these members does not accept new messages.")]
    GroupRefused,
    /// The group belongs to another member.
    #[error("Only the owner of the group can do this.")]
    NotGroupOwner,
    /// A new member of a group left it before.
    #[error("One of these members left the group and cannot be added again.")]
    LeftGroup,
    /// The group has the maximum number of members.
    #[error("A group has at most 50 members.")]
    GroupFull,
    /// Another member sent the message.
    #[error("You can change only your own messages.")]
    NotSender,
    /// More than 15 minutes after sending.
    #[error("A message can be changed for 15 minutes after sending.")]
    ChangeTooLate,
    /// Not a push subscription of the caller.
    #[error("This device is not subscribed.")]
    PushSubscriptionNotFound,
    /// The member has the maximum number of push subscriptions.
    #[error("Notifications are on for ten devices. Remove one first.")]
    PushSubscriptionsFull,
    /// Another member subscribed with this endpoint and other keys.
    #[error("This device is subscribed for another member.")]
    PushEndpointTaken,
    /// The session of the caller ended. Its token is valid for up to a minute longer.
    #[error("Authentication required")]
    SessionEnded,
    /// The idempotency key was used with other content.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// A statement failed, or the database is unavailable.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "messaging";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::ConversationNotFound
            | Self::MemberNotFound
            | Self::MessageNotFound
            | Self::AttachmentNotFound
            | Self::NotificationNotFound
            | Self::PushSubscriptionNotFound => ErrorKind::NotFound,
            Self::FormerMember
            | Self::RequestWaiting
            | Self::AttachmentsRefused
            | Self::MessagesClosed
            | Self::GroupRefused
            | Self::NotGroupOwner
            | Self::NotSender => ErrorKind::Forbidden,
            Self::ChangeTooLate
            | Self::AttachmentsFull
            | Self::LeftGroup
            | Self::GroupFull
            | Self::PushSubscriptionsFull
            | Self::PushEndpointTaken => ErrorKind::Conflict,
            Self::SessionEnded => ErrorKind::Unauthenticated,
            Self::PicturesBusy
            | Self::AttachmentsOfDay { .. }
            | Self::RequestsOfDay { .. }
            | Self::RequestsWaiting { .. } => ErrorKind::Limited,
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
            Self::AttachmentNotFound => "ATTACHMENT_NOT_FOUND",
            Self::AttachmentsRefused => "ATTACHMENTS_REFUSED",
            Self::AttachmentsFull => "ATTACHMENTS_FULL",
            Self::AttachmentsOfDay { .. } => "ATTACHMENTS_OF_DAY",
            Self::RequestsOfDay { .. } => "MESSAGE_REQUESTS_OF_DAY",
            Self::RequestsWaiting { .. } => "MESSAGE_REQUESTS_WAITING",
            Self::PicturesBusy => "PICTURES_BUSY",
            Self::NotificationNotFound => "NOTIFICATION_NOT_FOUND",
            Self::FormerMember => "FORMER_MEMBER",
            Self::RequestWaiting => "REQUEST_WAITING",
            Self::MessagesClosed | Self::GroupRefused => "MESSAGES_CLOSED",
            Self::NotGroupOwner => "NOT_GROUP_OWNER",
            Self::LeftGroup => "MEMBER_LEFT_GROUP",
            Self::GroupFull => "GROUP_FULL",
            Self::NotSender => "NOT_SENDER",
            Self::ChangeTooLate => "MESSAGE_CHANGE_TOO_LATE",
            Self::PushSubscriptionNotFound => "PUSH_SUBSCRIPTION_NOT_FOUND",
            Self::PushSubscriptionsFull => "PUSH_SUBSCRIPTIONS_FULL",
            Self::PushEndpointTaken => "PUSH_ENDPOINT_TAKEN",
            Self::SessionEnded => "SESSION_ENDED",
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

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::PicturesBusy => Some(Duration::from_secs(1)),
            Self::AttachmentsOfDay { retry_after }
            | Self::RequestsOfDay { retry_after }
            | Self::RequestsWaiting { retry_after } => Some(*retry_after),
            _ => None,
        }
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Invalid(violation.into())
    }
}

impl From<idempotency::Error> for Error {
    fn from(error: idempotency::Error) -> Self {
        match error {
            idempotency::Error::KeyReused => Self::KeyReused,
            idempotency::Error::Database(error) => error.into(),
        }
    }
}

impl From<picture_store::Error> for Error {
    fn from(error: picture_store::Error) -> Self {
        match error {
            picture_store::Error::NotAPicture | picture_store::Error::TooLarge => {
                Violation::new("picture", error.to_string()).into()
            }
            picture_store::Error::Busy | picture_store::Error::Unavailable(_) => Self::PicturesBusy,
        }
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
