//! Messages to what the features take, and back; the only place that checks shape.

mod communities;
mod events;

use portia_proto::social_graph as wire;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Cursor, PageSize},
};
use uuid::Uuid;

pub use communities::{Appointed, BrowseMembers, Reworded, community_id, looked_for};
pub use events::{BrowseAttendees, Changed, event_id, event_ids};

use crate::{
    blocks::{Block, Latest},
    communities::Largest,
    connections::{Connection, Newest, Status, steps::Answer},
    error::Error,
    events::Soonest,
    idempotency::Key,
    suggestions::{Reason, Suggestion},
};

/// Things asked for at once, at most.
const BATCH: usize = 100;

/// A page of a list: how many rows, and after which.
pub struct Browse<C> {
    pub size: PageSize,
    pub after: C,
}

pub type BrowseConnections = Browse<Newest>;
pub type BrowseCommunities = Browse<Largest>;
pub type BrowseEvents = Browse<Soonest>;
pub type BrowseBlocks = Browse<Latest>;

impl<C: Cursor> Browse<C> {
    fn parse(page_size: i32, page_token: &str, first: C) -> Result<Self, Error> {
        let size = PageSize::parse(page_size)?;
        let after = C::from_token(page_token)?.unwrap_or(first);
        Ok(Self { size, after })
    }
}

impl TryFrom<wire::ListConnectionsRequest> for BrowseConnections {
    type Error = Error;

    fn try_from(request: wire::ListConnectionsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Newest::FIRST)
    }
}

impl TryFrom<wire::ListPendingRequestsRequest> for BrowseConnections {
    type Error = Error;

    fn try_from(request: wire::ListPendingRequestsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Newest::FIRST)
    }
}

impl TryFrom<wire::ListBlocksRequest> for BrowseBlocks {
    type Error = Error;

    fn try_from(request: wire::ListBlocksRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Latest::FIRST)
    }
}

/// A key to tell a repeated request by.
fn key(raw: Option<&str>) -> Result<Option<Key>, Violation> {
    raw.map(|raw| Key::parse("idempotencyKey", raw, 1, "This must not be empty.")).transpose()
}

/// The other member of a pair.
pub struct Other(pub Uuid);

impl Other {
    /// Somebody else than `member`: with oneself there is nothing to do.
    pub fn than(member: Uuid, raw: &str) -> Result<Uuid, Error> {
        let other = ids::parse("memberId", raw)?;
        if other == member {
            return Err(Violation::new("memberId", "This must be another member than you.").into());
        }
        Ok(other)
    }
}

/// Which other members.
pub fn member_ids(request: &wire::BatchFindConnectionsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("memberIds", &request.member_ids, BATCH)?)
}

/// Which connection.
pub fn connection_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("connectionId", raw)?)
}

/// A request, and the answer to it.
pub struct Answered {
    pub connection: Uuid,
    pub answer: Answer,
}

impl TryFrom<wire::AnswerConnectionRequest> for Answered {
    type Error = Error;

    fn try_from(request: wire::AnswerConnectionRequest) -> Result<Self, Error> {
        let answer = match request.status() {
            wire::ConnectionStatus::Accepted => Answer::Accept,
            wire::ConnectionStatus::Rejected => Answer::Reject,
            wire::ConnectionStatus::Pending | wire::ConnectionStatus::Unspecified => {
                return Err(Violation::new("status", "This must be accepted or rejected.").into());
            }
        };
        Ok(Self { connection: connection_id(&request.connection_id)?, answer })
    }
}

impl TryFrom<wire::FindConnectionRequest> for Other {
    type Error = Error;

    fn try_from(request: wire::FindConnectionRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

impl TryFrom<wire::UnblockMemberRequest> for Other {
    type Error = Error;

    fn try_from(request: wire::UnblockMemberRequest) -> Result<Self, Error> {
        Ok(Self(ids::parse("memberId", &request.member_id)?))
    }
}

/// How many suggestions.
pub struct Suggest(pub PageSize);

impl TryFrom<wire::ListSuggestionsRequest> for Suggest {
    type Error = Error;

    fn try_from(request: wire::ListSuggestionsRequest) -> Result<Self, Error> {
        Ok(Self(PageSize::parse(request.page_size)?))
    }
}

impl From<Status> for wire::ConnectionStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::Accepted => Self::Accepted,
            Status::Rejected => Self::Rejected,
        }
    }
}

impl From<Connection> for wire::Connection {
    fn from(connection: Connection) -> Self {
        Self {
            id: connection.id.to_string(),
            requester_id: connection.requester_id.to_string(),
            recipient_id: connection.recipient_id.to_string(),
            status: wire::ConnectionStatus::from(connection.status).into(),
            created_at: Some(timestamp(connection.requested_at)),
        }
    }
}

impl From<Suggestion> for wire::Suggestion {
    fn from(suggestion: Suggestion) -> Self {
        let reason = match suggestion.reason {
            Reason::Mutual => wire::SuggestionReason::MutualConnections,
            Reason::School => wire::SuggestionReason::School,
            Reason::Location => wire::SuggestionReason::Location,
            Reason::Active => wire::SuggestionReason::Active,
        };
        Self {
            member_id: suggestion.member_id.to_string(),
            mutual_connections: suggestion.mutual_connections,
            reason: reason.into(),
        }
    }
}

impl From<Block> for wire::Block {
    fn from(block: Block) -> Self {
        Self { member_id: block.blocked_id.to_string(), created_at: Some(timestamp(block.blocked_at)) }
    }
}
