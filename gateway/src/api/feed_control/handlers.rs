//! Hidden posts and mutes.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::{
    feed::{CreateMuteRequest, ListHiddenPostsRequest},
    social_graph::GetCommunityRequest,
};
use primitives::ids;

use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::signed_addresses::SignedAddresses;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        feed_control::views::{CreateMute, HiddenPost, Mute, MuteKind},
        posts::views::people_of,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Paging, Params},
        problem::Problem,
    },
};

/// Lists the posts that the signed-in member has hidden, last hidden first. A page may be short, or empty, without being the
/// last one.
#[utoipa::path(get, path = "/api/hidden-posts", operation_id = "listHiddenPosts", tag = "feed control",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [HiddenPost])))]
pub async fn hidden_posts(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<HiddenPost>>, Problem> {
    let request = ListHiddenPostsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = feed.list_hidden_posts(member.call.request(request)?).await?.into_inner();
    let shown = page.posts.iter().filter_map(|hidden| hidden.post.as_ref()).flat_map(people_of);
    let people = members.cards(&member.call, shown).await;
    let signer = addresses.given_to(member.id);
    let posts = page.posts.into_iter().filter_map(|hidden| HiddenPost::of(hidden, &people, signer)).collect();
    Ok(ApiResponse::ok(posts).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Mutes a word, a member or a community in the feeds of the signed-in member; not on a profile, the page of a community or a
/// topic, or a post. Muting the same again replaces the duration.
#[utoipa::path(post, path = "/api/mutes", operation_id = "createMute", tag = "feed control",
    request_body = CreateMute,
    security(("session" = [])),
    responses((status = 201, description = "The new mute.", body = Mute),
        (status = 200, description = "The earlier mute with the new duration.", body = Mute)))]
pub async fn mute(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    Body(body): Body<CreateMute>,
) -> Result<ApiResponse<Mute>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    ensure_target_exists(&gateway, &member, &body).await?;
    let duration = body.duration.unwrap_or_default();
    let CreateMute { kind, word, target_id, .. } = body;
    let (kind, duration) = (portia_proto::feed::MuteKind::from(kind), portia_proto::feed::MuteDuration::from(duration));
    let request = CreateMuteRequest { kind: kind.into(), word, target_id, duration: duration.into() };
    let answer = gateway.clients.feed().create_mute(member.call.request(request)?).await?.into_inner();
    let mute = answer.mute.ok_or(Problem::internal())?;
    let people = gateway.members.cards(&member.call, Mute::members(&mute)).await;
    let mute = Mute::of(mute, &people);
    let response = if answer.created { ApiResponse::created(mute) } else { ApiResponse::ok(mute) };
    Ok(response.degraded(people.degraded()))
}

/// Checks with the owner that the member or community exists.
async fn ensure_target_exists(gateway: &Gateway, member: &Member, body: &CreateMute) -> Result<(), Problem> {
    if body.kind == MuteKind::Word {
        return Ok(());
    }
    let id = ids::parse("targetId", body.target_id.as_deref().unwrap_or_default())?;
    if body.kind == MuteKind::Member {
        return gateway.members.ensure_visible(&member.call, id).await;
    }
    let request = GetCommunityRequest { community_id: id.to_string() };
    drop(gateway.clients.graph().get_community(member.call.request(request)?).await?);
    Ok(())
}
