//! Comments on a post.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::feed::{CreateCommentRequest, DeleteCommentRequest, ListCommentsRequest, UpdateCommentRequest};

use crate::{
    Gateway,
    answer::Answer,
    extract::{Body, Id, IdempotencyKey, OfComment, OfPost, Params},
    identity::{Caller, Member},
    limits::Bucket,
    problem::Problem,
    routes::Paging,
    views::posts::{Comment, CommentCount, CreateComment, UpdateComment},
};

/// A page of a post's comments: the newest page first, within a page oldest first.
#[utoipa::path(get, path = "/api/posts/{id}/comments", operation_id = "listComments", tag = "posts",
    params(("id" = Uuid, Path, description = "The post's id."), Paging),
    responses((status = 200, description = "`Link` names the next, older page.", body = [Comment])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    id: Id<OfPost>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Comment>>, Problem> {
    let request = ListCommentsRequest { post_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.services.feed().list_comments(caller.call.request(request)?).await?.into_inner();
    let authors = page.comments.iter().map(|comment| comment.author_id.as_str());
    let people = gateway.people.people(&caller.call, authors).await;
    let comments = page.comments.into_iter().map(|comment| Comment::of(comment, &people)).collect();
    Ok(Answer::ok(comments).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Comments on a post.
#[utoipa::path(post, path = "/api/posts/{id}/comments", operation_id = "createComment", tag = "posts",
    request_body = CreateComment,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The post's id."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "The same key and body again answer the first one\'s comment, for 24 hours.")),
    responses((status = 201, description = "Written.", body = Comment)))]
pub async fn create(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfPost>,
    key: IdempotencyKey,
    Body(body): Body<CreateComment>,
) -> Result<Answer<Comment>, Problem> {
    member.must_be(body.user_id.as_deref())?;
    member.limit(&gateway, Bucket::Comments).await?;
    let request = CreateCommentRequest { post_id: id.0.to_string(), content: body.content, idempotency_key: key.0 };
    let answer = gateway.services.feed().create_comment(member.call.request(request)?).await?.into_inner();
    let comment = answer.comment.ok_or(Problem::our_fault())?;
    let people = gateway.people.people(&member.call, [comment.author_id.as_str()]).await;
    Ok(Answer::created(Comment::of(comment, &people)).degraded(people.degraded()))
}

/// Changes what my comment says; it is marked from then on.
#[utoipa::path(patch, path = "/api/comments/{id}", operation_id = "updateComment", tag = "posts",
    request_body = UpdateComment,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The comment's id.")),
    responses((status = 200, description = "As it is now.", body = Comment)))]
pub async fn update(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfComment>,
    Body(body): Body<UpdateComment>,
) -> Result<Answer<Comment>, Problem> {
    member.limit(&gateway, Bucket::Edits).await?;
    let request = UpdateCommentRequest { comment_id: id.0.to_string(), content: body.content };
    let answer = gateway.services.feed().update_comment(member.call.request(request)?).await?.into_inner();
    let comment = answer.comment.ok_or(Problem::our_fault())?;
    let people = gateway.people.people(&member.call, [comment.author_id.as_str()]).await;
    Ok(Answer::ok(Comment::of(comment, &people)).degraded(people.degraded()))
}

/// Takes a comment away: mine, or one on a post of mine.
#[utoipa::path(delete, path = "/api/comments/{id}", operation_id = "deleteComment", tag = "posts",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The comment's id.")),
    responses((status = 200, description = "The post's counter.", body = CommentCount)))]
pub async fn remove(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfComment>,
) -> Result<Answer<CommentCount>, Problem> {
    member.limit(&gateway, Bucket::Reactions).await?;
    let request = DeleteCommentRequest { comment_id: id.0.to_string() };
    let answer = gateway.services.feed().delete_comment(member.call.request(request)?).await?.into_inner();
    Ok(Answer::ok(CommentCount { post_id: answer.post_id, comment_count: answer.comment_count }))
}
