//! Reactions to a post.

use axum::extract::State;
use http::Uri;
use portia_proto::feed::{ListReactionsRequest, ReactionKind, RemoveReactionRequest, SetReactionRequest};

use crate::api::ids::OfPost;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        posts::like_views::{LikeCount, LikeSet, MemberLike},
        posts::requests::SetLike,
    },
    edge::{
        answer::ApiResponse,
        authentication::{Caller, Member},
        extract::{Body, Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the reactions to a post, newest first.
#[utoipa::path(get, path = "/api/posts/{id}/likes", operation_id = "listLikes", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the post."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [MemberLike])))]
pub async fn list(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfPost>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<MemberLike>>, Problem> {
    let request =
        ListReactionsRequest { post_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = feed.list_reactions(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.reactions.iter().map(|reaction| reaction.member_id.as_str())).await;
    let likes = page.reactions.into_iter().map(|reaction| MemberLike::of(reaction, &people)).collect();
    Ok(ApiResponse::ok(likes).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Sets the reaction of the signed-in member to a post. Repeated requests have no effect.
#[utoipa::path(post, path = "/api/posts/{id}/likes", operation_id = "setLike", tag = "posts",
    request_body = SetLike,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, description = "The reaction, and the number of reactions to the post.", body = LikeSet)))]
pub async fn set(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
    Body(body): Body<SetLike>,
) -> Result<ApiResponse<LikeSet>, Problem> {
    member.require_self(body.user_id.as_deref())?;
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = SetReactionRequest { post_id: id.0.to_string(), kind: ReactionKind::from(body.kind).into() };
    let answer = feed.set_reaction(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(LikeSet { user_id: member.id.to_string(), kind: body.kind, like_count: answer.like_count }))
}

/// Removes the reaction of the signed-in member. Succeeds without a reaction too.
#[utoipa::path(delete, path = "/api/posts/{id}/likes", operation_id = "removeLike", tag = "posts",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, description = "The number of reactions to the post.", body = LikeCount)))]
pub async fn delete(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
) -> Result<ApiResponse<LikeCount>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = RemoveReactionRequest { post_id: id.0.to_string() };
    let answer = feed.remove_reaction(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(LikeCount { like_count: answer.like_count }))
}
