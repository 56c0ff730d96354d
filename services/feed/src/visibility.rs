//! Defines the visibility of posts and comments once for all statements about a single one. Lists apply the same
//! conditions while they scan other indexes (timeline/).
//!
//! A viewer may see a post that is public, in one of the viewer's communities or the viewer's own, unless the account
//! of its author is deactivated or one of the two blocks the other. In a community that the viewer left, they see only
//! their own post, without reactions, comments and the name of the community (timeline/rows.rs).

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// A query about a post: `$before`, the condition that the viewer `$1` (null for a visitor) may see the post `p`, `$after`.
macro_rules! visible_post_query {
    ($row:path, $before:literal, $after:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            $row,
            $before
                + r#"
                (
                    p.community_id is null
                    or p.author_id = $1
                    or exists (
                        select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                    )
                )
                and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = p.author_id)
                and not exists (select from feed.blocks b where b.blocker_id = p.author_id and b.blocked_id = $1)
                "#
                + $after,
            $($argument),+
        )
    };
}

/// A query about a comment: `$before`, the condition that the viewer `$1` may see the comment `c` of the post `p`, `$after`.
///
/// A comment is visible with its post, but in a community to its members only, and not if its author or the author of its
/// top-level comment has a deactivated account or is in a block with the viewer.
macro_rules! visible_comment_query {
    ($row:path, $before:literal, $after:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            $row,
            $before
                + r#"
                (
                    p.community_id is null
                    or exists (
                        select from feed.memberships m where m.member_id = $1 and m.community_id = p.community_id
                    )
                )
                and not exists (select from feed.hidden_members h where h.member_id = p.author_id)
                and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = p.author_id)
                and not exists (select from feed.blocks b where b.blocker_id = p.author_id and b.blocked_id = $1)
                and not exists (
                    select
                    from feed.comments t
                    where t.id in (c.id, c.reply_to)
                        and (
                            exists (select from feed.hidden_members h where h.member_id = t.author_id)
                            or exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = t.author_id)
                            or exists (select from feed.blocks b where b.blocker_id = t.author_id and b.blocked_id = $1)
                        )
                )
                "#
                + $after,
            $($argument),+
        )
    };
}

pub(crate) use visible_comment_query;
pub(crate) use visible_post_query;

/// The columns that callers need of a post that the viewer may see.
pub struct VisiblePost {
    pub id: Uuid,
    pub author_id: Uuid,
    pub is_public: bool,
    /// The original of a repost without text.
    pub original_id: Option<Uuid>,
    pub is_article: bool,
    /// The number of pictures.
    pub pictures: i32,
    /// Whether the post is public or the viewer belongs to its community: an author who left sees their own posts, but
    /// changes nothing that the members see.
    pub may_write: bool,
}

/// Returns a post, if the viewer may see it.
pub async fn get_visible(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<VisiblePost, Error> {
    let post = visible_post_query!(
        VisiblePost,
        r#"
        select
            p.id,
            p.author_id,
            p.community_id is null as "is_public!",
            case when p.content = '' then p.repost_of end as "original_id?",
            p.title is not null as "is_article!",
            case when p.picture_hash is null then 0 else 1 + coalesce(jsonb_array_length(p.media -> 'pictures'), 0) end
                as "pictures!",
            p.community_id is null
                or exists (select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id)
                as "may_write!"
        from feed.posts p
        where p.id = $2
            and
        "#,
        "",
        viewer,
        id
    );
    post.fetch_optional(db).await?.ok_or(Error::PostNotFound)
}

/// Returns why a member could not write to a post: [`Error::NotAWriter`] if the member sees it.
pub async fn refusal_to_write(db: &mut PgConnection, member_id: Uuid, id: Uuid) -> Error {
    match get_visible(db, member_id, id).await {
        Ok(post) if !post.may_write => Error::NotAWriter,
        Ok(_) => Error::PostNotFound,
        Err(error) => error,
    }
}
