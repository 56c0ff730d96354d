//! People a member may know: the connections of one's connections, then those one shares a community with.

use chassis::input::PageSize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Somebody the member may know.
pub struct Suggestion {
    pub member_id: Uuid,
    pub mutual_connections: i32,
}

/// Connections of the member, and of each of those, that are looked at: the newest ones. This bounds the work, and past
/// it the number of mutual connections is a lower bound.
const LOOKED_AT: i64 = 200;
/// Communities of the member, and members of each, that are looked at.
const COMMUNITIES: i64 = 20;
const COMMUNITY_MEMBERS: i64 = 50;

/// The best suggestions, those with most mutual connections first. Nobody the member has asked, was asked by, rejected,
/// dismissed or who is blocked by either side.
pub async fn list(db: &mut PgConnection, member: Uuid, size: PageSize) -> Result<Vec<Suggestion>, Error> {
    let best = i64::try_from(size.rows()).unwrap_or(i64::MAX);
    let suggestions = sqlx::query_as!(
        Suggestion,
        r#"with friends as (
            select friend
            from (
                (
                    select recipient_id as friend, answered_at
                    from social_graph.connections
                    where requester_id = $1
                        and status = 'accepted'
                    order by answered_at desc, id desc
                    limit $3
                )
                union all
                (
                    select requester_id, answered_at
                    from social_graph.connections
                    where recipient_id = $1
                        and status = 'accepted'
                    order by answered_at desc, id desc
                    limit $3
                )
            ) as sides
            order by answered_at desc
            limit $3
        ),
        candidates as (
            select theirs.candidate, 1 as mutual
            from friends f
            cross join lateral (
                (
                    select recipient_id as candidate
                    from social_graph.connections
                    where requester_id = f.friend
                        and status = 'accepted'
                    order by answered_at desc, id desc
                    limit $3
                )
                union all
                (
                    select requester_id
                    from social_graph.connections
                    where recipient_id = f.friend
                        and status = 'accepted'
                    order by answered_at desc, id desc
                    limit $3
                )
            ) as theirs
            union all
            select fellow.member_id, 0
            from (
                select community_id
                from social_graph.memberships
                where member_id = $1
                order by joined_at desc
                limit $4
            ) as mine
            cross join lateral (
                select m.member_id
                from social_graph.memberships m
                where m.community_id = mine.community_id
                limit $5
            ) as fellow
        ),
        ranked as (
            select candidate, sum(mutual)::integer as mutual
            from candidates
            where candidate <> $1
            group by candidate
        )
        select r.candidate as "member_id!", r.mutual as "mutual_connections!"
        from ranked r
        where not exists (
                select
                from social_graph.connections c
                where least(c.requester_id, c.recipient_id) = least(r.candidate, $1)
                    and greatest(c.requester_id, c.recipient_id) = greatest(r.candidate, $1)
            )
            and not exists (
                select
                from social_graph.dismissed_suggestions d
                where d.member_id = $1
                    and d.dismissed_id = r.candidate
            )
            and not exists (
                select
                from social_graph.blocks b
                where (b.blocker_id = $1 and b.blocked_id = r.candidate)
                    or (b.blocker_id = r.candidate and b.blocked_id = $1)
            )
        order by r.mutual desc, r.candidate
        limit $2"#,
        member,
        best,
        LOOKED_AT,
        COMMUNITIES,
        COMMUNITY_MEMBERS,
    )
    .fetch_all(db)
    .await?;
    Ok(suggestions)
}
