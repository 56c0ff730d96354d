//! The home feed by relevance to a viewer: (score, id) descending, where the score is the rank plus the boost of the relation.
//!
//! Posts of one relation are ordered by rank, like an index. A page merges the scans of strangers' posts, of each
//! connection, of the school and of each community. The scan of strangers' posts gives the lower bound of the page (the
//! `edge`), so every other scan has two bounds, both lower by its boost. The bounds are nearly always close together,
//! and a connection or a community costs one index lookup. The scan of the school has no lower bound: with a short
//! range, Postgres reads all of it before it sorts, and a school may be most of the network.
//!
//! Followed members count as connections. Every scan skips posts of lowered authors and topics, in which the viewer is
//! not interested. Separate scans read them: one index lookup for each author, and the newest 30 public posts with each
//! topic.
//!
//! Strangers are all authors without a relation. Where nearly all authors are of one school, few are left: the scan ends after
//! 500 posts, and the page ends there. If the page is short then, a row without content contains the position of the next
//! page.

use uuid::Uuid;

use super::{
    RelevantPage,
    versions::{Row, versions_query},
};
use crate::{
    posts::freshness,
    reactions::ReactionKind,
    sql::{Mapper, Statement},
    timeline::ranking::{self, Relation},
};

/// The bounds of index scans are wider by this, because sums are rounded; the exact bound is checked afterwards.
pub(super) const ROUNDING: f64 = 1e-6;

/// The limit of `public_posts` in the statement.
pub(super) const MAX_SCANNED: usize = 500;

