//! The errors of the service, their kinds and reasons.

use std::time::Duration;

use primitives::{
    error::{ErrorKind, ServiceError, Violation, to_status},
    input::InvalidRequest,
};
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidRequest),
    /// The account is closed, or one of the two blocks the other.
    #[error("Member not found")]
    MemberNotFound,
    /// No such connection, or the caller is not part of it.
    #[error("Connection not found")]
    ConnectionNotFound,
    #[error("You are already connected.")]
    AlreadyConnected,
    /// The recipient rejected a request less than 30 days ago.
    #[error("You can ask this member again 30 days after they ignored your request.")]
    AskedTooSoon,
    /// The daily allowance of requests is used up.
    #[error("You have asked as many members to connect as you can for now. You can ask more as members accept.")]
    RequestsOfDay { retry_after: Duration },
    /// The daily allowance of invitations to members who are no connections is used up.
    #[error("You have invited as many members as you can for now. You can invite your connections at any time.")]
    InvitationsOfDay { retry_after: Duration },
    /// Too many requests wait for an answer.
    #[error("Many of your requests are waiting for an answer. Withdraw some of them, or wait for the answers.")]
    RequestsWaiting { retry_after: Duration },
    /// The request has the other answer.
    #[error("This request has been answered already.")]
    AlreadyAnswered,
    /// Only the recipient answers a request.
    #[error("Only the member who was asked can answer this request.")]
    NotRecipient,
    /// Only the requester withdraws a request.
    #[error("Only the member who asked can withdraw this request.")]
    NotRequester,
    /// A member follows at most 2,000 others.
    #[error("You can follow up to 2,000 members")]
    TooManyFollowed,
    /// A new account has used up its daily allowance of follows.
    #[error("You have followed as many members as a new account can for now. You can follow more later.")]
    FollowsOfDay { retry_after: Duration },
    #[error("Community not found")]
    CommunityNotFound,
    #[error("A community with this name exists already.")]
    CommunityNameTaken(Vec<Violation>),
    /// Only an owner changes the texts and roles of a community.
    #[error("Only an owner of this community can do this.")]
    NotOwner,
    /// Only owners and moderators remove members and read the log.
    #[error("Only owners and moderators of this community can do this.")]
    NotModerator,
    /// An owner, or a moderator for another moderator.
    #[error("Owners cannot be removed, and moderators only by an owner.")]
    MemberProtected,
    /// Only a moderator becomes the next owner.
    #[error("A community passes to one of its moderators: make this member one first.")]
    NotAModerator,
    #[error("You cannot join this community, because its moderators have banned you.")]
    Banned,
    /// Members join this community by invitation.
    #[error("You can join this community by invitation only.")]
    NotInvited,
    /// A member has at most 50 requests to join.
    #[error("Many of your requests to join are waiting for an answer. Withdraw some of them, or wait for the answers.")]
    TooManyJoinRequests,
    /// The moderators declined a request less than 30 days ago.
    #[error("You can ask to join this community again 30 days after its moderators declined.")]
    RequestedTooSoon,
    /// No member with an open account made this request.
    #[error("This member does not ask to join.")]
    JoinRequestNotFound,
    #[error("This member is banned: end the ban first.")]
    MemberBanned,
    /// The member declined an invitation less than 30 days ago.
    #[error("You can invite this member again 30 days after they declined.")]
    InvitedTooSoon,
    /// A community has at most 100 invitations.
    #[error(
        "Many invitations of this community are waiting for an answer. Withdraw some of them, or wait for the answers."
    )]
    TooManyInvitations,
    /// A private community is joined by invitation.
    #[error("A private community is joined by invitation.")]
    PrivateJoining(Vec<Violation>),
    /// No other owner has an open account.
    #[error("A community needs an owner: make another member one first.")]
    LastOwner,
    #[error("Event not found")]
    EventNotFound,
    /// Only the organiser changes an event.
    #[error("Only the organiser of this event can do this.")]
    NotOrganiser,
    #[error("This event is over.")]
    EventOver,
    /// The idempotency key was used with another body.
    #[error("This request was sent before with other content. Use a new idempotency key.")]
    KeyReused,
    #[error(transparent)]
    Database(#[from] db::Error),
}

