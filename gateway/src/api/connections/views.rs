//! Connections, suggestions, and members one blocks.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{api::members::views::Author, edge::timestamps::required_moment};

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionStatus {
    /// Asked, not answered.
    Pending,
    /// Connected.
    Accepted,
    /// Refused.
    Rejected,
}

impl From<wire::ConnectionStatus> for ConnectionStatus {
    fn from(status: wire::ConnectionStatus) -> Self {
        match status {
            wire::ConnectionStatus::Accepted => Self::Accepted,
            wire::ConnectionStatus::Rejected => Self::Rejected,
            wire::ConnectionStatus::Pending | wire::ConnectionStatus::Unspecified => Self::Pending,
        }
    }
}

/// Two members and where they stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// Who asked.
    #[schema(format = Uuid)]
    pub requester_id: String,
    /// Who was asked.
    #[schema(format = Uuid)]
    pub recipient_id: String,
    /// Where it stands.
    pub status: ConnectionStatus,
    /// When it was asked.
    pub created_at: DateTime<Utc>,
    /// The other of the two: in the list of one's connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub connected_user: Option<Author>,
    /// Who asked: in the list of requests that wait for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user: Option<Author>,
}

impl Connection {
    /// The other of the two.
    pub fn other<'a>(connection: &'a wire::Connection, me: &str) -> &'a str {
        if connection.requester_id == me { &connection.recipient_id } else { &connection.requester_id }
    }

    /// With the other of the two.
    pub fn connected(connection: wire::Connection, me: &str, people: &MemberCards) -> Self {
        let connected_user = Some(people.author(Self::other(&connection, me)));
        Self { connected_user, ..Self::from(connection) }
    }

    /// With who asked.
    pub fn requested(connection: wire::Connection, people: &MemberCards) -> Self {
        let user = Some(people.author(&connection.requester_id));
        Self { user, ..Self::from(connection) }
    }
}

impl From<wire::Connection> for Connection {
    fn from(connection: wire::Connection) -> Self {
        Self {
            status: connection.status().into(),
            id: connection.id,
            requester_id: connection.requester_id,
            recipient_id: connection.recipient_id,
            created_at: required_moment(connection.created_at),
            connected_user: None,
            user: None,
        }
    }
}

/// Asks to connect.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestConnection {
    /// The signed-in member, or left out; anybody else is refused.
    #[schema(format = Uuid, nullable = false)]
    pub requester_id: Option<String>,
    /// Whom to ask.
    #[schema(format = Uuid)]
    pub recipient_id: String,
    /// `pending`, or left out.
    #[schema(nullable = false)]
    pub status: Option<ConnectionStatus>,
}

/// Answers a request to connect.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerConnection {
    /// The answer.
    pub status: ConnectionAnswer,
}

/// What can be answered.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionAnswer {
    /// Connected from now on.
    Accepted,
    /// Refused.
    Rejected,
}

/// Somebody the asker may know.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// 'Portia member' when nothing else is known.
    pub full_name: String,
    /// What they say they are, in a line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The picture's address.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// How many connections both have.
    pub mutual_connections: i32,
    /// Why: the first that applies.
    pub reason: SuggestionReason,
}

impl Suggestion {
    /// A suggestion with the member's card.
    pub fn of(suggestion: &wire::Suggestion, people: &MemberCards) -> Self {
        let Author { id, full_name, headline, avatar_url } = people.author(&suggestion.member_id);
        let (mutual_connections, reason) = (suggestion.mutual_connections, suggestion.reason().into());
        Self { id, full_name, headline, avatar_url, mutual_connections, reason }
    }
}

/// Why somebody is suggested.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuggestionReason {
    /// Both are connected with the same members.
    MutualConnections,
    /// The same school.
    School,
    /// The same place.
    Location,
    /// They came or connected lately.
    Active,
}

impl From<wire::SuggestionReason> for SuggestionReason {
    fn from(reason: wire::SuggestionReason) -> Self {
        match reason {
            wire::SuggestionReason::MutualConnections => Self::MutualConnections,
            wire::SuggestionReason::School => Self::School,
            wire::SuggestionReason::Location => Self::Location,
            wire::SuggestionReason::Active | wire::SuggestionReason::Unspecified => Self::Active,
        }
    }
}

/// Somebody I block.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Who.
    pub user: Author,
    /// Since when.
    pub created_at: DateTime<Utc>,
}

impl Block {
    /// With the member.
    pub fn of(block: &wire::Block, people: &MemberCards) -> Self {
        Self { user: people.author(&block.member_id), created_at: required_moment(block.created_at) }
    }
}
