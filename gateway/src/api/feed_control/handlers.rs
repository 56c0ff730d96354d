//! Hidden posts, mutes, and the reasons for a post.

use std::sync::Arc;

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::{
    feed::{
        CreateMuteRequest, DeleteMuteRequest, HidePostRequest, ListHiddenPostsRequest, ListMutesRequest,
        ListPostReasonsRequest, UnhidePostRequest,
    },
    social_graph::GetCommunityRequest,
};
use primitives::ids;

use crate::api::ids::{OfMute, OfPost};
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::signed_addresses::SignedAddresses;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        feed_control::views::{CreateMute, HiddenPost, HidePost, Mute, MuteKind, PostReason},
        posts::views::people_of,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the reasons for which the feeds of the signed-in member contain a post, strongest first.
#[utoipa::path(get, path = "/api/posts/{id}/reasons", operation_id = "listPostReasons", tag = "feed control",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, description = "At least one reason.", body = [PostReason])))]
pub async fn reasons(
    State(mut feed): State<FeedClient>,
    member: Member,
    id: Id<OfPost>,
) -> Result<ApiResponse<Vec<PostReason>>, Problem> {
    let request = ListPostReasonsRequest { post_id: id.0.to_string() };
    let reasons = feed.list_post_reasons(member.call.request(request)?).await?.into_inner().reasons;
    Ok(ApiResponse::ok(reasons.into_iter().map(PostReason::from).collect()))
}

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

/// Hides a post from the feeds of the signed-in member. Of the hidden posts the newest 1,000 are kept. A repeated request
/// replaces `notInterested`.
#[utoipa::path(put, path = "/api/hidden-posts/{id}", operation_id = "hidePost", tag = "feed control",
    request_body = HidePost,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 204, description = "The post is hidden.")))]
pub async fn hide(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
    Body(body): Body<HidePost>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let not_interested = body.not_interested.unwrap_or_default();
    let request = HidePostRequest { post_id: id.0.to_string(), not_interested };
    feed.hide_post(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Shows a hidden post again. Succeeds when it is not hidden too.
#[utoipa::path(delete, path = "/api/hidden-posts/{id}", operation_id = "unhidePost", tag = "feed control",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 204, description = "The post is not hidden.")))]
pub async fn unhide(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    feed.unhide_post(member.call.request(UnhidePostRequest { post_id: id.0.to_string() })?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the mutes of the signed-in member that have not expired, newest first: at most 100 words, 500 members and 100
/// communities.
#[utoipa::path(get, path = "/api/mutes", operation_id = "listMutes", tag = "feed control",
    security(("session" = [])),
    responses((status = 200, description = "All mutes.", body = [Mute])))]
pub async fn mutes(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    member: Member,
) -> Result<ApiResponse<Vec<Mute>>, Problem> {
    let mutes = feed.list_mutes(member.call.request(ListMutesRequest {})?).await?.into_inner().mutes;
    let people = members.cards(&member.call, mutes.iter().filter_map(Mute::member_of)).await;
    let mutes = mutes.into_iter().map(|mute| Mute::of(mute, &people)).collect();
    Ok(ApiResponse::ok(mutes).degraded(people.degraded()))
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
    let people = gateway.members.cards(&member.call, Mute::member_of(&mute)).await;
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

/// Removes a mute of the signed-in member. Succeeds when it does not exist too.
#[utoipa::path(delete, path = "/api/mutes/{id}", operation_id = "deleteMute", tag = "feed control",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the mute.")),
    responses((status = 204, description = "The mute does not exist.")))]
pub async fn unmute(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfMute>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    feed.delete_mute(member.call.request(DeleteMuteRequest { mute_id: id.0.to_string() })?).await?;
    Ok(StatusCode::NO_CONTENT)
}
