//! Reactions to posts and comments.

use axum::extract::State;
use portia_proto::feed::{ReactionKind, SetCommentReactionRequest, SetReactionRequest};

use crate::api::ids::{OfComment, OfPost};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{posts::like_views::LikeSet, posts::requests::SetLike},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        problem::Problem,
    },
};

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

/// Sets the reaction of the signed-in member to a comment. Repeated requests have no effect.
#[utoipa::path(post, path = "/api/comments/{id}/likes", operation_id = "setCommentLike", tag = "posts",
    request_body = SetLike,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the comment.")),
    responses((status = 200, description = "The reaction, and the number of reactions to the comment.", body = LikeSet)))]
pub async fn set_on_comment(
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
