//! Deletes comments. The replies to a deleted comment are deleted with it: without it they cannot be understood.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::get;
use crate::{
    community_removals::Deleter,
    error::Error,
    publishing::{self, CommentRef},
    visibility::get_visible,
};

/// The result of [`delete`].
pub struct Deletion {
    pub post_id: Uuid,
    /// The comments left on the post, if the member who deleted this one may see the post.
    pub comment_count: Option<i64>,
}

/// The post of a comment to delete.
#[derive(Clone, Copy)]
pub struct CommentedPost {
    pub id: Uuid,
    pub author_id: Uuid,
    pub community_id: Option<Uuid>,
}

/// A deleted comment or reply.
struct DeletedComment {
    id: Uuid,
    author_id: Uuid,
    reply_to: Option<Uuid>,
    reply_to_author_id: Option<Uuid>,
    comment_count: i64,
}

impl DeletedComment {
    const fn on(&self, post: CommentedPost) -> CommentRef {
        CommentRef {
            post: post.id,
            author: post.author_id,
            comment: self.id,
            member: self.author_id,
            reply_to: self.reply_to,
            reply_to_author: self.reply_to_author_id,
        }
    }
}

/// Deletes a comment with its replies and publishes the deletion. The member must be the author of the comment or of
/// its post, or moderate its community. A former member of a community deletes only their own comments there.
pub async fn delete(work: &mut UnitOfWork<'_>, by: &Deleter, comment_id: Uuid) -> Result<Deletion, Error> {
    let member_id = by.member_id;
    let post = lock_post(work.db, comment_id).await?;
    let deleted = match post {
        Some(post) => delete_rows(work.db, member_id, comment_id, post).await?,
        None => Vec::new(),
    };
    let (Some(post), Some(first)) = (post, deleted.first()) else {
        get(work.db, Some(member_id), comment_id).await?;
        return Err(Error::NotTheAuthor);
    };
    let comment_count = first.comment_count;
    let removed: Vec<_> = deleted.iter().map(|comment| comment.on(post)).collect();
    publishing::publish_post_comments_removed(work, &removed).await?;
    let removed = deleted.iter().find(|comment| comment.id == comment_id);
    if let (Some(community), Some(removed)) = (post.community_id, removed)
        && ![removed.author_id, post.author_id].contains(&member_id)
    {
        let removal = by.removal(work.ids, community, post.id, Some(comment_id), removed.author_id);
        publishing::publish_community_content_removed(work, &removal).await?;
    }
    let is_visible = match get_visible(work.db, member_id, post.id).await {
        Ok(_) => true,
        Err(Error::PostNotFound) => false,
        Err(error) => return Err(error),
    };
    Ok(Deletion { post_id: post.id, comment_count: is_visible.then_some(comment_count) })
}

/// Locks the post first, like the creation of a comment. A later statement deletes the rows, because only it sees a
/// reply that was created while this one waited.
pub async fn lock_post(db: &mut PgConnection, comment_id: Uuid) -> Result<Option<CommentedPost>, Error> {
    let post = sqlx::query_as!(
        CommentedPost,
        "select id, author_id, community_id
        from feed.posts
        where id = (select post_id from feed.comments where id = $1)
            and author_id <> '00000000-0000-0000-0000-000000000000'
        for no key update",
        comment_id
    );
    Ok(post.fetch_optional(db).await?)
}

/// Deletes the rows, even when the author of the comment may no longer see the post.
async fn delete_rows(
    db: &mut PgConnection,
    member_id: Uuid,
    comment_id: Uuid,
    post: CommentedPost,
) -> Result<Vec<DeletedComment>, Error> {
    let deleted = sqlx::query_as!(
        DeletedComment,
        r#"
        with own as (
            select id
            from feed.comments
            where id = $2
                and post_id = $3
                and (
                    author_id = $1
                    or (
                        $4 = $1
                        and (
                            $5::uuid is null
                            or exists (
                                select from feed.memberships m where m.member_id = $1 and m.community_id = $5
                            )
                        )
                    )
                    or exists (
                        select
                        from feed.memberships m
                        where m.member_id = $1
                            and m.community_id = $5
                            and m.moderates
                    )
                )
        ),
        deleted as (
            delete from feed.comments c
            where c.id in (
                select id
                from own
                union all
                select r.id
                from own
                join feed.comments r on r.reply_to = own.id
            )
            returning c.id, c.author_id, c.reply_to
        ),
        thread as (
            update feed.comments t
            set reply_count = t.reply_count - 1
            from deleted
            where deleted.id = $2
                and t.id = deleted.reply_to
        ),
        post as (
            update feed.posts p
            set comment_count = p.comment_count - (select count(*) from deleted)
            where p.id = $3
            returning p.comment_count
        )
        select
            deleted.id, deleted.author_id, deleted.reply_to, t.author_id as "reply_to_author_id?", post.comment_count
        from deleted
        cross join post
        left join feed.comments t on t.id = deleted.reply_to
        "#,
        member_id,
        comment_id,
        post.id,
        post.author_id,
        post.community_id
    );
    Ok(deleted.fetch_all(db).await?)
}
