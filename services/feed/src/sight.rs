//! Who may see a post, in one place for every statement about a single one; lists leave the same posts out by walking
//! other indexes (pages/).
//!
//! A post is there for somebody when it is for everybody, or in a community of theirs, or their own; when its author's
//! account is not closed (hidden.rs); and when neither of the two blocks the other (graph.rs). For anybody else there is
//! no such post.

/// A statement about a post, with the condition that `$1`, null for a visitor, may see the post `p` put between its two
/// halves.
macro_rules! in_sight {
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

pub(crate) use in_sight;
