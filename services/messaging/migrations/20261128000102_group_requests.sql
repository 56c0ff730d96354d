-- The end of what a member receives before accepting a group, so that a request is read without the messages after it.

alter table messaging.participants
    -- In a request of a group: the number of the fifth message that the member received. The member sees no later one before
    -- accepting the group, and no later system line. Null until then.
    add column received_seq bigint;

-- So far later system lines were visible: the range ends with the fifth message, or before the first one that is not visible.
update messaging.participants p
set received_seq = received.seq
from (
    select r.conversation_id, r.member_id, min(case when m.is_visible then m.seq else m.seq - 1 end) as seq
    from messaging.participants r
    join messaging.conversations c on c.id = r.conversation_id and c.is_group
    cross join lateral (
        select
            sent.seq,
            r.member_id = any (sent.audience) as is_visible,
            count(*) filter (where r.member_id = any (sent.audience)) over (order by sent.seq) as place
        from messaging.messages sent
        where sent.conversation_id = r.conversation_id
            and sent.seq > r.joined_seq
            and sent.sender_id is not null
            and sent.system_kind is null
    ) m
    where r.folder = 'requests'
        and (m.place = 5 or not m.is_visible)
    group by r.conversation_id, r.member_id
) received
where p.conversation_id = received.conversation_id
    and p.member_id = received.member_id;
