-- Violated invariants of conversations, one row each: stored counts and totals that differ from the rows, gaps in numbers,
-- wrong last messages, participants that contradict each other.
with checked as (
    select
        p.*, c.last_seq, c.requested_by, c.is_group,
        case p.member_id when c.lower_member_id then c.upper_member_id else c.lower_member_id end as other_of_pair,
        exists (
            select
            from messaging.blocks b
            where (b.blocker_id = p.member_id and b.blocked_id = p.other_member_id)
                or (b.blocker_id = p.other_member_id and b.blocked_id = p.member_id)
        ) as blocked,
        (
            select count(*)
            from messaging.messages m
            where m.conversation_id = p.conversation_id
                and m.seq > greatest(p.read_seq, p.cleared_seq)
                and m.sender_id is distinct from p.member_id
                and m.system_kind is null
                and m.deleted_at is null
                and (
                    p.member_id = any (m.audience)
                    or (m.sender_id is not null and p.folder = 'inbox')
                )
                and not (
                    c.is_group
                    and exists (
                        select
                        from messaging.blocks b
                        where (b.blocker_id = p.member_id and b.blocked_id = m.sender_id)
                            or (b.blocker_id = m.sender_id and b.blocked_id = p.member_id)
                    )
                )
        ) as counted
    from messaging.participants p
    join messaging.conversations c on c.id = p.conversation_id
),
totals as (
    select
        member_id,
        coalesce(sum(counted) filter (where folder = 'inbox' and not muted), 0) as messages,
        count(*) filter (where folder = 'requests' and counted > 0 and not muted) as requests
    from checked
    group by member_id
)
select format('%s has %s unread in %s, counted %s', member_id, unread_count, conversation_id, counted)
from checked
where unread_count <> counted
union all
select format('%s has stored totals %s %s, counted %s %s', member_id, k.messages, k.requests, t.messages, t.requests)
from messaging.unread_counts k full join totals t using (member_id)
where (coalesce(k.messages, 0), coalesce(k.requests, 0)) <> (coalesce(t.messages, 0), coalesce(t.requests, 0))
union all
select format('%s blocks or is blocked and has %s unread in %s', member_id, counted, conversation_id)
from checked
where blocked and counted > 0
union all
select format('%s does not have %s in the list in spite of a message', member_id, conversation_id)
from checked
where not listed and cleared_seq < last_seq and not is_group
union all
select format('%s has %s in the wrong folder %s', member_id, conversation_id, folder)
from checked
where other_member_id is not null and (folder = 'requests') <> (coalesce(requested_by, member_id) <> member_id)
union all
select format('%s has another partner than the pair in %s', member_id, conversation_id)
from checked
where other_member_id is distinct from other_of_pair
union all
select format('%s has a mark after the last message of %s', member_id, conversation_id)
from checked
where read_seq > last_seq or cleared_seq > last_seq or joined_seq > cleared_seq
union all
select format('the numbers or the last message of %s', c.id)
from messaging.conversations c
left join lateral (
    select count(*) as n, max(seq) as newest, min(seq) as oldest
    from messaging.messages
    where conversation_id = c.id
) numbers on true
left join messaging.messages m on m.conversation_id = c.id and m.seq = c.last_seq
where numbers.n <> c.last_seq
    or coalesce(numbers.newest, 0) <> c.last_seq
    or coalesce(numbers.oldest, 1) <> 1
    or m.content is distinct from c.last_message
    or m.sent_at is distinct from c.last_message_at
union all
select format('%s has the number of reactions %s', m.id, m.reaction_count)
from messaging.messages m
where m.reaction_count <> (select count(*) from messaging.message_reactions r where r.message_id = m.id)
union all
select format('no participants in %s', c.id)
from messaging.conversations c
where not exists (select from messaging.participants p where p.conversation_id = c.id)
    and not (c.is_group and c.member_count = 0)
union all
select format('the number of members or the owner of %s', c.id)
from messaging.conversations c
where c.is_group
    and (
        c.member_count <> (select count(*) from messaging.participants p where p.conversation_id = c.id)
        or (
            c.owner_id is not null
            and not exists (
                select
                from messaging.participants p
                where p.conversation_id = c.id
                    and p.member_id = c.owner_id
            )
        )
    )
union all
select format('a participant is missing in %s', c.id)
from messaging.conversations c
where num_nulls(c.lower_member_id, c.upper_member_id) = 0
    and (select count(*) from messaging.participants p where p.conversation_id = c.id) <>
        case when c.last_seq = 0 and c.requested_by is not null then 1 else 2 end
union all
select format('the attachments of the last message of %s', c.id)
from messaging.conversations c
left join messaging.messages m on m.conversation_id = c.id and m.seq = c.last_seq
where not c.is_group
    and m.attachments is distinct from c.last_attachments
union all
select format('%s describes other attachments than it has', m.id)
from messaging.messages m
where (
        select count(*)
        from messaging.attachments a
        where a.message_id = m.id
            and a.member_id is not distinct from m.sender_id
    ) <> jsonb_array_length(coalesce(m.attachments -> 'pictures', '[]')) + (m.attachments -> 'file' is not null)::integer
