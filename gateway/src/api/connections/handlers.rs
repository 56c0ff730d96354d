//! Connections: find, request and answer; blocks and follows.

use std::sync::Arc;

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{
    AnswerConnectionRequest, BlockMemberRequest, ConnectionStatus as StatusMessage, FindConnectionRequest,
    FollowMemberRequest, ListPendingRequestsRequest, RequestConnectionRequest,
};
use primitives::ids;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::{OfConnection, OfUser};
use crate::api::members::{cache::MemberCache, namesakes::ConnectionNames};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::{
        connections::views::{AnswerConnection, Connection, ConnectionAnswer, ConnectionStatus, RequestConnection},
        messaging::conversations,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, Params, unless_empty},
        problem::Problem,
    },
};

/// The query of `findConnections`: the connection between two members, or the pending requests to the caller.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FindConnectionsQuery {
    /// One of the two members. Absent when listing requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    requester_id: Option<String>,
    /// The other member. The signed-in member when listing requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    recipient_id: Option<String>,
    /// `pending` to list requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    status: Option<ConnectionStatus>,
    /// The cursor of the next page of requests, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of requests per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Finds the connection between two members, or lists the pending requests to the signed-in member.
#[utoipa::path(get, path = "/api/connections", operation_id = "findConnections", tag = "connections",
    security(("session" = [])),
    params(FindConnectionsQuery),
    responses((status = 200,
        description = "The connection, if any; or a page of requests with `user`, the URL of the next page in \
                       `Link` and the number of requests in `X-Total-Count`.",
        body = [Connection])))]
pub async fn find(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(query): Params<FindConnectionsQuery>,
) -> Result<ApiResponse<Vec<Connection>>, Problem> {
    match (&query.requester_id, &query.recipient_id, query.status) {
        (Some(requester), Some(recipient), _) => between(&gateway, &member, requester, recipient).await,
        (None, Some(recipient), Some(ConnectionStatus::Pending)) => {
            member.require_self(Some(recipient))?;
            pending(&gateway, &member, &uri, &query).await
        }
        (None, None, _) => Err(Problem::field("recipientId", "Required")),
        (Some(_), None, _) => Err(Problem::field("recipientId", "Required")),
        (None, Some(_), _) => Err(Problem::field("requesterId", "Required unless the status asked for is pending.")),
    }
}

async fn between(
    gateway: &Gateway,
    member: &Member,
    requester: &str,
    recipient: &str,
) -> Result<ApiResponse<Vec<Connection>>, Problem> {
    let other = if member.require_self(Some(requester)).is_ok() {
        recipient
    } else {
        member.require_self(Some(recipient))?;
        requester
    };
    let request = FindConnectionRequest { member_id: other.to_owned() };
    let found = gateway.clients.graph().find_connection(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(found.connection.into_iter().map(Connection::from).collect()))
}

async fn pending(
    gateway: &Gateway,
    member: &Member,
    uri: &Uri,
    query: &FindConnectionsQuery,
) -> Result<ApiResponse<Vec<Connection>>, Problem> {
    let request = ListPendingRequestsRequest { page_size: query.limit, page_token: query.cursor.clone() };
    let page = gateway.clients.graph().list_pending_requests(member.call.request(request)?).await?.into_inner();
    let requesters = || page.connections.iter().map(|connection| connection.requester_id.as_str());
    let ids = requesters().map(str::to_owned).collect();
    let (people, names) = tokio::join!(
        gateway.members.cards(&member.call, requesters()),
        ConnectionNames::of(&gateway.clients, &gateway.members, &member.call, ids),
    );
    let requests = page.connections.into_iter().map(|c| Connection::requested(c, &people, &names)).collect();
    let answer = ApiResponse::ok(requests).next_page(uri, &page.next_page_token).total(page.total);
    Ok(answer.degraded(people.degraded().or(names.degraded())))
}

