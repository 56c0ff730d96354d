//! Messages to what the features take, and back; the only place that checks shape.

use chassis::{
    clock::timestamp,
    ids,
    input::{Cursor, PageSize},
};
use portia_proto::social_graph as wire;
use uuid::Uuid;

use crate::{
    communities::{Community, Largest},
    connections::{Connection, Newest},
    error::Error,
    events::{Event, Soonest},
    suggestions::Suggestion,
};

/// What a status column holds for each status.
const STATUSES: [(wire::ConnectionStatus, &str); 3] = [
    (wire::ConnectionStatus::Pending, "pending"),
    (wire::ConnectionStatus::Accepted, "accepted"),
    (wire::ConnectionStatus::Rejected, "rejected"),
];

/// A page of a list: how many rows, and after which.
pub struct Browse<C> {
    pub size: PageSize,
    pub after: C,
}

pub type BrowseConnections = Browse<Newest>;
pub type BrowseCommunities = Browse<Largest>;
pub type BrowseEvents = Browse<Soonest>;

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

impl TryFrom<wire::ListCommunitiesRequest> for BrowseCommunities {
    type Error = Error;

    fn try_from(request: wire::ListCommunitiesRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Largest::FIRST)
    }
}

impl TryFrom<wire::ListEventsRequest> for BrowseEvents {
    type Error = Error;

    fn try_from(request: wire::ListEventsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Soonest::FIRST)
    }
}

/// The other member of a pair.
pub struct Other(pub Uuid);

impl TryFrom<wire::FindConnectionRequest> for Other {
    type Error = Error;

    fn try_from(request: wire::FindConnectionRequest) -> Result<Self, Error> {
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

impl From<Connection> for wire::Connection {
    fn from(connection: Connection) -> Self {
        let status = STATUSES
            .iter()
            .find(|(_, held)| *held == connection.status)
            .map_or(wire::ConnectionStatus::Unspecified, |(status, _)| *status);
        Self {
            id: connection.id.to_string(),
            requester_id: connection.requester_id.to_string(),
            recipient_id: connection.recipient_id.to_string(),
            status: status.into(),
            created_at: Some(timestamp(connection.requested_at)),
        }
    }
}

impl From<Suggestion> for wire::Suggestion {
    fn from(suggestion: Suggestion) -> Self {
        Self { member_id: suggestion.member_id.to_string(), mutual_connections: suggestion.mutual_connections }
    }
}

impl From<Community> for wire::Community {
    fn from(community: Community) -> Self {
        Self {
            id: community.id.to_string(),
            name: community.name,
            description: community.description,
            member_count: community.member_count,
        }
    }
}

impl From<Event> for wire::Event {
    fn from(event: Event) -> Self {
        let attendees = event
            .attendance_ids
            .iter()
            .zip(&event.attendee_ids)
            .map(|(id, member)| wire::Attendee { id: id.to_string(), member_id: member.to_string() })
            .collect();
        Self {
            id: event.id.to_string(),
            title: event.title,
            location: event.location,
            start_date: Some(timestamp(event.starts_at)),
            attendee_count: event.attendee_count,
            attendees,
        }
    }
}
