//! Members: profile and connections.

use axum::extract::State;
use http::Uri;
use portia_proto::{feed::GetPostStatsRequest, profile::GetMemberRequest, social_graph::ListConnectionsRequest};
use tonic::Status;

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::edge::upstreams::{FeedClient, ProfileClient, SocialGraphClient};
use crate::{
    api::{
        connections::views::Connection,
        members::{
            bodies::{OwnParts, ProfileBodies},
            views::{ProfileStats, ProfileView},
        },
        onboarding::communities,
    },
    edge::{
        answer::{ApiResponse, JsonText},
        authentication::{Caller, Member},
        extract::{Id, Paging, Params},
        problem::Problem,
    },
};

/// Returns the profile of a member.
#[utoipa::path(get, path = "/api/users/{id}/profile", operation_id = "getProfile", tag = "users",
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200,
        description = "The profile. Contains `stats` and `onboarding` only for the member themselves.", body = ProfileView)))]
pub async fn profile(
    State(bodies): State<ProfileBodies>,
    State(mut profile): State<ProfileClient>,
    State(mut feed): State<FeedClient>,
    State(graph): State<SocialGraphClient>,
    caller: Caller,
    id: Id<OfUser>,
) -> Result<ApiResponse<JsonText>, Problem> {
    let known = bodies.known(id.0);
    let fetched = async {
        let (member_id, known_version) = (id.0.to_string(), known.version());
        let request = caller.call.request(GetMemberRequest { member_id, known_version, ..Default::default() })?;
        let mut answer = profile.get_member(request).await?.into_inner();
        let mut degraded = None;
        if let Some(onboarding) = answer.onboarding.take() {
            let completed = communities::complete(onboarding, graph, &caller.call).await;
            (answer.onboarding, degraded) = (Some(completed.0), completed.1);
        }
        Ok::<_, Status>((answer, degraded))
    };
    let counted = async {
        let request = caller.call.request(GetPostStatsRequest {})?;
        feed.get_post_stats(request).await
    };
    // Feed concurrently with profile; social-graph after profile, whose answer says whether its step is done. Only the own profile
    // contains the counters of feed.
    let is_own = caller.member == Some(id.0);
    let (answer, counted) = tokio::join!(fetched, async { if is_own { Some(counted.await) } else { None } });
    let (answer, without_communities) = answer?;
    let (stats, without_counters) = match counted {
        Some(Ok(posts)) => {
            let impressions = posts.into_inner().impressions;
            (answer.stats.map(|stats| ProfileStats::of(&stats, impressions)), None)
        }
        Some(Err(status)) => {
            tracing::warn!(code = ?status.code(), "counters are missing from a profile");
            (None, Some("feed"))
        }
        None => (None, None),
    };
    let own = OwnParts { endorsed: &answer.endorsed_skills, onboarding: answer.onboarding.map(Into::into), stats };
    let json = bodies.json(id.0, known, answer.member, answer.version, own)?;
    let missing: Vec<_> = without_counters.into_iter().chain(without_communities).collect();
    Ok(ApiResponse::ok(JsonText(json)).degraded_by(&missing))
}

/// Lists the connections of the signed-in member, newest first.
#[utoipa::path(get, path = "/api/users/{id}/connections", operation_id = "listConnections", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member."), Paging),
    responses((status = 200, body = [Connection],
        description = "Connections with `connectedUser`. `Link` contains the URL of the next page, `X-Total-Count` the number of \
                       connections.")))]
pub async fn connections(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    id: Id<OfUser>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Connection>>, Problem> {
    member.require_owner(id.0)?;
    let me = id.0.to_string();
    let request = ListConnectionsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_connections(member.call.request(request)?).await?.into_inner();
    let others = page.connections.iter().map(|connection| Connection::other(connection, &me));
    let people = members.cards(&member.call, others).await;
    let connections = page.connections.into_iter().map(|c| Connection::connected(c, &me, &people)).collect();
    let answer = ApiResponse::ok(connections).next_page(&uri, &page.next_page_token).total(page.total);
    Ok(answer.degraded(people.degraded()))
}
