//! Comments on a post: list, create and delete.

use axum::extract::State;
use http::Uri;
use portia_proto::feed::CreateCommentRequest;

use crate::api::ids::OfPost;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{posts::comment_pages::CommentPages, posts::comment_views::Comment, posts::requests::CreateComment},
    edge::{
        answer::{ApiResponse, JsonText},
        authentication::{Caller, Member},
        extract::{Body, Id, IdempotencyKey, Paging, Params},
        problem::Problem,
    },
};

/// Lists the top-level comments on a post. The newest page is first; the comments of a page are oldest first.
#[utoipa::path(get, path = "/api/posts/{id}/comments", operation_id = "listComments", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the post."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next, older page.", body = [Comment])))]
pub async fn list(
    State(pages): State<CommentPages>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfPost>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<JsonText>, Problem> {
    let page = pages.list(&caller.call, id.0, paging).await?;
    let people = members.cards(&caller.call, page.people()).await;
    let comments = page.json(&people)?;
    Ok(ApiResponse::ok(comments).next_page(&uri, page.next_page_token()).degraded(people.degraded()))
}

/// Creates a comment on a post, or a reply to a comment on it.
#[utoipa::path(post, path = "/api/posts/{id}/comments", operation_id = "createComment", tag = "posts",
    request_body = CreateComment,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the comment of the first one, for 24 hours.")),
    responses((status = 201, description = "The new comment.", body = Comment)))]
pub async fn create(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
    key: IdempotencyKey,
    Body(body): Body<CreateComment>,
) -> Result<ApiResponse<Comment>, Problem> {
    member.require_self(body.user_id.as_deref())?;
    member.limit(&limits, rate_limits::COMMENTS).await?;
    let CreateComment { content, reply_to, .. } = body;
    let request = CreateCommentRequest { post_id: id.0.to_string(), content, idempotency_key: key.0, reply_to };
    let answer = feed.create_comment(member.call.request(request)?).await?.into_inner();
    let comment = answer.comment.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, Comment::members(&comment)).await;
    Ok(ApiResponse::created(Comment::of(comment, &people)).degraded(people.degraded()))
}
