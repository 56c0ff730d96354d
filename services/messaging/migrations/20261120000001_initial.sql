-- The outbox and the consumer state of the schema messaging; the crate outbox reads and writes these tables.

-- One row per published fact, inserted in the transaction of the change. Debezium's outbox router can read these
-- columns: id, kind (type), key, payload, at (timestamp), traceparent (tracing).
create table messaging.outbox (
    id bigserial,
    -- The position in commit order, without gaps. The sequencer assigns it after the commit.
    seq bigint,
    -- The full name of the payload's message.
    kind text not null,
    -- Facts of one key keep their order.
    key text not null,
    payload bytea not null,
    traceparent text,
    at timestamptz not null,
    constraint outbox_pkey primary key (id),
    constraint outbox_seq_key unique (seq),
    constraint outbox_seq_check check (seq > 0),
    constraint outbox_kind_check check (kind <> '')
);

-- The rows that wait for the sequencer.
create index outbox_unnumbered_idx on messaging.outbox (id) where seq is null;

-- The last assigned position. The row is also the sequencers' lock.
create table messaging.outbox_sequence (
    id smallint,
    n bigint not null,
    constraint outbox_sequence_pkey primary key (id),
    constraint outbox_sequence_id_check check (id = 1),
    constraint outbox_sequence_n_check check (n >= 0)
);

insert into messaging.outbox_sequence (id, n) values (1, 0);

-- The position consumed from each source. It moves by compare-and-set in the transaction of the effect.
create table messaging.cursors (
    source text,
    seq bigint not null,
    constraint cursors_pkey primary key (source),
    constraint cursors_seq_check check (seq >= 0)
);

-- Facts that failed ten times, complete, so that an operator can publish them again. seq is 0 for a snapshot row.
create table messaging.dead_facts (
    id bigserial,
    source text not null,
    seq bigint not null,
    kind text not null,
    key text not null,
    payload bytea not null,
    traceparent text,
    error text not null,
    at timestamptz not null,
    constraint dead_facts_pkey primary key (id)
);

-- Conversations.

-- One row for each pair of members.
create table messaging.conversations (
    id uuid,
    -- The smaller id of the two comes first. Null after that account is erased: the other member keeps the
    -- conversation, with a 'Former member'.
    lower_member_id uuid,
    upper_member_id uuid,
    opened_at timestamptz not null,
    -- The number of the newest message. The next message takes the following one, under the lock of this row.
    last_seq bigint not null default 0,
    -- A copy of the newest message, so that a list reads no messages.
    last_message text,
    last_message_at timestamptz,
    -- The sender of a message request; null after the recipient answers or accepts, or the two connect.
    requested_by uuid,
    -- The read mark of the erased member: the other member's read receipts stay.
    former_read_seq bigint not null default 0,
    constraint conversations_pkey primary key (id),
    constraint conversations_lower_member_id_upper_member_id_key unique (lower_member_id, upper_member_id),
    constraint conversations_upper_member_id_check check (lower_member_id < upper_member_id),
    constraint conversations_last_message_check
        check ((last_message is null) = (last_seq = 0) and (last_message_at is null) = (last_seq = 0)),
    constraint conversations_requested_by_check check (requested_by in (lower_member_id, upper_member_id)),
    constraint conversations_former_read_seq_check check (former_read_seq >= 0)
);

-- The unique constraint serves the lower id, this index the upper one.
create index conversations_upper_member_id_idx on messaging.conversations (upper_member_id);

-- A conversation in the list of one of its members. The row is inserted with the first message or opening that concerns
-- the member: a request without a message has one row.
create table messaging.participants (
    conversation_id uuid,
    member_id uuid,
    -- The time of the newest message, or of the opening. Lists are ordered by it.
    active_at timestamptz not null,
    -- Messages up to this number are read.
    read_seq bigint not null default 0,
    -- The other member's messages after read_seq, updated with each message and read mark.
    unread_count integer not null default 0,
    -- A copy of the other member's id, for lists filtered by members. Null after that account is erased.
    other_member_id uuid,
    folder text not null default 'inbox',
    -- False after the member clears the conversation, until the next message.
    listed boolean not null default true,
    -- Messages up to this number are hidden from the member.
    cleared_seq bigint not null default 0,
    constraint participants_pkey primary key (conversation_id, member_id),
    constraint participants_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint participants_read_seq_check check (read_seq >= 0),
    constraint participants_unread_count_check check (unread_count >= 0),
    constraint participants_folder_check check (folder in ('inbox', 'requests')),
    constraint participants_cleared_seq_check check (cleared_seq >= 0),
    constraint participants_listed_check check (listed or unread_count = 0)
);

-- The list of a folder.
create index participants_member_id_folder_active_at_idx
    on messaging.participants (member_id, folder, active_at desc, conversation_id desc)
    include (other_member_id)
    where listed;

-- The list filtered by members; it names both. An index that begins with member_id would compete with the primary key
-- for lookups in one conversation: the generic plan does not know the members with thousands of conversations.
create index participants_other_member_id_member_id_idx on messaging.participants (other_member_id, member_id);

create table messaging.messages (
    id uuid,
    conversation_id uuid not null,
    -- The position in the conversation, equal for both members.
    seq bigint not null,
    -- Null after the account is erased.
    sender_id uuid,
    content text not null,
    sent_at timestamptz not null,
    -- The client's key of the message: a repeated request inserts no second row, at any time.
    idempotency_key text,
    constraint messages_pkey primary key (id),
    constraint messages_conversation_id_seq_key unique (conversation_id, seq),
    constraint messages_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint messages_content_check check (char_length(content) between 1 and 4000),
    constraint messages_seq_check check (seq > 0)
);

