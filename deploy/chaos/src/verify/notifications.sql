-- Notifications without a cause at its source, and causes without their notification, one line each.
with expected as (
    select p.author_id as member_id, 'post_liked' as kind, p.id as subject_id, r.member_id as actor_id, '' as cause
    from feed.reactions r
    join feed.posts p on p.id = r.post_id
    where r.member_id <> p.author_id
    union all
    select p.author_id, 'post_commented', p.id, c.author_id, c.id::text
    from feed.comments c
    join feed.posts p on p.id = c.post_id
    where c.author_id <> p.author_id
    union all
    select requester_id, 'connection_accepted', id, recipient_id, ''
    from social_graph.connections
    where status = 'accepted'
    union all
    select recipient_id, 'connection_requested', id, requester_id, ''
    from social_graph.connections
    where status = 'pending'
),
found as (
    select n.member_id, n.kind, n.subject_id, c.actor_id, c.cause
    from messaging.notifications n
    join messaging.notification_causes c on c.notification_id = n.id
    where n.kind in ('post_liked', 'post_commented', 'connection_accepted', 'connection_requested')
),
missing as (
    select 'missing' as what, m.* from (select * from expected except all select * from found) m
),
additional as (
    select 'without a cause' as what, a.* from (select * from found except all select * from expected) a
)
select format('%s: %s of %s about %s by %s %s', what, kind, member_id, subject_id, actor_id, cause)
from (select * from missing union all select * from additional) d
