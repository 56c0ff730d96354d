-- The suggestions of the member $1, at most $2, from the newest $3 connections: in one statement, with which the model test compares.
with known as materialized (
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
select member_id, mutual, reason
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
order by place, mutual desc, active_at desc, member_id
