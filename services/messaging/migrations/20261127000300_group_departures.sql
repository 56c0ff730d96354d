-- Members who left a group: its owner cannot add them again. Who sees the system lines of an erased member.

create table messaging.group_departures (
    conversation_id uuid,
    member_id uuid,
    left_at timestamptz not null,
    constraint group_departures_pkey primary key (conversation_id, member_id),
    constraint group_departures_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade
);

create index group_departures_member_id_idx on messaging.group_departures (member_id);

-- A message without a sender is visible to its audience only, also a system line.
update messaging.messages m
set audience = array(
    select p.member_id
    from messaging.participants p
    where p.conversation_id = m.conversation_id
    union
    select subject
    from unnest(m.subject_ids) as subject
    where subject is not null
)
where m.system_kind is not null;
