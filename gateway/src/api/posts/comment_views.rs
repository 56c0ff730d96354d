//! Comments and replies.

use chrono::{DateTime, Utc};
use portia_proto::feed as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::{
    api::{
        members::{cache::MemberCards, views::Author},
        posts::{
            like_views::Like,
            mentions::{self, Mention},
        },
    },
    edge::timestamps::required_moment,
};

/// A comment on a post, or a reply to a comment.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The post.
    #[schema(format = Uuid)]
    pub post_id: String,
    /// The text, at most 2,000 characters.
    pub content: String,
    /// The time of writing.
    pub created_at: DateTime<Utc>,
    /// The time of the last edit; null without edits.
    #[schema(required)]
    pub edited_at: Option<DateTime<Utc>>,
    /// The author.
    pub user: Author,
    /// The top-level comment that a reply belongs to; null for a top-level comment.
    #[schema(required, format = Uuid)]
    pub reply_to: Option<String>,
    /// The number of replies; 0 for a reply.
    pub reply_count: i64,
    /// The reaction of the caller, if there is one. `GET /api/comments/{id}/likes` lists all reactions.
    pub likes: Vec<Like>,
    /// The number of reactions.
    pub like_count: i64,
    /// The mentions in the text, in its order.
    pub mentions: Vec<Mention>,
}

impl Comment {
    /// The ids of the members whose cards it contains: the author and the mentioned members.
    pub fn members(comment: &pb::Comment) -> impl Iterator<Item = &str> {
        std::iter::once(comment.author_id.as_str()).chain(mentions::members_in(&comment.content))
    }

    /// A comment with its author.
    pub fn of(comment: pb::Comment, people: &MemberCards) -> Self {
        let (content, mentions) = mentions::render(comment.content, &comment.mentioned_ids, people);
        Self {
            user: people.author(&comment.author_id),
            id: comment.id,
            post_id: comment.post_id,
            content,
            created_at: required_moment(comment.created_at),
            edited_at: comment.edited_at.map(|at| required_moment(Some(at))),
            reply_to: comment.reply_to,
            reply_count: comment.reply_count,
            likes: comment.reactions.into_iter().map(Like::from).collect(),
            like_count: comment.like_count,
            mentions,
        }
    }
}

/// The number of comments after one was deleted.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentCount {
    /// The post.
    #[schema(format = Uuid)]
    pub post_id: String,
    /// The number of comments, including replies; null when the post is no longer visible to the caller.
    pub comment_count: Option<i64>,
}

impl From<pb::DeleteCommentResponse> for CommentCount {
    fn from(answer: pb::DeleteCommentResponse) -> Self {
        Self { post_id: answer.post_id, comment_count: answer.comment_count }
    }
}
