//! The suggestions that Postgres finds: mutual connections while the memory cannot count them, and the other reasons.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Reason, Suggestion};
use crate::error::Error;

/// Finds the best members by mutual connections, with their numbers. Twice as many members as needed are checked for
/// unlisted ones: looking up each candidate would cost more than the rest.
///
/// `not in` is deliberate: it probes a hash of the member's own rows, while `not exists` may become a join that reads all
/// members before the limit applies.
pub async fn count_mutual(
    db: &mut PgConnection,
    member: Uuid,
    best: usize,
    scanned: u8,
) -> Result<Vec<(Uuid, i32)>, Error> {
    let rows = sqlx::query!(
        r#"with known as materialized (
            select case when requester_id = $1 then recipient_id else requester_id end as member_id
            from social_graph.connections
            where least(requester_id, recipient_id) = $1
                or greatest(requester_id, recipient_id) = $1
            union all
            select dismissed_id
            from social_graph.dismissed_suggestions
            where member_id = $1
            union all
            select blocked_id
            from social_graph.blocks
            where blocker_id = $1
            union all
            select blocker_id
            from social_graph.blocks
            where blocked_id = $1
            union all
            select $1
        ),
        friends as materialized (
            select friend
            from (
                (
                    select recipient_id as friend, answered_at, id
                    from social_graph.connections
                    where requester_id = $1
                        and status = 'accepted'
                        and not recipient_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
                union all
                (
                    select requester_id, answered_at, id
                    from social_graph.connections
                    where recipient_id = $1
                        and status = 'accepted'
                        and not requester_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
            ) as sides
            order by answered_at desc, id desc
            limit $3
        ),
        counted as materialized (
            select theirs.candidate as member_id, count(*)::integer as mutual
            from friends f
            cross join lateral (
                (
                    select recipient_id as candidate
                    from social_graph.connections
                    where requester_id = f.friend
                        and status = 'accepted'
                        and not recipient_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
                union all
                (
                    select requester_id
                    from social_graph.connections
                    where recipient_id = f.friend
                        and status = 'accepted'
                        and not requester_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
            ) as theirs
            where theirs.candidate not in (select member_id from known)
            group by theirs.candidate
            order by count(*) desc, theirs.candidate
            limit 2::bigint * $2
        )
        select c.member_id as "member_id!", c.mutual as "mutual!"
        from counted c
        where not exists (
            select
            from social_graph.members m
            where m.member_id = c.member_id
                and m.unlisted
        )
        order by c.mutual desc, c.member_id
        limit $2"#,
        member,
        to_bigint(best),
        i64::from(scanned),
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.member_id, row.mutual)).collect())
}

/// Lists the first `missing` members for the other reasons, without those already `listed`. The partial indexes contain
/// no closed account. For `not in` see [`count_mutual`].
pub async fn list_others(
    db: &mut PgConnection,
    member: Uuid,
    listed: &[Uuid],
    missing: usize,
) -> Result<Vec<Suggestion>, Error> {
    let suggestions = sqlx::query_as!(
        Suggestion,
        r#"with known as materialized (
            select case when requester_id = $1 then recipient_id else requester_id end as member_id
            from social_graph.connections
            where least(requester_id, recipient_id) = $1
                or greatest(requester_id, recipient_id) = $1
            union all
            select dismissed_id
            from social_graph.dismissed_suggestions
            where member_id = $1
            union all
            select blocked_id
            from social_graph.blocks
            where blocker_id = $1
            union all
            select blocker_id
            from social_graph.blocks
            where blocked_id = $1
            union all
            select unnest($3::uuid[])
            union all
            select $1
        ),
        same_school as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where m.school_key = (select school_key from social_graph.members where member_id = $1)
                and not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
            order by m.active_at desc, m.member_id
            limit $2
        ),
        same_location as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where m.location_key = (select location_key from social_graph.members where member_id = $1)
                and not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
                and m.member_id not in (select member_id from same_school)
            order by m.active_at desc, m.member_id
            limit $2 - (select count(*) from same_school)
        ),
        active as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
                and m.member_id not in (select member_id from same_school)
                and m.member_id not in (select member_id from same_location)
            order by m.active_at desc, m.member_id
            limit $2 - (select count(*) from same_school) - (select count(*) from same_location)
        )
        select member_id as "member_id!", 0 as "mutual_connections!", reason as "reason!: Reason"
        from (
            select 2 as place, member_id, 'school' as reason, active_at
            from same_school
            union all
            select 3, member_id, 'location', active_at
            from same_location
            union all
            select 4, member_id, 'active', active_at
            from active
        ) as suggested
        order by place, active_at desc, member_id"#,
        member,
        to_bigint(missing),
        listed,
    )
    .fetch_all(db)
    .await?;
    Ok(suggestions)
}

fn to_bigint(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
