//! The public posts of members of the viewer's school, newest first: one index scan.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::versions::{Row, versions_query};
use crate::{
    cursors::SchoolCursor,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// Selects the newest posts. The author's school at the time of the post counts, as in the order by relevance.
pub fn newest(viewer: Uuid, fetch: i64, now: DateTime<Utc>, after: SchoolCursor) -> Statement<impl Mapper<Row>> {
    versions_query!(
        home "
        select *, false as leads, rank as score
        from (
            select *
            from feed.listed_posts
            where school_key = (select school_key from feed.members where member_id = $1)
                and community_id is null
                and (created_at, id) < ($4, $5)
                and author_id not in (select member_id from excluded)
                and id not in (select post_id from hidden_posts)
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            order by created_at desc, id desc
            limit 101
        ) as most
        limit $2
        ",
        order by "p.created_at desc, p.id desc",
        Some(viewer),
        fetch,
        now,
        *after.at,
        after.id,
    )
}
