//! Conversion between proto messages and domain types; the only place that validates the shape of requests.

mod communities;
mod community_admission;
mod community_moderation;
mod events;

use idempotency::RequestKey;
use portia_proto::social_graph as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor, PageSize},
};
use uuid::Uuid;

pub use communities::{community_id, community_ids, search_query};
pub use events::{event_id, event_ids};

use crate::{
    blocks::{Block, BlockCursor, ListBlocks},
    connections::{
        Connection, ConnectionCursor, ListConnections, Status,
        suggestions::{Reason, Suggestion},
        transitions::{Answer, AnswerConnection},
    },
    error::Error,
    follows::{Follow, FollowCursor, ListFollows},
    paging::PageRequest,
};

/// The most ids in one batch request.
const MAX_BATCH: usize = 100;

/// A request with an optional idempotency key.
pub struct IdempotentRequest<T> {
    pub body: T,
    pub key: Option<RequestKey>,
}

impl<C: Cursor> PageRequest<C> {
    fn parse(page_size: i32, page_token: &str, first: C) -> Result<Self, Error> {
        let size = PageSize::parse(page_size)?;
        let after = C::from_token(page_token)?.unwrap_or(first);
        Ok(Self { size, after })
    }
}

impl TryFrom<pb::ListConnectionsRequest> for ListConnections {
    type Error = Error;

    fn try_from(request: pb::ListConnectionsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, ConnectionCursor::FIRST)
    }
}

impl TryFrom<pb::ListPendingRequestsRequest> for ListConnections {
    type Error = Error;

    fn try_from(request: pb::ListPendingRequestsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, ConnectionCursor::FIRST)
    }
}

impl TryFrom<pb::ListBlocksRequest> for ListBlocks {
    type Error = Error;

    fn try_from(request: pb::ListBlocksRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, BlockCursor::FIRST)
    }
}

impl TryFrom<pb::ListFollowsRequest> for ListFollows {
    type Error = Error;

    fn try_from(request: pb::ListFollowsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, FollowCursor::FIRST)
    }
}

/// The other member of a pair.
pub struct OtherMember(pub Uuid);

impl OtherMember {
    /// Parses the id of a member other than `member`.
    pub fn than(member: Uuid, raw: &str) -> Result<Uuid, Error> {
        let other = ids::parse("memberId", raw)?;
        if other == member {
            return Err(Violation::new("memberId", "This must be another member than you.").into());
        }
        Ok(other)
    }
}

pub fn member_ids(request: &pb::BatchFindConnectionsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("memberIds", &request.member_ids, MAX_BATCH)?)
}

pub fn connection_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("connectionId", raw)?)
}

impl TryFrom<pb::AnswerConnectionRequest> for AnswerConnection {
    type Error = Error;

    fn try_from(request: pb::AnswerConnectionRequest) -> Result<Self, Error> {
        let answer = match request.status() {
            pb::ConnectionStatus::Accepted => Answer::Accept,
            pb::ConnectionStatus::Rejected => Answer::Reject,
            pb::ConnectionStatus::Pending | pb::ConnectionStatus::Unspecified => {
                return Err(Violation::new("status", "This must be accepted or rejected.").into());
            }
        };
        Ok(Self { connection: connection_id(&request.connection_id)?, answer })
    }
}

impl TryFrom<pb::FindConnectionRequest> for OtherMember {
    type Error = Error;

    fn try_from(request: pb::FindConnectionRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

impl TryFrom<pb::UnblockMemberRequest> for OtherMember {
    type Error = Error;

    fn try_from(request: pb::UnblockMemberRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

impl TryFrom<pb::UnfollowMemberRequest> for OtherMember {
    type Error = Error;

    fn try_from(request: pb::UnfollowMemberRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

impl TryFrom<pb::GetFollowRequest> for OtherMember {
    type Error = Error;

    fn try_from(request: pb::GetFollowRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

pub struct ListSuggestions(pub PageSize);

impl TryFrom<pb::ListSuggestionsRequest> for ListSuggestions {
    type Error = Error;

    fn try_from(request: pb::ListSuggestionsRequest) -> Result<Self, Error> {
        Ok(Self(PageSize::parse(request.page_size)?))
    }
}

impl From<Status> for pb::ConnectionStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Accepted => Self::Accepted,
            Status::Rejected => Self::Rejected,
        }
    }
}

impl From<Connection> for pb::Connection {
    fn from(connection: Connection) -> Self {
        Self {
            id: connection.id.to_string(),
            requester_id: connection.requester_id.to_string(),
            recipient_id: connection.recipient_id.to_string(),
            status: pb::ConnectionStatus::from(connection.status).into(),
            created_at: Some(timestamp(connection.requested_at)),
        }
    }
}

impl From<Suggestion> for pb::Suggestion {
    fn from(suggestion: Suggestion) -> Self {
        let reason = match suggestion.reason {
            Reason::Mutual => pb::SuggestionReason::MutualConnections,
            Reason::School => pb::SuggestionReason::School,
            Reason::Location => pb::SuggestionReason::Location,
            Reason::Active => pb::SuggestionReason::Active,
        };
        Self {
            member_id: suggestion.member_id.to_string(),
            mutual_connections: suggestion.mutual_connections,
            reason: reason.into(),
        }
    }
}

impl From<Block> for pb::Block {
    fn from(block: Block) -> Self {
        Self { member_id: block.blocked_id.to_string(), created_at: Some(timestamp(block.blocked_at)) }
    }
}

impl From<Follow> for pb::Follow {
    fn from(follow: Follow) -> Self {
        Self { member_id: follow.followed_id.to_string(), created_at: Some(timestamp(follow.followed_at)) }
    }
}
