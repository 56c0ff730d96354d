//! Connection lookups, communities and events.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::social_graph::{
    FindConnectionRequest, ListCommunitiesRequest, ListEventsRequest, ListPendingRequestsRequest,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    Gateway,
    answer::Answer,
    extract::{Params, unless_empty},
    identity::{Caller, Member},
    problem::Problem,
    routes::Paging,
    views::graph::{Community, Connection, ConnectionStatus, Event},
};

/// Which connections: those between two members, one of them me; or the requests that wait for my answer.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Between {
    /// One of the two; left out when asking for requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    requester_id: Option<String>,
    /// The other; me when asking for requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    recipient_id: Option<String>,
    /// `pending` when asking for requests.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    status: Option<ConnectionStatus>,
    /// Where the last page of requests ended, from its `Link` header.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// Requests a page, at most 100; 20 when left out.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Looks up a connection in either direction, or the requests that wait for me.
#[utoipa::path(get, path = "/api/connections", operation_id = "findConnections", tag = "connections",
    security(("session" = [])),
    params(Between),
    responses((status = 200,
        description = "None or one when looking up; else each with `user`, `Link` names the next page, and \
                       `X-Total-Count` says how many wait.",
        body = [Connection])))]
pub async fn connections(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(asked): Params<Between>,
) -> Result<Answer<Vec<Connection>>, Problem> {
    match (&asked.requester_id, &asked.recipient_id, asked.status) {
        (Some(requester), Some(recipient), _) => between(&gateway, &member, requester, recipient).await,
        (None, Some(recipient), Some(ConnectionStatus::Pending)) => {
            member.must_be(Some(recipient))?;
            pending(&gateway, &member, &uri, &asked).await
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
) -> Result<Answer<Vec<Connection>>, Problem> {
    let other = if member.must_be(Some(requester)).is_ok() {
        recipient
    } else {
        member.must_be(Some(recipient))?;
        requester
    };
    let request = FindConnectionRequest { member_id: other.to_owned() };
    let found = gateway.services.graph().find_connection(member.call.request(request)?).await?.into_inner();
    Ok(Answer::ok(found.connection.into_iter().map(Connection::from).collect()))
}

async fn pending(
    gateway: &Gateway,
    member: &Member,
    uri: &Uri,
    asked: &Between,
) -> Result<Answer<Vec<Connection>>, Problem> {
    let request = ListPendingRequestsRequest { page_size: asked.limit, page_token: asked.cursor.clone() };
    let page = gateway.services.graph().list_pending_requests(member.call.request(request)?).await?.into_inner();
    let people = gateway.people.people(&member.call, page.connections.iter().map(|c| c.requester_id.as_str())).await;
    let requests = page.connections.into_iter().map(|c| Connection::requested(c, &people)).collect();
    let answer = Answer::ok(requests).next_page(uri, &page.next_page_token).total(page.total);
    Ok(answer.degraded(people.degraded()))
}

/// Communities, largest first. A side card: without its service it is empty.
#[utoipa::path(get, path = "/api/communities", operation_id = "listCommunities", tag = "communities",
    params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [Community])))]
pub async fn communities(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Community>>, Problem> {
    let request = ListCommunitiesRequest { page_size: paging.limit, page_token: paging.cursor };
    match gateway.services.graph().list_communities(caller.call.request(request)?).await.map_err(Problem::from) {
        Ok(page) => {
            let page = page.into_inner();
            let communities = page.communities.into_iter().map(Community::from).collect();
            Ok(Answer::ok(communities).next_page(&uri, &page.next_page_token))
        }
        Err(problem) if problem.is_outage() => Ok(Answer::ok(Vec::new()).degraded(Some("social-graph"))),
        Err(problem) => Err(problem),
    }
}

/// Events that have not ended, soonest first. A side card: without its service it is empty.
#[utoipa::path(get, path = "/api/events", operation_id = "listEvents", tag = "events", params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [Event])))]
pub async fn events(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Event>>, Problem> {
    let request = ListEventsRequest { page_size: paging.limit, page_token: paging.cursor };
    match gateway.services.graph().list_events(caller.call.request(request)?).await.map_err(Problem::from) {
        Ok(page) => {
            let page = page.into_inner();
            let attendees = page.events.iter().flat_map(|event| &event.attendees).map(|a| a.member_id.as_str());
            let people = gateway.people.people(&caller.call, attendees).await;
            let events = page.events.into_iter().map(|event| Event::of(event, &people)).collect();
            Ok(Answer::ok(events).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
        }
        Err(problem) if problem.is_outage() => Ok(Answer::ok(Vec::new()).degraded(Some("social-graph"))),
        Err(problem) => Err(problem),
    }
}
