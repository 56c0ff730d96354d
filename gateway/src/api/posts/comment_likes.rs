//! Reactions to a comment.

use axum::extract::State;
use http::Uri;
use portia_proto::feed::{
    ListCommentReactionsRequest, ReactionKind, RemoveCommentReactionRequest, SetCommentReactionRequest,
};

use crate::api::ids::OfComment;
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

/// Lists the reactions to a comment, newest first.
#[utoipa::path(get, path = "/api/comments/{id}/likes", operation_id = "listCommentLikes", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the comment."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [MemberLike])))]
pub async fn list(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfComment>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<MemberLike>>, Problem> {
    let request = ListCommentReactionsRequest {
        comment_id: id.0.to_string(),
        page_size: paging.limit,
        page_token: paging.cursor,
    };
    let page = feed.list_comment_reactions(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.reactions.iter().map(|reaction| reaction.member_id.as_str())).await;
    let likes = page.reactions.into_iter().map(|reaction| MemberLike::of(reaction, &people)).collect();
    Ok(ApiResponse::ok(likes).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Sets the reaction of the signed-in member to a comment. Repeated requests have no effect.
#[utoipa::path(post, path = "/api/comments/{id}/likes", operation_id = "setCommentLike", tag = "posts",
    request_body = SetLike,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the comment.")),
    responses((status = 200, description = "The reaction, and the number of reactions to the comment.", body = LikeSet)))]
pub async fn set(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfComment>,
    Body(body): Body<SetLike>,
) -> Result<ApiResponse<LikeSet>, Problem> {
    member.require_self(body.user_id.as_deref())?;
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request =
        SetCommentReactionRequest { comment_id: id.0.to_string(), kind: ReactionKind::from(body.kind).into() };
    let answer = feed.set_comment_reaction(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(LikeSet { user_id: member.id.to_string(), kind: body.kind, like_count: answer.like_count }))
}

/// Removes the reaction of the signed-in member to a comment. Succeeds without a reaction too.
#[utoipa::path(delete, path = "/api/comments/{id}/likes", operation_id = "removeCommentLike", tag = "posts",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the comment.")),
    responses((status = 200, description = "The number of reactions to the comment.", body = LikeCount)))]
pub async fn delete(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfComment>,
) -> Result<ApiResponse<LikeCount>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = RemoveCommentReactionRequest { comment_id: id.0.to_string() };
    let answer = feed.remove_comment_reaction(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(LikeCount { like_count: answer.like_count }))
}