/// Requests a connection with a member. Accepts their pending request if there is one.
#[utoipa::path(post, path = "/api/connections", operation_id = "requestConnection", tag = "connections",
    request_body = RequestConnection,
    security(("session" = [])),
    responses((status = 201, description = "The new request, or the accepted connection.", body = Connection),
        (status = 200, description = "The earlier request, which is still pending.", body = Connection)))]
pub async fn request(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    Body(body): Body<RequestConnection>,
) -> Result<ApiResponse<Connection>, Problem> {
    member.require_self(body.requester_id.as_deref())?;
    if !matches!(body.status, None | Some(ConnectionStatus::Pending)) {
        return Err(Problem::field("status", "This must be one of: pending."));
    }
    member.limit(&limits, rate_limits::CONNECTION_REQUESTS).await?;
    let recipient = ids::parse("recipientId", &body.recipient_id)?;
    members.ensure_exists(&member.call, recipient).await?;
    let request = RequestConnectionRequest { member_id: recipient.to_string() };
    let answer = graph.request_connection(member.call.request(request)?).await;
    let answer = answer.map_err(|status| refusal(status.into()).renamed("memberId", "recipientId"))?.into_inner();
    let connection = Connection::from(answer.connection.ok_or(Problem::internal())?);
    Ok(if answer.changed { ApiResponse::created(connection) } else { ApiResponse::ok(connection) })
}

/// A member who blocks the caller gets the response of a member who does not exist.
fn refusal(problem: Problem) -> Problem {
    let missing = Problem::no_such_user();
    if problem.code == missing.code { missing } else { problem }
}

/// Accepts or rejects a connection request to the signed-in member. Accepting opens a conversation. Repeated requests have
/// no effect.
#[utoipa::path(patch, path = "/api/connections/{id}", operation_id = "answerConnection", tag = "connections",
    request_body = AnswerConnection,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the connection.")),
    responses((status = 200, description = "The connection with its new status.", body = Connection)))]
pub async fn answer(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConnection>,
    Body(body): Body<AnswerConnection>,
) -> Result<ApiResponse<Connection>, Problem> {
    let status = match body.status {
        ConnectionAnswer::Accepted => StatusMessage::Accepted,
        ConnectionAnswer::Rejected => StatusMessage::Rejected,
    };
    let request = AnswerConnectionRequest { connection_id: id.0.to_string(), status: status.into() };
    let answer = gateway.clients.graph().answer_connection(member.call.request(request)?).await?.into_inner();
    let connection = answer.connection.ok_or(Problem::internal())?;
    if status == StatusMessage::Accepted {
        conversations::open_for_connection(&gateway, &member, Connection::other(&connection, &member.id.to_string()))
            .await;
    }
    Ok(ApiResponse::ok(connection.into()))
}

/// Blocks a member and removes the connection with them. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/blocks/{memberId}", operation_id = "blockMember", tag = "blocks",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is blocked.")))]
pub async fn block(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    // The same response for an unknown id: it does not tell whether a member with this id, who may block the caller, exists.
    match members.ensure_exists(&member.call, id.0).await {
        Ok(_) => {}
        Err(problem) if problem.status == StatusCode::NOT_FOUND => return Ok(StatusCode::NO_CONTENT),
        Err(problem) => return Err(problem),
    }
    let request = BlockMemberRequest { member_id: id.0.to_string() };
    graph.block_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Follows a member, at most 2,000: their posts are in the following feed. The member is not notified. Repeated requests have
/// no effect.
#[utoipa::path(put, path = "/api/follows/{memberId}", operation_id = "followMember", tag = "follows",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is followed.")))]
pub async fn follow(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    members.ensure_exists(&member.call, id.0).await?;
    let request = FollowMemberRequest { member_id: id.0.to_string() };
    graph.follow_member(member.call.request(request)?).await.map_err(|status| refusal(status.into()))?;
    Ok(StatusCode::NO_CONTENT)
}
