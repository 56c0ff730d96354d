//! Members: the profile, and what only its owner may see.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::{
    profile::GetMemberRequest,
    social_graph::{ListConnectionsRequest, ListSuggestionsRequest},
};

use crate::{
    Gateway,
    answer::Answer,
    extract::{Id, OfUser, Params},
    identity::{Caller, Member},
    problem::Problem,
    routes::Paging,
    views::{
        graph::{Connection, Suggestion},
        member::{ProfileView, User},
    },
};

/// A member's profile.
#[utoipa::path(get, path = "/api/users/{id}/profile", operation_id = "getProfile", tag = "users",
    params(("id" = Uuid, Path, description = "The member's id.")),
    responses((status = 200, description = "The member.", body = ProfileView)))]
pub async fn profile(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    id: Id<OfUser>,
) -> Result<Answer<ProfileView>, Problem> {
    let request = GetMemberRequest { member_id: id.0.to_string() };
    let answer = gateway.services.profile().get_member(caller.call.request(request)?).await?.into_inner();
    let user = User::from(answer.member.ok_or(Problem::our_fault())?);
    Ok(Answer::ok(user.into()))
}

/// My connections, newest first.
#[utoipa::path(get, path = "/api/users/{id}/connections", operation_id = "listConnections", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The signed-in member's id."), Paging),
    responses((status = 200, description = "Each with `connectedUser`. `Link` names the next page.",
        body = [Connection])))]
pub async fn connections(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Connection>>, Problem> {
    let me = id.0.to_string();
    member.must_be(Some(&me))?;
    let request = ListConnectionsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.services.graph().list_connections(member.call.request(request)?).await?.into_inner();
    let others = page.connections.iter().map(|connection| Connection::other(connection, &me));
    let people = gateway.people.people(&member.call, others).await;
    let connections = page.connections.into_iter().map(|c| Connection::connected(c, &me, &people)).collect();
    Ok(Answer::ok(connections).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// People I may know, best first.
#[utoipa::path(get, path = "/api/users/{id}/suggestions", operation_id = "listSuggestions", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The signed-in member's id.")),
    responses((status = 200, description = "At most 20.", body = [Suggestion])))]
pub async fn suggestions(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
) -> Result<Answer<Vec<Suggestion>>, Problem> {
    member.must_be(Some(&id.0.to_string()))?;
    let request = ListSuggestionsRequest { page_size: 0 };
    let answer = gateway.services.graph().list_suggestions(member.call.request(request)?).await?.into_inner();
    let people = gateway.people.people(&member.call, answer.suggestions.iter().map(|s| s.member_id.as_str())).await;
    let suggestions = answer.suggestions.iter().map(|suggestion| Suggestion::of(suggestion, &people)).collect();
    Ok(Answer::ok(suggestions).degraded(people.degraded()))
}
