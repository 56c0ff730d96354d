-- What is wrong with the bells, a line each: groups that their causes contradict, kept counts that counting contradicts,
-- causes between members who block each other, facts put aside. Nothing, whatever happened.
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
waiting as (
    select member_id, count(*) as n
    from messaging.notifications
    where read_at is null or read_at < active_at
    group by member_id
)
select format('%s of %s says %s %s %s, its causes %s %s %s', n.id, n.member_id, n.member_ids, n.member_count,
    n.active_at, c.latest, c.n, c.at)
from messaging.notifications n
left join counted c on c.notification_id = n.id
where n.kind <> 'posting_closed'
    and (n.member_ids, n.member_count, n.active_at) is distinct from (c.latest, c.n::integer, c.at)
union all
select format('%s of %s is nobody''s doing, and has causes', n.id, n.member_id)
from messaging.notifications n
join messaging.notification_causes c on c.notification_id = n.id
where n.kind = 'posting_closed'
union all
select format('%s is told that %s wait, %s do', member_id, k.notifications, w.n)
from messaging.unread_counts k
full join waiting w using (member_id)
where coalesce(k.notifications, 0) <> coalesce(w.n, 0)
union all
select format('%s is told of %s, and one blocks the other', n.member_id, c.actor_id)
from messaging.notifications n
join messaging.notification_causes c on c.notification_id = n.id
join messaging.blocks b on (b.blocker_id, b.blocked_id) in ((n.member_id, c.actor_id), (c.actor_id, n.member_id))
union all
select format('%s is told of themselves', n.member_id)
from messaging.notifications n
join messaging.notification_causes c on c.notification_id = n.id
where c.actor_id = n.member_id
union all
select format('put aside: %s %s %s', kind, key, error)
from messaging.dead_facts
