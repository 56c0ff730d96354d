-- Requests, sides that were cleared, messages sent twice, blocks, and how much waits unread.

alter table messaging.conversations
    -- Who opened it with somebody they are not connected with: until that one answers or accepts, or the two connect.
    add column requested_by uuid,
    -- What whoever is gone had read: the other's ticks stay as they were.
    add column former_read_seq bigint not null default 0,
    add constraint conversations_requested_by_check check (requested_by in (lower_member_id, upper_member_id)),
    add constraint conversations_former_read_seq_check check (former_read_seq >= 0);

-- A member takes part from the first thing that concerns them: a request in which nothing was said yet has one row here.
alter table messaging.participants
    -- The other of the two, once more, so that a list can be cut to some people. Null once that account is gone.
    add column other_member_id uuid,
    add column folder text not null default 'inbox',
    -- Whether it stands in its folder: not from when the member cleared it until somebody writes again.
    add column listed boolean not null default true,
    -- Everything up to this number is not shown to the member any more.
    add column cleared_seq bigint not null default 0,
    add constraint participants_folder_check check (folder in ('inbox', 'requests')),
    add constraint participants_cleared_seq_check check (cleared_seq >= 0),
    add constraint participants_listed_check check (listed or unread_count = 0);

update messaging.participants p
set other_member_id =
    case p.member_id when c.lower_member_id then c.upper_member_id else c.lower_member_id end
from messaging.conversations c
where c.id = p.conversation_id;

drop index messaging.participants_member_id_active_at_idx;

-- A folder, in its order.
create index participants_member_id_folder_active_at_idx
    on messaging.participants (member_id, folder, active_at desc, conversation_id desc)
    include (other_member_id)
    where listed;

-- The same cut to some people.
create index participants_member_id_other_member_id_idx on messaging.participants (member_id, other_member_id);

-- The sender's own name for a message: sending it again makes no second one, however late.
alter table messaging.messages
    add column idempotency_key text;

create unique index messages_conversation_id_sender_id_idempotency_key_key
    on messaging.messages (conversation_id, sender_id, idempotency_key)
    where idempotency_key is not null;

-- Who blocks whom, copied from what social-graph tells.
create table messaging.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_id_idx on messaging.blocks (blocked_id);

-- How much waits unread for a member: changed in the transaction of its cause, never counted.
create table messaging.unread_counts (
    member_id uuid,
    -- In the conversations of the inbox.
    messages integer not null default 0,
    -- Requests with something unread.
    requests integer not null default 0,
    notifications integer not null default 0,
    constraint unread_counts_pkey primary key (member_id),
    constraint unread_counts_messages_check check (messages >= 0),
    constraint unread_counts_requests_check check (requests >= 0),
    constraint unread_counts_notifications_check check (notifications >= 0)
);