impl ServiceError for Error {
    const SERVICE: &'static str = "social-graph";

    fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::PrivateJoining(_) => ErrorKind::Invalid,
            Self::MemberNotFound
            | Self::ConnectionNotFound
            | Self::CommunityNotFound
            | Self::JoinRequestNotFound
            | Self::EventNotFound => ErrorKind::NotFound,
            Self::AlreadyConnected
            | Self::AskedTooSoon
            | Self::AlreadyAnswered
            | Self::TooManyFollowed
            | Self::CommunityNameTaken(_)
            | Self::LastOwner
            | Self::NotAModerator
            | Self::TooManyJoinRequests
            | Self::RequestedTooSoon
            | Self::MemberBanned
            | Self::InvitedTooSoon
            | Self::TooManyInvitations
            | Self::EventOver => ErrorKind::Conflict,
            Self::NotRecipient
            | Self::NotRequester
            | Self::NotOwner
            | Self::NotModerator
            | Self::MemberProtected
            | Self::Banned
            | Self::NotInvited
            | Self::NotOrganiser => ErrorKind::Forbidden,
            Self::RequestsOfDay { .. }
            | Self::InvitationsOfDay { .. }
            | Self::RequestsWaiting { .. }
            | Self::FollowsOfDay { .. } => ErrorKind::Limited,
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
            Self::RequestsOfDay { .. } => "CONNECTION_REQUESTS_OF_DAY",
            Self::InvitationsOfDay { .. } => "INVITATIONS_OF_DAY",
            Self::FollowsOfDay { .. } => "FOLLOWS_OF_DAY",
            Self::RequestsWaiting { .. } => "CONNECTION_REQUESTS_WAITING",
            Self::AlreadyAnswered => "ALREADY_ANSWERED",
            Self::NotRecipient => "NOT_RECIPIENT",
            Self::NotRequester => "NOT_REQUESTER",
            Self::TooManyFollowed => "TOO_MANY_FOLLOWED",
            Self::CommunityNotFound => "COMMUNITY_NOT_FOUND",
            Self::CommunityNameTaken(_) => "COMMUNITY_NAME_TAKEN",
            Self::NotOwner => "NOT_OWNER",
            Self::LastOwner => "LAST_OWNER",
            Self::NotModerator => "NOT_MODERATOR",
            Self::MemberProtected => "MEMBER_PROTECTED",
            Self::NotAModerator => "NOT_A_MODERATOR",
            Self::Banned => "BANNED",
            Self::NotInvited => "NOT_INVITED",
            Self::TooManyJoinRequests => "TOO_MANY_JOIN_REQUESTS",
            Self::RequestedTooSoon => "REQUESTED_TOO_SOON",
            Self::JoinRequestNotFound => "JOIN_REQUEST_NOT_FOUND",
            Self::MemberBanned => "MEMBER_BANNED",
            Self::InvitedTooSoon => "INVITED_TOO_SOON",
            Self::TooManyInvitations => "TOO_MANY_INVITATIONS",
            Self::PrivateJoining(_) => "INVALID",
            Self::EventNotFound => "EVENT_NOT_FOUND",
            Self::NotOrganiser => "NOT_ORGANISER",
            Self::EventOver => "EVENT_OVER",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Database(error) => error.reason(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(InvalidRequest(violations))
            | Self::CommunityNameTaken(violations)
            | Self::PrivateJoining(violations) => violations,
            _ => &[],
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RequestsOfDay { retry_after }
            | Self::InvitationsOfDay { retry_after }
            | Self::RequestsWaiting { retry_after }
            | Self::FollowsOfDay { retry_after } => Some(*retry_after),
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

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let error = db::Error::from(error);
        match error.constraint() {
            Some("communities_joining_check") => {
                Self::PrivateJoining(vec![Violation::new("joining", "A private community is joined by invitation.")])
            }
            Some("communities_public_name_key") => {
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
