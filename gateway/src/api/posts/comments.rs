//! Comments on a post, and replies to them.

use axum::extract::State;
use http::Uri;
use portia_proto::feed as pb;
use portia_proto::feed::{
    CreateCommentRequest, DeleteCommentRequest, GetCommentRequest, ListRepliesRequest, UpdateCommentRequest,
};

use crate::api::ids::{OfComment, OfPost};
use crate::api::members::cache::{MemberCache, MemberCards};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        communities::moderation_views::DeleteContentQuery,
        posts::comment_pages::CommentPages,
        posts::comment_views::{Comment, CommentCount, people_of},
        posts::requests::{CreateComment, UpdateComment},
    },
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

/// Lists the replies to a comment, oldest first. A reply has none.
#[utoipa::path(get, path = "/api/comments/{id}/replies", operation_id = "listReplies", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the comment."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next, newer page.", body = [Comment])))]
pub async fn replies(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfComment>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Comment>>, Problem> {
    let request =
        ListRepliesRequest { comment_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = feed.list_replies(caller.call.request(request)?).await?.into_inner();
    let (replies, people) = with_authors(&members, &caller, page.replies).await;
    Ok(ApiResponse::ok(replies).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Comments with the cards of their members.
async fn with_authors(
    members: &MemberCache,
    caller: &Caller,
    comments: Vec<pb::Comment>,
) -> (Vec<Comment>, MemberCards) {
    let people = members.cards(&caller.call, comments.iter().flat_map(people_of)).await;
    (comments.into_iter().map(|comment| Comment::of(comment, &people)).collect(), people)
}

/// Returns a comment or reply.
#[utoipa::path(get, path = "/api/comments/{id}", operation_id = "getComment", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the comment.")),
    responses((status = 200, description = "The comment.", body = Comment)))]
pub async fn get(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfComment>,
) -> Result<ApiResponse<Comment>, Problem> {
    let request = GetCommentRequest { comment_id: id.0.to_string() };
    let answer = feed.get_comment(caller.call.request(request)?).await?.into_inner();
    let comment = answer.comment.ok_or(Problem::internal())?;
    let people = members.cards(&caller.call, people_of(&comment)).await;
    Ok(ApiResponse::ok(Comment::of(comment, &people)).degraded(people.degraded()))
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
    let people = members.cards(&member.call, people_of(&comment)).await;
    Ok(ApiResponse::created(Comment::of(comment, &people)).degraded(people.degraded()))
}

/// Updates a comment of the signed-in member. `editedAt` is set.
#[utoipa::path(patch, path = "/api/comments/{id}", operation_id = "updateComment", tag = "posts",
    request_body = UpdateComment,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the comment.")),
    responses((status = 200, description = "The current state.", body = Comment)))]
pub async fn update(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfComment>,
    Body(body): Body<UpdateComment>,
) -> Result<ApiResponse<Comment>, Problem> {
    member.limit(&limits, rate_limits::EDITS).await?;
    let request = UpdateCommentRequest { comment_id: id.0.to_string(), content: body.content };
    let answer = feed.update_comment(member.call.request(request)?).await?.into_inner();
    let comment = answer.comment.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, people_of(&comment)).await;
    Ok(ApiResponse::ok(Comment::of(comment, &people)).degraded(people.degraded()))
}

/// Deletes a comment with its replies. For its author, the author of the post, and owners and moderators of its community.
#[utoipa::path(delete, path = "/api/comments/{id}", operation_id = "deleteComment", tag = "posts",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the comment."), DeleteContentQuery),
    responses((status = 200, description = "The number of comments on the post.", body = CommentCount)))]
pub async fn delete(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfComment>,
    Params(query): Params<DeleteContentQuery>,
) -> Result<ApiResponse<CommentCount>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = DeleteCommentRequest { comment_id: id.0.to_string(), reason: query.feed_reason() };
    let answer = feed.delete_comment(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(CommentCount { post_id: answer.post_id, comment_count: answer.comment_count }))
}
