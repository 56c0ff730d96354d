-- Conversations between two members, how each sees them, and what was said.

create table messaging.conversations (
    id uuid,
    -- The two, the smaller id first: one conversation a pair. Null once that account is gone: the other keeps the
    -- thread, with a 'Former member'.
    lower_member_id uuid,
    upper_member_id uuid,
    opened_at timestamptz not null,
    -- The number of the newest message: the next one takes the number after it, under this row's lock.
    last_seq bigint not null default 0,
    -- The newest message once more, so that a list reads no messages.
    last_message text,
    last_message_at timestamptz,
    constraint conversations_pkey primary key (id),
    constraint conversations_lower_member_id_upper_member_id_key unique (lower_member_id, upper_member_id),
    constraint conversations_upper_member_id_check check (lower_member_id < upper_member_id),
    constraint conversations_last_message_check
        check ((last_message is null) = (last_seq = 0) and (last_message_at is null) = (last_seq = 0))
);

-- The pair's index serves the lower id, this one the upper.
create index conversations_upper_member_id_idx on messaging.conversations (upper_member_id);

-- A conversation as one of the two has it: where it stands in their list, and what they have read.
create table messaging.participants (
    conversation_id uuid,
    member_id uuid,
    -- The newest message's time, or the opening: the list's order.
    active_at timestamptz not null,
    -- Everything up to this number has been read.
    read_seq bigint not null default 0,
    -- Messages of the other after read_seq, kept by sending and reading.
    unread_count integer not null default 0,
    constraint participants_pkey primary key (conversation_id, member_id),
    constraint participants_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint participants_read_seq_check check (read_seq >= 0),
    constraint participants_unread_count_check check (unread_count >= 0)
);

create index participants_member_id_active_at_idx
    on messaging.participants (member_id, active_at desc, conversation_id desc);

create table messaging.messages (
    id uuid,
    conversation_id uuid not null,
    -- The place in the conversation: the same order for both.
    seq bigint not null,
    -- Null once that account is gone.
    sender_id uuid,
    content text not null,
    sent_at timestamptz not null,
    constraint messages_pkey primary key (id),
    constraint messages_conversation_id_seq_key unique (conversation_id, seq),
    constraint messages_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint messages_content_check check (char_length(content) between 1 and 4000),
    constraint messages_seq_check check (seq > 0)
);

create index messages_sender_id_idx on messaging.messages (sender_id) where sender_id is not null;
