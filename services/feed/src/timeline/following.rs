//! The posts of the sources that a member chose, newest first: people (the member, connections, followed members),
//! communities and followed topics.
//!
//! The newest entry of each source, its head, is one index lookup. The newest posts come from the sources with the
//! newest heads, so only those are read further, and only down to the last of these heads. A post may be the head of
//! several sources, so heads are counted by post. The cost grows with the number of sources, not of posts.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::versions::{Row, versions_query};
use crate::{
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// The sources of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sources {
    /// People, communities and topics.
    All,
    /// The communities of the member.
    Communities,
}

pub fn newest(
    viewer: Uuid,
    fetch: i64,
    now: DateTime<Utc>,
    sources: Sources,
    (after_at, after_id): (DateTime<Utc>, Uuid),
) -> Statement<impl Mapper<Row>> {
    versions_query!(
        home "
        with people as materialized (
            select member_id
            from (
                select $1::uuid as member_id
                union
                select other_id
                from feed.connections
                where member_id = $1
                union
                select followed_id
                from feed.follows
                where member_id = $1
            ) as people
            where $6
                and member_id not in (select member_id from excluded)
                and not exists (select from feed.hidden_members h where h.member_id = people.member_id)
        ),
        topics as materialized (
            select topic
            from feed.topic_follows
            where member_id = $1
                and $6
        ),
        heads as materialized (
            select *, dense_rank() over (order by created_at desc, id desc) as place
            from (
                select 'person' as kind, p.member_id as source_id, null::text as topic, head.created_at, head.id
                from people p
                cross join lateral (
                    select created_at, id
                    from feed.posts
                    where author_id = p.member_id
                        and community_id is null
                        and (created_at, id) < ($4, $5)
                        and id not in (select post_id from hidden_posts)
                    order by created_at desc, id desc
                    limit 1
                ) as head
                union all
                select 'community', c.community_id, null, head.created_at, head.id
                from communities c
                cross join lateral (
                    select created_at, id
                    from feed.posts
                    where community_id = c.community_id
                        and (created_at, id) < ($4, $5)
                        and author_id not in (select member_id from excluded)
                        and id not in (select post_id from hidden_posts)
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by created_at desc, id desc
                    limit 1
                ) as head
                union all
                select 'topic', null, s.topic, head.created_at, head.post_id
                from topics s
                cross join lateral (
                    select t.created_at, t.post_id
                    from feed.post_topics t
                    where t.topic = s.topic
                        and t.community_id is null
                        and (t.created_at, t.post_id) < ($4, $5)
                        and t.author_id not in (select member_id from excluded)
                        and t.post_id not in (select post_id from hidden_posts)
                        and not exists (select from feed.hidden_members h where h.member_id = t.author_id)
                    order by t.created_at desc, t.post_id desc
                    limit 1
                ) as head
            ) as all_heads
        ),
        edge as materialized (
            select
                coalesce(
                    (select min(created_at) from heads where place <= $2 having max(place) >= $2),
                    '-infinity'
                ) as at
        ),
        page as materialized (
            select created_at, id
            from (
                select entries.*
                from heads h
                cross join lateral (
                    select *
                    from (
                        select created_at, id
                        from feed.posts
                        where author_id = h.source_id
                            and community_id is null
                            and (created_at, id) < ($4, $5)
                            and created_at >= (select at from edge)
                            and id not in (select post_id from hidden_posts)
                        order by created_at desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as entries
                where h.kind = 'person'
                    and h.place <= $2
                union
                select entries.*
                from heads h
                cross join lateral (
                    select *
                    from (
                        select created_at, id
                        from feed.posts
                        where community_id = h.source_id
                            and (created_at, id) < ($4, $5)
                            and created_at >= (select at from edge)
                            and author_id not in (select member_id from excluded)
                            and id not in (select post_id from hidden_posts)
                            and not exists (select from feed.hidden_members o where o.member_id = author_id)
                        order by created_at desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as entries
                where h.kind = 'community'
                    and h.place <= $2
                union
                select entries.*
                from heads h
                cross join lateral (
                    select *
                    from (
                        select t.created_at, t.post_id
                        from feed.post_topics t
                        where t.topic = h.topic
                            and t.community_id is null
                            and (t.created_at, t.post_id) < ($4, $5)
                            and t.created_at >= (select at from edge)
                            and t.author_id not in (select member_id from excluded)
                            and t.post_id not in (select post_id from hidden_posts)
                            and not exists (select from feed.hidden_members o where o.member_id = t.author_id)
                        order by t.created_at desc, t.post_id desc
                        limit 101
                    ) as most
                    limit $2
                ) as entries
                where h.kind = 'topic'
                    and h.place <= $2
            ) as all_entries
            order by created_at desc, id desc
            limit $2
        )
        select posts.*, false as leads, posts.rank as score
        from page
        join feed.listed_posts posts on posts.id = page.id
        ",
        order by "p.created_at desc, p.id desc",
        Some(viewer),
        fetch,
        now,
        after_at,
        after_id,
        sources == Sources::All,
    )
}
