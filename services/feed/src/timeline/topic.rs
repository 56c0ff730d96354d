//! Lists the posts with a topic, newest first. Scans feed.post_topics as home.rs scans feed.posts.

use uuid::Uuid;

use super::versions::{Row, versions_query};
use crate::{
    cursors::TopicCursor,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// Selects public posts, posts in the viewer's communities, and the viewer's own posts.
pub fn by_topic(viewer: Option<Uuid>, fetch: i64, topic: &str, after: TopicCursor) -> Statement<impl Mapper<Row>> {
    versions_query!(
        "
        with communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
            order by community_id
            limit 100
        ),
        public_posts as materialized (
            select *
            from (
                select t.post_id, t.created_at
                from feed.post_topics t
                where t.topic = $3
                    and t.community_id is null
                    and (t.created_at, t.post_id) < ($4, $5)
                    and t.author_id not in (select member_id from blocked)
                    and not exists (select from feed.hidden_members h where h.member_id = t.author_id)
                order by t.created_at desc, t.post_id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select coalesce((select min(created_at) from public_posts having count(*) >= $2), '-infinity') as at
        ),
        page as materialized (
            select post_id, created_at
            from (
                select *
                from public_posts
                union
                select community_posts.*
                from communities c
                cross join lateral (
                    select *
                    from (
                        select t.post_id, t.created_at
                        from feed.post_topics t
                        where t.topic = $3
                            and t.community_id = c.community_id
                            and (t.created_at, t.post_id) < ($4, $5)
                            and t.created_at >= (select at from edge)
                            and t.author_id not in (select member_id from blocked)
                            and not exists (select from feed.hidden_members h where h.member_id = t.author_id)
                        order by t.created_at desc, t.post_id desc
                        limit 101
                    ) as most
                    limit $2
                ) as community_posts
                union
                (
                    select *
                    from (
                        select t.post_id, t.created_at
                        from feed.post_topics t
                        where t.topic = $3
                            and t.author_id = $1
                            and t.community_id is not null
                            and (t.created_at, t.post_id) < ($4, $5)
                            and t.created_at >= (select at from edge)
                        order by t.created_at desc, t.post_id desc
                        limit 101
                    ) as most
                    limit $2
                )
            ) as all_parts
            order by created_at desc, post_id desc
            limit $2
        )
        select posts.*, false as leads, posts.rank as score
        from page
        join feed.listed_posts posts on posts.id = page.post_id
        ",
        order by "p.created_at desc, p.id desc",
        viewer,
        fetch,
        topic,
        *after.at,
        after.id,
    )
}
