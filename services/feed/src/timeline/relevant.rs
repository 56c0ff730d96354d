//! The home feed by relevance to a viewer: (score, id) descending, where the score is the rank plus the boost of the relation.
//!
//! Posts of one relation are ordered by rank, as in an index: strangers' posts in one, those of each connection, of the
//! school and of each community. A page merges them. The scan of strangers' posts gives the lower bound of the page (the
//! `edge`), so every other scan has two bounds, both lower by its boost: they are nearly always close together, and a
//! connection or a community costs one index lookup. The scan of the school has no lower bound: with a short range, Postgres
//! reads all of it before it sorts, and a school may be most of the network.
//!
//! Strangers are all authors without a relation. Where nearly all authors are of one school, few are left: the scan ends after
//! 500 posts, and the page ends there. If the page is short then, a row without content contains the position of the next
//! page.

use uuid::Uuid;

use super::{
    RelevantPage,
    rows::{Row, posts_query},
};
use crate::{
    reactions::ReactionKind,
    sql::{Mapper, Statement},
    timeline::ranking::{self, Relation},
};

/// The bounds of index scans are wider by this, because sums are rounded; the exact bound is checked afterwards.
const ROUNDING: f64 = 1e-6;

pub fn by_relevance(viewer: Option<Uuid>, fetch: i64, page: RelevantPage) -> Statement<impl Mapper<Row>> {
    posts_query!(
        "
        with connections as materialized (
            select other_id as member_id
            from feed.connections
            where member_id = $1
            order by connection_id desc
            limit $14
        ),
        communities as materialized (
            select community_id
            from feed.memberships
            where member_id = $1
            order by community_id
            limit 100
        ),
        school as materialized (
            select school_key
            from feed.members
            where member_id = $1
        ),
        public_posts as not materialized (
            select *
            from feed.posts
            where community_id is null
                and (rank, id) < ($7, $8)
                and created_at <= $3
                and (author_id is distinct from $1 or created_at <= $4)
                and author_id not in (select member_id from blocked)
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
                    from feed.posts
                    where author_id = $1
                        and rank >= $13
                        and (rank, id) < ($5, $6)
                        and created_at > $4
                        and created_at <= $3
                        and not exists (select from feed.hidden_members h where h.member_id = author_id)
                    order by rank desc, id desc
                    limit $2
                )
                union all
                select *, false, rank
                from strangers
                union all
                select boosted_posts.*, false, boosted_posts.rank + $9
                from connections c
                cross join lateral (
                    select *
                    from (
                        select *
                        from feed.posts
                        where author_id = c.member_id
                            and community_id is null
                            and rank <= $7 - $9 + $12
                            and rank >= (select score from edge) - $9 - $12
                            and (rank + $9, id) < ($7, $8)
                            and created_at <= $3
                            and author_id not in (select member_id from blocked)
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
                        from feed.posts
                        where school_key = (select school_key from school)
                            and community_id is null
                            and rank <= $7 - $11 + $12
                            and (rank + $11, id) < ($7, $8)
                            and created_at <= $3
                            and (author_id <> $1 or created_at <= $4)
                            and author_id not in (select member_id from connections)
                            and author_id not in (select member_id from blocked)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                )
                union all
                select boosted_posts.*, false, boosted_posts.rank + $10
                from communities c
                cross join lateral (
                    select *
                    from (
                        select *
                        from feed.posts
                        where community_id = c.community_id
                            and rank <= $7 - $10 + $12
                            and rank >= (select score from edge) - $10 - $12
                            and (rank + $10, id) < ($7, $8)
                            and created_at <= $3
                            and (author_id <> $1 or created_at <= $4)
                            and author_id not in (select member_id from blocked)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                ) as boosted_posts
                union all
                (
                    select *, false, rank + $10
                    from (
                        select *
                        from feed.posts
                        where author_id = $1
                            and community_id is not null
                            and rank <= $7 - $10 + $12
                            and rank >= (select score from edge) - $10 - $12
                            and (rank + $10, id) < ($7, $8)
                            and created_at <= $4
                            and community_id not in (select community_id from communities)
                            and not exists (select from feed.hidden_members h where h.member_id = author_id)
                        order by rank desc, id desc
                        limit 101
                    ) as most
                    limit $2
                )
            ) as all_parts
            where leads
                or (score, id) >= (select score, id from edge)
            order by leads desc, score desc, id desc
            limit $2
        )
        select
            id, author_id, content, excerpt, title, picture_hash, picture_alt, picture_width, picture_height, video_url,
            media, link_preview_id, like_count, comment_count, share_count, created_at, edited_at, community_id, repost_of,
            leads, score
        from page
        union all
        select
            id, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            false,
            score
        from edge
        where score > '-infinity'
            and (select count(*) from page) < $2
        ",
        order by "p.leads desc, p.score desc, p.id desc",
        viewer,
        fetch,
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
        ranking::freshness(page.since),
        ranking::CONNECTIONS,
    )
}