create index messages_sender_id_idx on messaging.messages (sender_id) where sender_id is not null;

create unique index messages_conversation_id_sender_id_idempotency_key_key
    on messaging.messages (conversation_id, sender_id, idempotency_key)
    where idempotency_key is not null;

-- The unread counts of a member, updated in the transaction of the change.
create table messaging.unread_counts (
    member_id uuid,
    -- Unread messages in the conversations of the inbox.
    messages integer not null default 0,
    -- Requests with unread messages.
    requests integer not null default 0,
    notifications integer not null default 0,
    constraint unread_counts_pkey primary key (member_id),
    constraint unread_counts_messages_check check (messages >= 0),
    constraint unread_counts_requests_check check (requests >= 0),
    constraint unread_counts_notifications_check check (notifications >= 0)
);

-- Notifications.

-- One row for each recipient, kind, subject and detail: 'A and 3 others liked your post'.
create table messaging.notifications (
    id uuid,
    member_id uuid not null,
    kind text not null,
    -- The id of the post, connection or other subject.
    subject_id uuid not null,
    -- The time of the newest cause. Lists are ordered by it.
    active_at timestamptz not null,
    -- The notification is unread while this is null or before active_at.
    read_at timestamptz,
    -- The endorsed skill, or the name of a deleted subject.
    detail text not null default '',
    -- The latest actors, at most three, latest first, and the number of all actors: a list reads no causes.
    member_ids uuid[] not null,
    member_count integer not null,
    constraint notifications_pkey primary key (id),
    constraint notifications_member_id_kind_subject_id_detail_key unique (member_id, kind, subject_id, detail),
    constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled',
            'posting_closed', 'post_reposted'
        )
    ),
    constraint notifications_detail_check check (char_length(detail) <= 200),
    constraint notifications_member_ids_check check (cardinality(member_ids) = least(member_count, 3)),
    -- The closing of a posting has no actor.
    constraint notifications_member_count_check check ((member_count > 0) = (kind <> 'posting_closed'))
);

create index notifications_member_id_active_at_idx on messaging.notifications (member_id, active_at desc, id desc);

-- The notifications that a read mark changes.
create index notifications_member_id_unread_idx
    on messaging.notifications (member_id, active_at)
    where read_at is null or read_at < active_at;

-- All notifications about a deleted subject.
create index notifications_subject_id_idx on messaging.notifications (subject_id, kind);

-- One row for each cause, so that a fact applied twice changes nothing and a cause can be withdrawn.
create table messaging.notification_causes (
    notification_id uuid,
    actor_id uuid,
    at timestamptz not null,
    -- The id of the comment, post or change; empty for actions that a member can take once.
    cause text not null default '',
    constraint notification_causes_pkey primary key (notification_id, actor_id, cause),
    constraint notification_causes_notification_id_fkey
        foreign key (notification_id) references messaging.notifications (id) on delete cascade,
    constraint notification_causes_cause_check check (char_length(cause) <= 36)
);

-- The actors that remain after a withdrawal, latest first.
create index notification_causes_notification_id_at_idx on messaging.notification_causes (notification_id, at desc);

-- The causes of an actor by notification, for the work on whole notifications.
create index notification_causes_actor_id_notification_id_idx
    on messaging.notification_causes (actor_id, notification_id);

-- The lock of a member's notifications: every writer of them holds this row.
create table messaging.bells (
    member_id uuid,
    -- The time of the newest notification. It strictly increases, so that a mark up to a time has one meaning under all
    -- clocks.
    rung_at timestamptz not null,
    constraint bells_pkey primary key (member_id)
);

-- The preferences that differ from a kind's default.
create table messaging.notification_switches (
    member_id uuid,
    kind text,
    is_on boolean not null,
    constraint notification_switches_pkey primary key (member_id, kind)
);

-- The members who turned a kind on: few, where a community has thousands of members.
create index notification_switches_kind_member_id_idx on messaging.notification_switches (kind, member_id) where is_on;

-- The read model from the facts of auth and social-graph.

-- Members with closed accounts. They receive no messages until they reopen the account.
create table messaging.closed_members (
    member_id uuid,
    -- Whether notifications still name this actor.
    told_of boolean not null default true,
    constraint closed_members_pkey primary key (member_id)
);

create index closed_members_told_of_idx on messaging.closed_members (member_id) where told_of;

create table messaging.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_id_idx on messaging.blocks (blocked_id);

-- The recipients of notifications about a community or an event, and its name.
create table messaging.communities (
    id uuid,
    name text not null,
    constraint communities_pkey primary key (id)
);

create table messaging.memberships (
    community_id uuid,
    member_id uuid,
    is_owner boolean not null,
    constraint memberships_pkey primary key (community_id, member_id)
);

create index memberships_member_id_idx on messaging.memberships (member_id);
create index memberships_owners_idx on messaging.memberships (community_id, member_id) where is_owner;

create table messaging.events (
    id uuid,
    -- Null after the organiser's account is erased.
    organiser_id uuid,
    title text not null,
    revision integer not null,
    constraint events_pkey primary key (id)
);

create index events_organiser_id_idx on messaging.events (organiser_id);

create table messaging.attendances (
    event_id uuid,
    member_id uuid,
    constraint attendances_pkey primary key (event_id, member_id)
);

create index attendances_member_id_idx on messaging.attendances (member_id);

-- Erased accounts with remaining rows, which are deleted in small transactions.
create table messaging.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);