pub fn by_relevance(viewer: Option<Uuid>, fetch: i64, page: RelevantPage) -> Statement<impl Mapper<Row>> {
    versions_query!(
        home "
        with connections as materialized (
            (
                select other_id as member_id
                from feed.connections
                where member_id = $1
                order by connection_id desc
                limit $15
            )
            union
            (
                select followed_id
                from feed.follows
                where member_id = $1
                order by followed_at desc, followed_id
                limit $15
            )
        ),
        lowered as materialized (
            select author_id, topics, hidden_at
            from feed.hidden_posts
            where member_id = $1
                and not_interested
                and hidden_at > $16
            order by hidden_at desc
            limit 20
        ),
        lowered_authors as materialized (
            select distinct author_id as member_id
            from lowered
            where author_id not in (select member_id from excluded)
        ),
        lowered_posts as materialized (
            select distinct newest.post_id
            from (
                select topic
                from lowered
                cross join unnest(topics) as t (topic)
                group by topic
                order by max(hidden_at) desc, topic
                limit 10
            ) as topics
            cross join lateral (
                select t.post_id
                from feed.post_topics t
                where t.topic = topics.topic
                    and t.community_id is null
                    and t.created_at <= $4
                    and t.author_id is distinct from $1
                order by t.created_at desc, t.post_id desc
                limit 30
            ) as newest
        ),
        others as materialized (
            select member_id
            from excluded
            union all
            select member_id
            from lowered_authors
        ),
        skipped as materialized (
            select post_id
            from hidden_posts
            union all
            select post_id
            from lowered_posts
        ),
        school as materialized (
            select school_key
            from feed.members
            where member_id = $1
        ),
        public_posts as not materialized (
            select *
            from feed.listed_posts
            where community_id is null
                and (rank, id) < ($8, $9)
                and created_at <= $4
                and (author_id is distinct from $1 or created_at <= $5)
                and author_id not in (select member_id from others)
                and id not in (select post_id from skipped)
                and not exists (select from feed.hidden_members h where h.member_id = author_id)
            order by rank desc, id desc
            limit 500
        ),
        strangers as materialized (
            select *
            from (
                select *
                from public_posts
                where author_id not in (select member_id from connections)
                    and (school_key = (select school_key from school)) is not true
                order by rank desc, id desc
                limit 101
            ) as most
            limit $2
        ),
        edge as materialized (
            select score, id
            from (
                (
                    select rank as score, id
                    from strangers
                    order by rank desc, id desc
                    limit 1
                    offset $2 - 1
                )
                union all
                (
                    select rank, id
                    from public_posts
                    where (select count(*) from strangers) < $2
                    order by rank desc, id desc
                    limit 1
                    offset 499
                )
                union all
                select '-infinity'::double precision, '00000000-0000-0000-0000-000000000000'::uuid
            ) as ends
            order by score desc
            limit 1
        ),
        page as materialized (
            select *
            from (
                (
                    select *, true as leads, rank as score
                    from feed.listed_posts
                    where author_id = $1
                        and rank >= $14
                        and (rank, id) < ($6, $7)
                        and created_at > $5
                        and created_at <= $4
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by rank desc, id desc
                    limit $2
                )
                union all
                select *, false, rank
                from strangers
                union all
                select boosted_posts.*, false, boosted_posts.rank + $10
                from connections c
                cross join lateral (
                    select *
                    from (
                        select *
                        from feed.listed_posts
                        where author_id = c.member_id
                            and community_id is null
                            and rank <= $8 - $10 + $13
                            and rank >= (select score from edge) - $10 - $13
                            and (rank + $10, id) < ($8, $9)
                            and created_at <= $4
                            and author_id not in (select member_id from others)
                            and id not in (select post_id from skipped)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as boosted_posts
                union all
                (
                    select *, false, rank + $12
                    from (
                        select *
                        from feed.listed_posts
                        where school_key = (select school_key from school)
                            and community_id is null
                            and rank <= $8 - $12 + $13
                            and (rank + $12, id) < ($8, $9)
                            and created_at <= $4
                            and (author_id <> $1 or created_at <= $5)
                            and author_id not in (select member_id from connections)
                            and author_id not in (select member_id from others)
                            and id not in (select post_id from skipped)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                )
                union all
                select boosted_posts.*, false, boosted_posts.rank + $11
                from communities c
                cross join lateral (
                    select *
                    from (
                        select *
                        from feed.listed_posts
                        where community_id = c.community_id
                            and rank <= $8 - $11 + $13
                            and rank >= (select score from edge) - $11 - $13
                            and (rank + $11, id) < ($8, $9)
                            and created_at <= $4
                            and (author_id <> $1 or created_at <= $5)
                            and author_id not in (select member_id from others)
                            and id not in (select post_id from skipped)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as boosted_posts
                union all
                (
                    select *, false, rank + $11
                    from (
                        select *
                        from feed.listed_posts
                        where author_id = $1
                            and community_id is not null
                            and rank <= $8 - $11 + $13
                            and rank >= (select score from edge) - $11 - $13
                            and (rank + $11, id) < ($8, $9)
                            and created_at <= $5
                            and community_id not in (select community_id from communities)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                )
                union all
                select lowered_ones.*, false, lowered_ones.rank - $17
                from lowered_authors l
                cross join lateral (
                    select *
                    from (
                        select *
                        from feed.listed_posts
                        where author_id = l.member_id
                            and (community_id is null or community_id in (select community_id from communities))
                            and rank <= $8 + $17 + $13
                            and rank >= (select score from edge) + $17 - $13
                            and (rank - $17, id) < ($8, $9)
                            and created_at <= $4
                            and id not in (select post_id from hidden_posts)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as lowered_ones
                union all
                select posts.*, false, posts.rank - $17
                from lowered_posts l
                join feed.listed_posts posts on posts.id = l.post_id
                where posts.author_id not in (select member_id from others)
                    and posts.id not in (select post_id from hidden_posts)
                    and posts.rank >= (select score from edge) + $17 - $13
                    and (posts.rank - $17, posts.id) < ($8, $9)
                    and posts.created_at <= $4
                    and not exists (select from feed.hidden_members h where h.member_id = posts.author_id)
            ) as all_parts
            where leads
                or (score, id) >= (select score, id from edge)
            order by leads desc, score desc, id desc
            limit $2
        )
        select *
        from page
        union all
        select id, null, null, null, null, null, null, null, null, null, null, null, false, score
        from edge
        where score > '-infinity'
            and (select count(*) from page) < $2
        ",
        order by "p.leads desc, p.score desc, p.id desc",
        viewer,
        fetch,
        page.now,
        *page.until,
        page.since,
        page.leading.0,
        page.leading.1,
        page.others.0,
        page.others.1,
        Relation::Connection.boost(),
        Relation::Community.boost(),
        Relation::School.boost(),
        ROUNDING,
        freshness(page.since),
        ranking::CONNECTIONS,
        page.now - ranking::NOT_INTERESTED,
        ranking::LOWERED,
    )
}
