-- Violated invariants of notifications, one row each: notifications that differ from their causes, stored counts that
-- differ from the rows, causes between blocked members, dead facts.
with actors as (
    select notification_id, actor_id, max(at) as at
    from messaging.notification_causes
    group by notification_id, actor_id
),
counted as (
    select
        notification_id, count(*) as n, max(at) as at,
        (array_agg(actor_id order by at desc))[1:3] as latest
    from actors
    group by notification_id
),
unread as (
    select member_id, count(*) as n
    from messaging.notifications
    where read_at is null or read_at < active_at
    group by member_id
)
select format('%s of %s says %s %s %s, its causes %s %s %s', n.id, n.member_id, n.member_ids, n.member_count,
    n.active_at, c.latest, c.n, c.at)
from messaging.notifications n
left join counted c on c.notification_id = n.id
where (n.member_ids, n.member_count) is distinct from (coalesce(c.latest, '{}'), coalesce(c.n::integer, 0))
    or n.active_at <> c.at
union all
select format('%s has %s unread, counted %s', member_id, k.notifications, w.n)
from messaging.unread_counts k
full join unread w using (member_id)
where coalesce(k.notifications, 0) <> coalesce(w.n, 0)
union all
select format('%s has a cause of %s in spite of a block', n.member_id, c.actor_id)
from messaging.notifications n
join messaging.notification_causes c on c.notification_id = n.id
join messaging.blocks b on (b.blocker_id, b.blocked_id) in ((n.member_id, c.actor_id), (c.actor_id, n.member_id))
union all
select format('%s is an actor of an own notification', n.member_id)
from messaging.notifications n
join messaging.notification_causes c on c.notification_id = n.id
where c.actor_id = n.member_id
union all
select format('dead fact: %s %s %s', kind, key, error)
from messaging.dead_facts
