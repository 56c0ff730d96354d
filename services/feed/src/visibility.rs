//! The visibility of a post and of a comment, in one place for the statements about a single one. Lists apply the same conditions while they
//! scan other indexes (timeline/).
//!
//! A viewer may see a post that is public, in one of the viewer's communities or the viewer's own, unless the account of its
//! author is deactivated or one of the two blocks the other. Of the own post in a community that the viewer left, the viewer
//! sees the post alone: no reactions, no comments and not the name of the community (timeline/rows.rs).

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
