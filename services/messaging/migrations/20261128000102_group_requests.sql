-- The end of what a member receives before accepting a group, so that a request is read without the messages after it.

alter table messaging.participants
    -- In a request of a group: the number of the fifth message that the member received. The member sees no later one before
    -- accepting the group, and no later system line. Null until then.
    add column received_seq bigint;

-- So far later system lines were visible: the range ends before the first message that is not.
update messaging.participants p
set received_seq = hidden.seq - 1
from (
    select r.conversation_id, r.member_id, min(m.seq) as seq
    from messaging.participants r
    join messaging.conversations c on c.id = r.conversation_id and c.is_group
    join messaging.messages m on m.conversation_id = r.conversation_id and m.seq > r.joined_seq
    where r.folder = 'requests'
        and m.sender_id is not null
        and r.member_id <> all (m.audience)
    group by r.conversation_id, r.member_id
) hidden
where p.conversation_id = hidden.conversation_id
    and p.member_id = hidden.member_id;
