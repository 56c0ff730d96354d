//! Suggested members: connections of the member's connections, then members of the same school, of the same location, and
//! active members; and the suggestions a member has dismissed.

use chrono::{DateTime, Utc};
use primitives::input::PageSize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The first reason that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Reason {
    Mutual,
    School,
    Location,
    Active,
}

pub struct Suggestion {
    pub member_id: Uuid,
    pub mutual_connections: i32,
    pub reason: Reason,
}

/// The newest connections of the member, and of each of those, that are considered. This bounds the work; beyond it the
/// number of mutual connections is a lower bound.
const MAX_SCANNED: i64 = 200;

/// The best suggestions, without members the viewer already has a row with (`known`) and unlisted ones, whose profile the
/// viewer may not see. Twice as many members as needed are checked for the latter: looking up each candidate would cost
/// more than the rest. The partial indexes contain no closed
/// account. A later reason fills only the places that earlier reasons leave.
///
/// `not in` is deliberate: it probes a hash of the member's own rows, while `not exists` may become a join that reads all
/// members before the limit applies.
pub async fn list(db: &mut PgConnection, member: Uuid, size: PageSize) -> Result<Vec<Suggestion>, Error> {
    let best = i64::try_from(size.rows()).unwrap_or(i64::MAX);
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
            select $1
        ),
        friends as materialized (
            select friend
            from (
                (
                    select recipient_id as friend, answered_at
                    from social_graph.connections
                    where requester_id = $1
                        and status = 'accepted'
                        and not recipient_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
                union all
                (
                    select requester_id, answered_at
                    from social_graph.connections
                    where recipient_id = $1
                        and status = 'accepted'
                        and not requester_hidden
                    order by answered_at desc, id desc
                    limit $3
                )
            ) as sides
            order by answered_at desc
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
        ),
        mutual as materialized (
            select c.member_id, c.mutual
            from counted c
            where not exists (
                select from social_graph.members m
                where m.member_id = c.member_id
                    and m.unlisted
            )
            order by c.mutual desc, c.member_id
            limit $2
        ),
        same_school as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where m.school_key = (select school_key from social_graph.members where member_id = $1)
                and not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
                and m.member_id not in (select member_id from mutual)
            order by m.active_at desc, m.member_id
            limit $2 - (select count(*) from mutual)
        ),
        same_location as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where m.location_key = (select location_key from social_graph.members where member_id = $1)
                and not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
                and m.member_id not in (select member_id from mutual)
                and m.member_id not in (select member_id from same_school)
            order by m.active_at desc, m.member_id
            limit $2 - (select count(*) from mutual) - (select count(*) from same_school)
        ),
        active as materialized (
            select m.member_id, m.active_at
            from social_graph.members m
            where not m.hidden
                and not m.unlisted
                and m.active_at is not null
                and m.member_id not in (select member_id from known)
                and m.member_id not in (select member_id from mutual)
                and m.member_id not in (select member_id from same_school)
                and m.member_id not in (select member_id from same_location)
            order by m.active_at desc, m.member_id
            limit $2
                - (select count(*) from mutual)
                - (select count(*) from same_school)
                - (select count(*) from same_location)
        )
        select member_id as "member_id!", mutual as "mutual_connections!", reason as "reason!: Reason"
        from (
            select 1 as place, member_id, mutual, 'mutual' as reason, null::timestamptz as active_at
            from mutual
            union all
            select 2, member_id, 0, 'school', active_at
            from same_school
            union all
            select 3, member_id, 0, 'location', active_at
            from same_location
            union all
            select 4, member_id, 0, 'active', active_at
            from active
        ) as suggested
        order by place, mutual desc, active_at desc, member_id"#,
        member,
        best,
        MAX_SCANNED,
    )
    .fetch_all(db)
    .await?;
    Ok(suggestions)
}

/// Excludes `other` from the member's suggestions.
pub async fn dismiss(db: &mut PgConnection, member: Uuid, other: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "insert into social_graph.dismissed_suggestions (member_id, dismissed_id, dismissed_at)
        values ($1, $2, $3)
        on conflict (member_id, dismissed_id) do nothing",
        member,
        other,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}
