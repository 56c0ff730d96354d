//! What can go wrong in social-graph, and what a caller is told about it.

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
    /// There is nobody to connect with: closed, or blocked by either side.
    #[error("Member not found")]
    MemberNotFound,
    /// There is no such connection, or it is none of the asker's.
    #[error("Connection not found")]
    ConnectionNotFound,
    /// The two are connected.
    #[error("You are already connected.")]
    AlreadyConnected,
    /// The other rejected a request less than 30 days ago.
    #[error("You can ask this member again 30 days after they ignored your request.")]
    AskedTooSoon,
    /// The other answer was given.
    #[error("This request has been answered already.")]
    AlreadyAnswered,
    /// A request is its recipient's to answer.
    #[error("Only the member who was asked can answer this request.")]
    NotRecipient,
    /// A request is its requester's to withdraw.
    #[error("Only the member who asked can withdraw this request.")]
    NotRequester,
    /// There is no such community.
    #[error("Community not found")]
    CommunityNotFound,
    /// Another community is called so.
    #[error("A community with this name exists already.")]
    CommunityNameTaken(Vec<Violation>),
    /// Its owners say what a community says of itself, and who is one of them.
    #[error("Only an owner of this community can do this.")]
    NotOwner,
    /// Nobody else whose account is open owns the community.
    #[error("A community needs an owner: make another member one first.")]
    LastOwner,
    /// There is no such event.
    #[error("Event not found")]
    EventNotFound,
    /// An event is its organiser's to change.
    #[error("Only the organiser of this event can do this.")]
    NotOrganiser,
    /// Nobody can come any more.
    #[error("This event is over.")]
    EventOver,
    /// An idempotency key came back with other words.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    /// The database refused, or is away.
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "social-graph";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::MemberNotFound | Self::ConnectionNotFound | Self::CommunityNotFound | Self::EventNotFound => {
                ErrorKind::NotFound
            }
            Self::AlreadyConnected
            | Self::AskedTooSoon
            | Self::AlreadyAnswered
            | Self::CommunityNameTaken(_)
            | Self::LastOwner
            | Self::EventOver => ErrorKind::Conflict,
            Self::NotRecipient | Self::NotRequester | Self::NotOwner | Self::NotOrganiser => ErrorKind::Forbidden,
            Self::KeyReused => ErrorKind::KeyReused,
            Self::Database(error) => error.kind(),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "INVALID",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::ConnectionNotFound => "CONNECTION_NOT_FOUND",
            Self::AlreadyConnected => "ALREADY_CONNECTED",
            Self::AskedTooSoon => "ASKED_TOO_SOON",
            Self::AlreadyAnswered => "ALREADY_ANSWERED",
            Self::NotRecipient => "NOT_RECIPIENT",
            Self::NotRequester => "NOT_REQUESTER",
            Self::CommunityNotFound => "COMMUNITY_NOT_FOUND",
            Self::CommunityNameTaken(_) => "COMMUNITY_NAME_TAKEN",
            Self::NotOwner => "NOT_OWNER",
            Self::LastOwner => "LAST_OWNER",
            Self::EventNotFound => "EVENT_NOT_FOUND",
            Self::NotOrganiser => "NOT_ORGANISER",
            Self::EventOver => "EVENT_OVER",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations)) | Self::CommunityNameTaken(violations) => violations,
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
        let error = db::Error::from(error);
        match error.constraint() {
            Some("communities_name_key_key") => {
                Self::CommunityNameTaken(vec![Violation::new("name", "A community with this name exists already.")])
            }
            _ => Self::Database(error),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        to_status(&error)
    }
}
