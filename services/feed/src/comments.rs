//! Comments on posts, and replies to comments.

pub mod create;
pub mod delete;
pub mod erase;
pub mod list;
pub mod pages;
pub mod reactions;
pub mod replies;
pub mod update;

use chrono::{DateTime, Utc};
use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    mentions::MAX_TOKENS,
    reactions::{Reaction, ReactionKind},
    sql::{Mapper, Statement},
    visibility::visible_comment_query,
};

/// The maximum length of a comment, in characters.
pub const MAX_COMMENT: usize = 2_000;

/// The stored text of a comment: [`MAX_COMMENT`] characters when it is shown.
pub type CommentText = Text<{ MAX_COMMENT + MAX_TOKENS }>;

/// A comment that a member creates.
pub struct NewComment {
    pub post_id: Uuid,
    pub content: CommentText,
    /// The answered comment.
    pub reply_to: Option<Uuid>,
}

#[derive(Clone)]
pub struct Comment {
    /// In the bucket of the post's author.
    pub id: Uuid,
    pub post_id: Uuid,
    pub author_id: Uuid,
    pub content: String,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
    /// The top-level comment of a reply.
    pub reply_to: Option<Uuid>,
    pub reply_count: i64,
    pub like_count: i64,
    /// The viewer's.
    pub reaction: Option<Reaction>,
}

/// A row of a statement that reads comments. A row of nulls contains no comment, and shows that the post or thread
/// exists.
pub struct Row {
    id: Option<Uuid>,
    post_id: Option<Uuid>,
    author_id: Option<Uuid>,
    content: Option<String>,
    created_at: Option<DateTime<Utc>>,
    edited_at: Option<DateTime<Utc>>,
    reply_to: Option<Uuid>,
    reply_count: Option<i64>,
    like_count: Option<i64>,
    my_kind: Option<ReactionKind>,
}

impl Row {
    fn into_comment(self, viewer: Option<Uuid>) -> Option<Comment> {
        Some(Comment {
            id: self.id?,
            post_id: self.post_id?,
            author_id: self.author_id?,
            content: self.content?,
            created_at: self.created_at?,
            edited_at: self.edited_at,
            reply_to: self.reply_to,
            reply_count: self.reply_count?,
            like_count: self.like_count?,
            reaction: own_reaction(viewer, self.my_kind),
        })
    }
}

/// Returns the viewer's reaction of this kind.
pub fn own_reaction(viewer: Option<Uuid>, kind: Option<ReactionKind>) -> Option<Reaction> {
    viewer.zip(kind).map(|(member_id, kind)| Reaction { member_id, kind })
}

/// Returns a comment, if the viewer may see it.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Comment, Error> {
    let row = single(viewer, id).fetch_optional(db).await?;
    row.and_then(|row| row.into_comment(viewer)).ok_or(Error::CommentNotFound)
}

pub fn single(viewer: Option<Uuid>, id: Uuid) -> Statement<impl Mapper<Row>> {
    visible_comment_query!(
        Row,
        r#"
        select
            c.id as "id?",
            c.post_id as "post_id?",
            c.author_id as "author_id?",
            c.content as "content?",
            c.created_at as "created_at?",
            c.edited_at as "edited_at?",
            c.reply_to as "reply_to?",
            c.reply_count as "reply_count?",
            c.like_count as "like_count?",
            case
                when c.like_count > 0
                then (select r.kind from feed.comment_reactions r where r.comment_id = c.id and r.member_id = $1)
            end as "my_kind?: ReactionKind"
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        where c.id = $2
            and
        "#,
        "",
        viewer,
        id
    )
}
