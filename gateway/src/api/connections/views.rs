//! Connections, suggestions, blocks and follows.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::members::{cache::MemberCards, namesakes::ConnectionNames};
use crate::{api::members::views::Author, edge::timestamps::required_moment};

pub use crate::api::contract::social_graph::{Block, ConnectionStatus, Follow, SuggestionReason};

/// A connection between two members, or a request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The member who sent the request.
    #[schema(format = Uuid)]
    pub requester_id: String,
    /// The member who received the request.
    #[schema(format = Uuid)]
    pub recipient_id: String,
    /// The status.
    pub status: ConnectionStatus,
    /// The time of the request.
    pub created_at: DateTime<Utc>,
    /// The other member. Only in the list of connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub connected_user: Option<Author>,
    /// The requester. Only in the list of pending requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub user: Option<Author>,
    /// A connection of the caller with the same name as the requester. Only in the list of pending requests, and absent when there
    /// is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub same_name: Option<Author>,
}

impl Connection {
    /// The other member.
    pub fn other<'a>(connection: &'a pb::Connection, me: &str) -> &'a str {
        if connection.requester_id == me { &connection.recipient_id } else { &connection.requester_id }
    }

    /// A connection with the card of the other member.
    pub fn connected(connection: pb::Connection, me: &str, people: &MemberCards) -> Self {
        let connected_user = Some(people.author(Self::other(&connection, me)));
        Self { connected_user, ..Self::from(connection) }
    }

    /// A request with the card of the requester, and the connection with the same name.
    pub fn requested(connection: pb::Connection, people: &MemberCards, names: &ConnectionNames) -> Self {
        let user = Some(people.author(&connection.requester_id));
        let same_name = names.get(&connection.requester_id);
        Self { user, same_name, ..Self::from(connection) }
    }
}

impl From<pb::Connection> for Connection {
    fn from(connection: pb::Connection) -> Self {
        Self {
            status: connection.status().into(),
            id: connection.id,
            requester_id: connection.requester_id,
            recipient_id: connection.recipient_id,
            created_at: required_moment(connection.created_at),
            connected_user: None,
            user: None,
            same_name: None,
        }
    }
}

/// A connection request.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestConnection {
    /// The signed-in member. May be left out; any other id is refused with 403.
    #[schema(format = Uuid)]
    pub requester_id: Option<String>,
    /// The recipient of the request.
    #[schema(format = Uuid)]
    pub recipient_id: String,
    /// `pending`. May be left out.
    #[schema(inline, value_type = Option<NewConnectionStatus>)]
    pub status: Option<ConnectionStatus>,
}

/// The status of a new request.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only for the OpenAPI document")]
enum NewConnectionStatus {
    Pending,
}

/// The answer to a connection request.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerConnection {
    /// The answer.
    pub status: ConnectionAnswer,
}

/// The possible answers to a connection request.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConnectionAnswer {
    /// Accept the request.
    Accepted,
    /// Reject the request.
    Rejected,
}

/// A member that the caller may know.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The full name; 'Portia member' when it is unknown.
    pub full_name: String,
    /// The headline, in one line.
    #[schema(required)]
    pub headline: Option<String>,
    /// The URL of the picture.
    #[schema(required)]
    pub avatar_url: Option<String>,
    /// True for a member that Portia or the school has verified; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub verified: bool,
    /// The school that verified the member; absent when Portia did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub verified_school: Option<String>,
    /// The number of mutual connections.
    pub mutual_connections: i32,
    /// The first reason that applies.
    pub reason: SuggestionReason,
}

impl Suggestion {
    /// The ids of the members whose cards it contains.
    pub fn members(suggestion: &pb::Suggestion) -> impl Iterator<Item = &str> {
        std::iter::once(suggestion.member_id.as_str())
    }

    /// A suggestion with the card of the member.
    pub fn of(suggestion: pb::Suggestion, people: &MemberCards) -> Self {
        let Author { id, full_name, headline, avatar_url, verified, verified_school } =
            people.author(&suggestion.member_id);
        let (mutual_connections, reason) = (suggestion.mutual_connections, suggestion.reason().into());
        Self { id, full_name, headline, avatar_url, verified, verified_school, mutual_connections, reason }
    }
}
