-- One line per violated invariant, none in a correct schema: stored counts match the rows, flags match the accounts, blocked
-- pairs are not connected, and every community with members has an owner.
with rows as (
    select requester_id as member_id, 1 as connections, 0 as requests
    from social_graph.connections
    where status = 'accepted' and not recipient_hidden
    union all
    select recipient_id, 1, 0
    from social_graph.connections
    where status = 'accepted' and not requester_hidden
    union all
    select recipient_id, 0, 1
    from social_graph.connections
    where status = 'pending' and not requester_hidden
),
counted as (
    select member_id, sum(connections) as connections, sum(requests) as requests from rows group by 1
)
select format('%s stores %s %s, has %s %s', member_id, k.connections, k.requests, c.connections, c.requests)
from social_graph.member_counts k full join counted c using (member_id)
where (coalesce(k.connections, 0), coalesce(k.requests, 0))
    <> (coalesce(c.connections, 0), coalesce(c.requests, 0))
union all
select 'flags of ' || c.id
from social_graph.connections c
left join social_graph.members a on a.member_id = c.requester_id
left join social_graph.members b on b.member_id = c.recipient_id
where (requester_hidden, recipient_hidden) <> (coalesce(a.hidden, false), coalesce(b.hidden, false))
union all
select 'blocked but ' || status
from social_graph.connections c
where status <> 'rejected'
    and exists (
        select from social_graph.blocks
        where least(blocker_id, blocked_id) = least(requester_id, recipient_id)
            and greatest(blocker_id, blocked_id) = greatest(requester_id, recipient_id)
    )
union all
select 'members of ' || name
from social_graph.communities c
where member_count <> (
    select count(*) from social_graph.memberships m where m.community_id = c.id and not m.hidden
)
union all
select 'attendees of ' || title
from social_graph.events e
where attendee_count <> (
    select count(*) from social_graph.attendances a where a.event_id = e.id and not a.hidden
)
union all
select 'total of communities'
from social_graph.totals
where communities <> (select count(*) from social_graph.communities where visibility = 'public')
union all
select 'visibility of a membership in ' || name
from social_graph.communities c
join social_graph.memberships m on m.community_id = c.id
where m.is_private <> (c.visibility = 'private')
union all
select 'admission to ' || name
from social_graph.communities c
where exists (
        select
        from social_graph.community_requests r
        where r.community_id = c.id
            and (
                c.joining <> 'request'
                or exists (
                    select
                    from social_graph.memberships m
                    where m.community_id = c.id and m.member_id = r.member_id
                )
            )
    )
    or exists (
        select
        from social_graph.community_invitations i
        join social_graph.memberships m on m.community_id = i.community_id and m.member_id = i.member_id
        where i.community_id = c.id
    )
union all
select 'no owner of ' || name
from social_graph.communities c
where exists (select from social_graph.memberships m where m.community_id = c.id)
    and not exists (select from social_graph.memberships m where m.community_id = c.id and m.role = 'owner')
union all
select 'membership of ' || member_id
from social_graph.memberships m
left join social_graph.members a using (member_id)
where m.hidden <> coalesce(a.hidden, false)
union all
select 'attendance of ' || member_id
from social_graph.attendances t
left join social_graph.members a using (member_id)
where t.hidden <> coalesce(a.hidden, false)
