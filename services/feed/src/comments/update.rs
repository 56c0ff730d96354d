//! Updates comments.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Comment, CommentText, get};
use crate::{
    error::Error,
    facts::FactPublisher,
    mentions::{self, MentionPlace},
    visibility::visible_post_query,
};

/// A change of a comment.
pub struct CommentUpdate {
    pub comment_id: Uuid,
    pub content: CommentText,
}

/// A comment whose text was changed.
pub struct EditedComment {
    pub id: Uuid,
    pub author_id: Uuid,
    pub post_id: Uuid,
    pub post_author_id: Uuid,
    /// The author of the comment that a reply belongs to.
    pub reply_to_author_id: Option<Uuid>,
    /// The text before the change.
    pub before: String,
}

/// Replaces the text of a comment of the member, on a post that the member may see, and publishes the edit. The same text
/// changes nothing.
pub async fn update(
    db: &mut PgConnection,
    facts: &FactPublisher,
    member_id: Uuid,
    change: &CommentUpdate,
    now: DateTime<Utc>,
) -> Result<Comment, Error> {
    let updated = visible_post_query!(
        EditedComment,
        r#"
        with own as (
            select id, content
            from feed.comments
            where id = $2
                and author_id = $1
            for no key update
        )
        update feed.comments c
        set content = $3, edited_at = $4
        from own
        cross join feed.posts p
        where c.id = own.id
            and c.content <> $3
            and p.id = c.post_id
            and
        "#,
        r#"
        returning
            c.id,
            c.author_id,
            c.post_id,
            p.author_id as post_author_id,
            (select t.author_id from feed.comments t where t.id = c.reply_to) as "reply_to_author_id?",
            own.content as before
        "#,
        member_id,
        change.comment_id,
        &*change.content,
        now
    );
    let id = match updated.fetch_optional(&mut *db).await? {
        Some(edited) => {
            let place = MentionPlace {
                post_id: edited.post_id,
                author_id: member_id,
                reply_to_author: edited.reply_to_author_id,
            };
            let mentioned = mentions::list_to_notify(&mut *db, place, &edited.before, &change.content).await?;
            facts.publish_post_comment_edited(&mut *db, &edited, &mentioned, now).await?;
            edited.id
        }
        None => change.comment_id,
    };
    let comment = get(db, Some(member_id), id).await?;
    if comment.author_id != member_id {
        return Err(Error::NotTheAuthor);
    }
    Ok(comment)
}
