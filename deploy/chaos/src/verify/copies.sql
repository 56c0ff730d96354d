-- Rows of a read model without their source, and sources without their copy, one line each.
with accepted as (
    select id, requester_id, recipient_id from social_graph.connections where status = 'accepted'
),
sides as (
    select requester_id as member_id, id as connection_id, recipient_id as other_id from accepted
    union all
    select recipient_id, id, requester_id from accepted
)
select format('feed: connection %s of %s and %s, at its source %s', coalesce(f.connection_id, s.connection_id),
    coalesce(f.member_id, s.member_id), f.other_id, s.other_id)
from feed.connections f
full join sides s on s.member_id = f.member_id and s.connection_id = f.connection_id
where f.other_id is distinct from s.other_id
union all
select format('profile: connection %s %s', coalesce(p.lower_id, least(a.requester_id, a.recipient_id)),
    coalesce(p.upper_id, greatest(a.requester_id, a.recipient_id)))
from profile.connections p
full join accepted a
    on least(a.requester_id, a.recipient_id) = p.lower_id and greatest(a.requester_id, a.recipient_id) = p.upper_id
where p.lower_id is null or a.id is null
union all
select format('profile: member %s has %s connections, at their source %s', m.id, m.connection_count, s.n)
from profile.members m
cross join lateral (select count(*) as n from sides where sides.member_id = m.id) s
where m.connection_count <> s.n
union all
select format('feed: follow of %s by %s', coalesce(f.followed_id, s.followed_id), coalesce(f.member_id, s.follower_id))
from feed.follows f
full join social_graph.follows s on s.follower_id = f.member_id and s.followed_id = f.followed_id
where f.member_id is null or s.follower_id is null
union all
select format('messaging: no conversation of the connection %s', a.id)
from accepted a
where not exists (
    select
    from messaging.conversations c
    where c.lower_member_id = least(a.requester_id, a.recipient_id)
        and c.upper_member_id = greatest(a.requester_id, a.recipient_id)
        and c.requested_by is null
)
union all
select format('member %s in auth %s, in profile %s', coalesce(a.id, p.id), a.id, p.id)
from auth.accounts a
full join profile.members p on p.id = a.id
where a.id is null or p.id is null
union all
select format('social-graph: member %s', coalesce(a.id, m.member_id))
from auth.accounts a
full join social_graph.members m on m.member_id = a.id
where a.id is null or m.joined_at is null
