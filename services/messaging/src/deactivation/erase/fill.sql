-- More than a batch of every kind of row of a member: conversations and groups with 1,200 others, reactions to messages, a long
-- conversation without another participant, 1,200 blocks, as many notifications caused and received, and one of each with 1,300 causes.

insert into messaging.conversations
    (id, lower_member_id, upper_member_id, opened_at, last_seq, last_message, last_message_at)
select
    ('01930000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, '{me}'::uuid, id,
    '2026-01-01'::timestamptz, 2, 'Yes', '2026-01-01'::timestamptz
from {others}
union all
select '01930000-0000-7000-a000-000000000000', '{me}', null, '2026-01-01', 1300, 'Hello?', '2026-01-01';

insert into messaging.participants
    (conversation_id, member_id, other_member_id, active_at, read_seq, unread_count)
select id, '{me}', upper_member_id, opened_at, last_seq - 1, 1
from messaging.conversations
where last_seq = 2
union all
select id, upper_member_id, lower_member_id, opened_at, last_seq, 0
from messaging.conversations
where last_seq = 2
union all
select id, '{me}', null, opened_at, last_seq, 0
from messaging.conversations
where last_seq > 2;

insert into messaging.messages
    (id, conversation_id, seq, sender_id, content, sent_at, idempotency_key, audience, reaction_count)
select
    gen_random_uuid(), c.id, seq,
    case when seq % 2 = 1 then '{me}'::uuid else upper_member_id end,
    last_message, opened_at, 'key ' || seq,
    array_remove(array[lower_member_id, upper_member_id], null), case when c.last_seq = 2 then 2 else 0 end
from messaging.conversations c, generate_series(1, c.last_seq) seq;

insert into messaging.message_reactions (message_id, member_id, kind, reacted_at)
select m.id, '{me}', kind, sent_at
from messaging.messages m, unnest(array['like', 'love']) kind
where m.reaction_count > 0;

insert into messaging.blocks (blocker_id, blocked_id)
select case when n % 2 = 0 then '{me}'::uuid else id end, case when n % 2 = 0 then id else '{me}'::uuid end
from (
    select n, ('01980000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
    from generate_series(1, 1200) n
) as strangers;

-- Notifications that name the member: a like for each of the others, and 1,300 posts for the first.
insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
select
    ('01960000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, id, 'post_liked', gen_random_uuid(), '2026-01-01',
    array['{me}'::uuid], 1
from {others};

insert into messaging.notification_causes (notification_id, actor_id, at)
select id, '{me}', active_at
from messaging.notifications;

insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
select '01960000-0000-7000-a000-000000000000', id, 'community_posted', gen_random_uuid(), '2026-01-02',
    array['{me}', '01950000-0000-7000-8000-000000000001']::uuid[], 2
from {others}
where n = 1;

insert into messaging.notification_causes (notification_id, actor_id, cause, at)
select
    '01960000-0000-7000-a000-000000000000',
    case when n = 0 then '01950000-0000-7000-8000-000000000001'::uuid else '{me}' end,
    n, '2026-01-02'::timestamptz - (1300 - n) * interval '1 second'
from generate_series(0, 1300) n;

-- The member's notifications: likes of many posts, and one post with 1,300 likes.
insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
select
    ('01970000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '{me}', 'post_liked', gen_random_uuid(),
    '2026-01-01', array[id], 1
from {others};

insert into messaging.notification_causes (notification_id, actor_id, at)
select id, member_ids[1], active_at
from messaging.notifications
where member_id = '{me}';

insert into messaging.notifications (id, member_id, kind, subject_id, active_at, member_ids, member_count)
select
    '01970000-0000-7000-a000-000000000000', '{me}', 'post_liked', gen_random_uuid(), '2026-01-02',
    array_agg(id order by n desc) filter (where n > 1297), 1300
from (
    select n, ('01950000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
    from generate_series(1, 1300) n
) as strangers;

insert into messaging.notification_causes (notification_id, actor_id, at)
select
    '01970000-0000-7000-a000-000000000000', ('01950000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    '2026-01-02'::timestamptz - (1300 - n) * interval '1 second'
from generate_series(1, 1300) n;

insert into messaging.unread_counts (member_id, messages, notifications)
select id, 0, 1 + (n = 1)::integer
from {others}
union all
select '{me}', 1200, 1201;

insert into messaging.notification_locks (member_id, latest_at)
select id, '2026-01-02'::timestamptz
from {others}
union all
select '{me}', '2026-01-02';

insert into messaging.notification_switches (member_id, kind, is_on)
values ('{me}', 'community_posted', true);

-- Groups that the member owns, each with another member and a line that names the member.
insert into messaging.conversations
    (id, opened_at, is_group, owner_id, member_count, last_seq, last_message, last_message_at)
select
    ('01930000-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, '2026-01-01', true, '{me}', 2, 1, '', '2026-01-01'
from {others};

insert into messaging.participants (conversation_id, member_id, active_at, read_seq)
select ('01930000-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, member_id, '2026-01-01', 1
from {others}
cross join lateral unnest(array['{me}'::uuid, id]) member_id;

insert into messaging.messages
    (id, conversation_id, seq, sender_id, content, sent_at, system_kind, subject_ids, audience)
select
    gen_random_uuid(), ('01930000-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, id, '', '2026-01-01', 'added',
    array['{me}'::uuid], array['{me}'::uuid]
from {others};
