//! Connections as they come and go: asked for, answered, withdrawn or removed.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::social_graph::{
    AnswerConnectionRequest, ConnectionStatus as Wire, RemoveConnectionRequest, RequestConnectionRequest,
};

use crate::{
    Gateway,
    answer::Answer,
    extract::{Body, Id, OfConnection},
    identity::Member,
    limits::Bucket,
    problem::Problem,
    views::graph::{AnswerConnection, Connection, ConnectionAnswer, ConnectionStatus, RequestConnection},
};

/// Asks a member to connect. While their own request is pending, it accepts that one.
#[utoipa::path(post, path = "/api/connections", operation_id = "requestConnection", tag = "connections",
    request_body = RequestConnection,
    security(("session" = [])),
    responses((status = 201, description = "Asked, or connected because the other had asked.", body = Connection),
        (status = 200, description = "Asked before, and still pending.", body = Connection)))]
pub async fn request(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    Body(body): Body<RequestConnection>,
) -> Result<Answer<Connection>, Problem> {
    member.must_be(body.requester_id.as_deref())?;
    if !matches!(body.status, None | Some(ConnectionStatus::Pending)) {
        return Err(Problem::field("status", "This must be one of: pending."));
    }
    member.limit(&gateway, Bucket::ConnectionRequests).await?;
    let request = RequestConnectionRequest { member_id: body.recipient_id };
    let answer = gateway.services.graph().request_connection(member.call.request(request)?).await;
    let answer = answer.map_err(|status| Problem::from(status).renamed("memberId", "recipientId"))?.into_inner();
    let connection = Connection::from(answer.connection.ok_or(Problem::our_fault())?);
    Ok(if answer.changed { Answer::created(connection) } else { Answer::ok(connection) })
}

/// Answers a request to connect with me. The same answer again changes nothing.
#[utoipa::path(patch, path = "/api/connections/{id}", operation_id = "answerConnection", tag = "connections",
    request_body = AnswerConnection,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The connection's id.")),
    responses((status = 200, description = "Where the two stand now.", body = Connection)))]
pub async fn answer(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConnection>,
    Body(body): Body<AnswerConnection>,
) -> Result<Answer<Connection>, Problem> {
    let status = match body.status {
        ConnectionAnswer::Accepted => Wire::Accepted,
        ConnectionAnswer::Rejected => Wire::Rejected,
    };
    let request = AnswerConnectionRequest { connection_id: id.0.to_string(), status: status.into() };
    let answer = gateway.services.graph().answer_connection(member.call.request(request)?).await?.into_inner();
    answer.connection.map(|connection| Answer::ok(connection.into())).ok_or(Problem::our_fault())
}

/// Withdraws my request, or removes a connection of mine.
#[utoipa::path(delete, path = "/api/connections/{id}", operation_id = "removeConnection", tag = "connections",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The connection's id.")),
    responses((status = 204, description = "The two are not connected.")))]
pub async fn remove(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfConnection>,
) -> Result<StatusCode, Problem> {
    let request = RemoveConnectionRequest { connection_id: id.0.to_string() };
    gateway.services.graph().remove_connection(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
