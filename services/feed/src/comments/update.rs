//! Updates comments.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{Comment, CommentText, get};
use crate::{
    error::Error,
    mentions::{self, MentionPlace},
    publishing::{self, EditedCommentRef},
    visibility::visible_post_query,
};

/// A change of a comment.
pub struct CommentUpdate {
    pub comment_id: Uuid,
    pub content: CommentText,
}

/// A comment whose text was changed.
struct EditedComment {
    id: Uuid,
    author_id: Uuid,
    post_id: Uuid,
    post_author_id: Uuid,
    /// The author of the comment that a reply belongs to.
    reply_to_author_id: Option<Uuid>,
    /// The text before the change.
    before: String,
}

/// Replaces the text of a comment of the member, on a post that the member may see, and publishes the edit. The same
/// text changes nothing. Also writes the row of the post, because a list shows the newest comments
/// (timeline/versions.rs). A former member of a community sees no comments there, so the comment is not found.
pub async fn update(work: &mut UnitOfWork<'_>, member_id: Uuid, change: &CommentUpdate) -> Result<Comment, Error> {
    let updated = visible_post_query!(
        EditedComment,
        r#"
        with own as (
            select c.id, c.content
            from feed.comments c
            join feed.posts p on p.id = c.post_id
            where c.id = $2
                and c.author_id = $1
            for no key update of p, c
        ),
        edited as (
            update feed.comments c
            set content = $3, edited_at = $4
            from own
            cross join feed.posts p
            where c.id = own.id
                and c.content <> $3
                and p.id = c.post_id
                and (
                    p.community_id is null
                    or exists (
                        select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id
                    )
                )
                and
        "#,
        r#"
            returning c.id, c.author_id, c.post_id, c.reply_to, p.author_id as post_author_id, own.content as before
        ),
        shown as (
            update feed.posts p
            set has_comment_reactions = p.has_comment_reactions
            from edited
            where p.id = edited.post_id
                and edited.reply_to is null
        )
        select
            e.id,
            e.author_id,
            e.post_id,
            e.post_author_id,
            (select t.author_id from feed.comments t where t.id = e.reply_to) as "reply_to_author_id?",
            e.before
        from edited e
        "#,
        member_id,
        change.comment_id,
        &*change.content,
        work.now
    );
    let id = match updated.fetch_optional(&mut *work.db).await? {
        Some(edited) => {
            let place = MentionPlace {
                post_id: edited.post_id,
                author_id: member_id,
                reply_to_author: edited.reply_to_author_id,
            };
            let mentions = mentions::change(work, place, &edited.before, &change.content).await?;
            let changed = EditedCommentRef {
                post: edited.post_id,
                author: edited.post_author_id,
                comment: edited.id,
                member: edited.author_id,
            };
            publishing::publish_post_comment_edited(work, &changed, &mentions).await?;
            edited.id
        }
        None => change.comment_id,
    };
    let comment = get(work.db, Some(member_id), id).await?;
    if comment.author_id != member_id {
        return Err(Error::NotTheAuthor);
    }
    Ok(comment)
}
