-- The tables of messaging.

-- Conversations.

-- One row for each pair of members, and one for each group: up to 50 members, one of them the owner.
create table messaging.conversations (
    id uuid,
    -- A group has no pair of members.
    is_group boolean not null default false,
    -- The smaller id of the two comes first. Null after that account is erased: the other member keeps the
    -- conversation, with a 'Former member'.
    lower_member_id uuid,
    upper_member_id uuid,
    title text,
    -- The member who renames the group, adds and removes members. Null for a conversation of two and an empty group.
    owner_id uuid,
    -- The number of participants of a group; 0 for a conversation of two.
    member_count integer not null default 0,
    opened_at timestamptz not null,
    -- The number of the newest message. The next message takes the following one, under the lock of this row.
    last_seq bigint not null default 0,
    -- A copy of the newest message, so that a list reads no messages.
    last_message text,
    -- The attachments of the newest message of a conversation of two. A group reads its newest message.
    last_attachments jsonb,
    last_message_at timestamptz,
    -- The sender of a message request; null after the recipient answers or accepts, or the two connect.
    requested_by uuid,
    -- The read mark of the erased member: the other member's read receipts stay.
    former_read_seq bigint not null default 0,
    constraint conversations_pkey primary key (id),
    constraint conversations_lower_member_id_upper_member_id_key unique (lower_member_id, upper_member_id),
    constraint conversations_upper_member_id_check check (lower_member_id < upper_member_id),
    constraint conversations_is_group_check
        check (
            case
                when is_group then num_nonnulls(lower_member_id, upper_member_id, requested_by) = 0
                else member_count = 0 and num_nonnulls(title, owner_id) = 0
            end
        ),
    constraint conversations_title_check check (char_length(title) between 1 and 100),
    constraint conversations_owner_id_check check (not is_group or (owner_id is null) = (member_count = 0)),
    constraint conversations_member_count_check check (member_count between 0 and 50),
    constraint conversations_last_message_check
        check ((last_message is null) = (last_seq = 0) and (last_message_at is null) = (last_seq = 0)),
    constraint conversations_last_attachments_check check (last_attachments is null or not is_group),
    constraint conversations_requested_by_check check (requested_by in (lower_member_id, upper_member_id)),
    constraint conversations_former_read_seq_check check (former_read_seq >= 0)
);

comment on column messaging.conversations.lower_member_id is 'exported in conversations; erased';
comment on column messaging.conversations.upper_member_id is 'exported in conversations; erased';
comment on column messaging.conversations.title is
    'exported in conversations; not erased: the conversation stays for the other members';
comment on column messaging.conversations.owner_id is 'exported in conversations; erased';
comment on column messaging.conversations.last_message is 'not exported: a copy of the message; not erased: as the title';
comment on column messaging.conversations.last_attachments is 'not exported: copies of the message';
comment on column messaging.conversations.requested_by is 'not exported: the messages show it; erased';

-- The unique constraint serves the lower id, this index the upper one.
create index conversations_upper_member_id_idx on messaging.conversations (upper_member_id);

-- Groups that the last member left, which are deleted in the background.
create index conversations_empty_idx on messaging.conversations (id) where is_group and member_count = 0;

-- The requests of a member that wait for an answer.
create index conversations_requested_by_idx on messaging.conversations (requested_by) where requested_by is not null;

-- The allowance of message requests: how many members a sender may write to first in a day. The time at which it is full again; each
-- request moves it. Absent before the first one.
create table messaging.request_allowances (
    member_id uuid,
    full_at timestamptz not null,
    constraint request_allowances_pkey primary key (member_id)
);

comment on column messaging.request_allowances.member_id is 'not exported: a counter of a day; erased';

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
    -- The unread messages of a muted conversation are not part of the member's totals.
    muted boolean not null default false,
    -- Messages up to this number are hidden from the member.
    cleared_seq bigint not null default 0,
    -- Messages up to this number were sent before the member joined the group, who does not see them.
    joined_seq bigint not null default 0,
    -- In a request of a group: the number of the fifth message that the member received. The member sees no later one before
    -- accepting the group, and no later system line. Null until then.
    received_seq bigint,
    constraint participants_pkey primary key (conversation_id, member_id),
    constraint participants_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint participants_read_seq_check check (read_seq >= 0),
    constraint participants_unread_count_check check (unread_count >= 0),
    constraint participants_folder_check check (folder in ('inbox', 'requests')),
    constraint participants_cleared_seq_check check (cleared_seq >= 0),
    constraint participants_joined_seq_check check (joined_seq between 0 and cleared_seq),
    constraint participants_listed_check check (listed or unread_count = 0)
);

comment on column messaging.participants.member_id is 'exported in conversations; erased';
comment on column messaging.participants.other_member_id is 'exported in conversations; erased';

-- The list of a folder.
create index participants_member_id_folder_active_at_idx
    on messaging.participants (member_id, folder, active_at desc, conversation_id desc)
    include (other_member_id)
    where listed;

-- The list filtered by members; it names both. An index that begins with member_id would compete with the primary key
-- for lookups in one conversation: the generic plan does not know the members with thousands of conversations.
create index participants_other_member_id_member_id_idx on messaging.participants (other_member_id, member_id);

-- Members who left a group: its owner cannot add them again.
create table messaging.group_departures (
    conversation_id uuid,
    member_id uuid,
    left_at timestamptz not null,
    constraint group_departures_pkey primary key (conversation_id, member_id),
    constraint group_departures_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade
);

comment on column messaging.group_departures.member_id is 'exported in group-departures; erased';

create index group_departures_member_id_idx on messaging.group_departures (member_id);

create table messaging.messages (
    id uuid,
    conversation_id uuid not null,
    -- The position in the conversation, equal for both members.
    seq bigint not null,
    -- Null after the account is erased.
    sender_id uuid,
    -- The members who search the message: the participants, for a system line also its subjects, without erased accounts. A message
    -- in a request, and one without a sender, is visible to its audience only.
    audience uuid[] not null default '{}',
    -- A change of the group by the sender, without a text; null for a message of a member.
    system_kind text,
    -- The members that the change concerns. Null elements are erased accounts.
    subject_ids uuid[] not null default '{}',
    content text not null,
    -- The descriptions of the attachments: see src/attachments.rs. Null for most messages. Copies, so that a page reads one table.
    attachments jsonb,
    reply_to_id uuid,
    -- The number of rows in message_reactions: a page reads them only for messages that have some.
    reaction_count integer not null default 0,
    sent_at timestamptz not null,
    edited_at timestamptz,
    -- A deleted message stays in its place, without its text.
    deleted_at timestamptz,
    -- The client's key of the message: a repeated request inserts no second row, at any time.
    idempotency_key text,
    constraint messages_pkey primary key (id),
    constraint messages_conversation_id_seq_key unique (conversation_id, seq),
    constraint messages_conversation_id_fkey
        foreign key (conversation_id) references messaging.conversations (id) on delete cascade,
    constraint messages_reply_to_id_fkey
        foreign key (reply_to_id) references messaging.messages (id) on delete set null,
    constraint messages_seq_check check (seq > 0),
    constraint messages_system_kind_check
        check (system_kind in ('created', 'renamed', 'added', 'removed', 'left')),
    constraint messages_subject_ids_check check (system_kind is not null or subject_ids = '{}'),
    constraint messages_content_check
        check (
            char_length(content) <= 4000
            and case
                when deleted_at is not null or system_kind is not null then content = '' and attachments is null
                else content <> '' or attachments is not null
            end
        ),
    constraint messages_attachments_check
        check (
            attachments is null
            or (
                jsonb_array_length(coalesce(attachments -> 'pictures', '[]')) <= 4
                and (attachments -> 'pictures' is null) <> (attachments -> 'file' is null)
            )
        ),
    constraint messages_reaction_count_check check (reaction_count >= 0 and (deleted_at is null or reaction_count = 0)),
    constraint messages_edited_at_check check (edited_at is null or deleted_at is null)
);

comment on column messaging.messages.sender_id is 'exported in messages; erased';
comment on column messaging.messages.audience is 'exported in messages; erased';
comment on column messaging.messages.system_kind is 'not erased: the message stays for the other members';
comment on column messaging.messages.subject_ids is 'exported in messages; erased';
comment on column messaging.messages.content is 'not erased: as the kind';
comment on column messaging.messages.idempotency_key is 'not exported: a number of the client';

create index messages_sender_id_idx on messaging.messages (sender_id) where sender_id is not null;

-- A block looks in the groups of one member for unread messages of the other, who may have left them.
create index messages_conversation_id_sender_id_seq_idx
    on messaging.messages (conversation_id, sender_id, seq)
    where sender_id is not null;

create unique index messages_conversation_id_sender_id_idempotency_key_key
    on messaging.messages (conversation_id, sender_id, idempotency_key)
    where idempotency_key is not null;

create index messages_reply_to_id_idx on messaging.messages (reply_to_id) where reply_to_id is not null;

-- One member's messages with a word: the index intersects both, so that a word of every message costs no more than the
-- messages of the member. The search finds the names of files too.
create index messages_audience_content_idx on messaging.messages using gin (audience, content ext.gin_trgm_ops);
create index messages_audience_file_name_idx on messaging.messages
    using gin (audience, (attachments -> 'file' ->> 'name') ext.gin_trgm_ops)
    where attachments -> 'file' is not null;

-- A member has each kind of reaction to a message at most once.
create table messaging.message_reactions (
    message_id uuid,
    member_id uuid,
    kind text,
    reacted_at timestamptz not null,
    constraint message_reactions_pkey primary key (message_id, member_id, kind),
    constraint message_reactions_message_id_fkey
        foreign key (message_id) references messaging.messages (id) on delete cascade,
    constraint message_reactions_kind_check check (kind in ('like', 'love', 'laugh', 'wow', 'sad', 'thanks'))
);

comment on column messaging.message_reactions.member_id is 'exported in message-reactions; erased';

create index message_reactions_member_id_idx on messaging.message_reactions (member_id, message_id);

-- Pictures and PDF files of messages.

-- The bytes are in the row: an attachment is deleted in the transaction of its message, and only read with the visibility of the
-- message. One that no message uses within a day is deleted.
create table messaging.attachments (
    id uuid,
    -- Who uploaded it.
    member_id uuid not null,
    -- The message that shows it.
    message_id uuid,
    kind text not null,
    -- The name of a file on the computer of the member; null for a picture.
    name text,
    -- Of a picture, in pixels.
    width integer,
    height integer,
    -- In bytes.
    size integer not null,
    content bytea not null,
    -- For an unused one, the last time that it was uploaded.
    uploaded_at timestamptz not null,
    constraint attachments_pkey primary key (id),
    -- Attachments are taken before their message is inserted, so that the message contains their descriptions.
    constraint attachments_message_id_fkey
        foreign key (message_id) references messaging.messages (id) on delete cascade deferrable initially deferred,
    constraint attachments_kind_check
        check (
            case kind
                when 'picture' then name is null and num_nulls(width, height) = 0
                when 'file' then name is not null and num_nonnulls(width, height) = 0
                else false
            end
        ),
    constraint attachments_name_check check (char_length(name) between 5 and 260),
    constraint attachments_picture_size_check check (width between 1 and 4096 and height between 1 and 4096),
    constraint attachments_size_check check (size = octet_length(content) and size between 5 and 8 * 1024 * 1024)
);

comment on column messaging.attachments.member_id is 'exported in attachments; erased';
comment on column messaging.attachments.content is 'exported in files';

-- JPEG and PDF are compressed already. Without compression, a chunk is read without the rest of the attachment.
alter table messaging.attachments alter column content set storage external;

create index attachments_message_id_idx on messaging.attachments (message_id) where message_id is not null;

-- The bytes that a member stores in messages are summed at each upload, without reading the attachments.
create index attachments_member_id_uploaded_at_size_id_idx
    on messaging.attachments (member_id, uploaded_at)
    include (size, id);

create index attachments_unused_idx on messaging.attachments (uploaded_at) where message_id is null;

-- Copies of the pictures and files of reported messages, for moderators: the sender may delete the message meanwhile.

create table messaging.reported_attachments (
    -- The copied attachment.
    attachment_id uuid,
    message_id uuid not null,
    -- The sender. The erasure of the account deletes the copies, as it deletes the reports in feed.
    member_id uuid not null,
    -- The place of a picture in the message, from 1; null for the file.
    number integer,
    -- The description of a picture.
    alt text not null default '',
    -- Of a picture, in pixels.
    width integer,
    height integer,
    -- The name of a file.
    name text,
    -- In bytes.
    size integer not null,
    content bytea not null,
    -- Afterwards the copy is deleted: a year after the last report, or 30 days after its decision.
    kept_until timestamptz not null,
    constraint reported_attachments_pkey primary key (attachment_id),
    constraint reported_attachments_number_check check (number between 1 and 4),
    constraint reported_attachments_kind_check
        check (
            case
                when number is null then name is not null and num_nonnulls(width, height) = 0
                else name is null and num_nulls(width, height) = 0
            end
        ),
    constraint reported_attachments_size_check check (size = octet_length(content))
);

comment on column messaging.reported_attachments.attachment_id is 'no member';
comment on column messaging.reported_attachments.message_id is 'no member';
comment on column messaging.reported_attachments.member_id is
    'not exported: reports of the member by others are confidential; erased';

alter table messaging.reported_attachments alter column content set storage external;

create index reported_attachments_message_id_idx on messaging.reported_attachments (message_id);
create index reported_attachments_member_id_idx on messaging.reported_attachments (member_id);
create index reported_attachments_kept_until_idx on messaging.reported_attachments (kept_until);

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

comment on column messaging.unread_counts.member_id is 'not exported: sums of the conversations and notifications; erased';

-- Notifications.

-- One row for each recipient, kind, subject and detail: 'A and 3 others liked your post'.
create table messaging.notifications (
    id uuid,
    member_id uuid not null,
    -- The contract names the kinds (`NotificationKind`); a later release may have written others.
    kind text not null,
    -- The id of the post, comment, connection or other subject.
    subject_id uuid not null,
    -- The post of a comment; null for other subjects.
    post_id uuid,
    -- The community of a removal; the subject is the removal, so that each has its own notification.
    community_id uuid,
    -- The time of the newest cause. Lists are ordered by it.
    active_at timestamptz not null,
    -- The notification is unread while this is null or before active_at.
    read_at timestamptz,
    -- The endorsed skill, or the name of a deleted subject.
    detail text not null default '',
    -- The latest actors, at most three, latest first, and the number of all actors: a list reads no causes.
    member_ids uuid[] not null,
    member_count integer not null,
    -- The deadline of a reminder, and its date if it has no time of day.
    due_at timestamptz,
    due_date date,
    -- Of a security notice: the browser that made the change, and the time of the change; active_at is that of the notification.
    user_agent text,
    address text,
    happened_at timestamptz,
    -- The passkeys that remain after a password reset, named in its security notice.
    passkeys text[] not null default '{}',
    constraint notifications_pkey primary key (id),
    constraint notifications_member_id_kind_subject_id_detail_key unique (member_id, kind, subject_id, detail),
    constraint notifications_post_id_check
        check (
            case
                when post_id is null then kind not in ('comment_replied', 'comment_liked')
                else kind in ('comment_replied', 'comment_liked', 'mentioned')
            end
        ),
    constraint notifications_community_id_check
        check ((community_id is not null) = (kind = 'community_content_removed')),
    constraint notifications_detail_check check (char_length(detail) <= 200),
    constraint notifications_member_ids_check check (cardinality(member_ids) = least(member_count, 3)),
    constraint notifications_member_count_check check (member_count >= 0),
    constraint notifications_due_at_check check ((due_at is not null) = (kind = 'application_due')),
    constraint notifications_user_agent_check check (char_length(user_agent) <= 400),
    constraint notifications_address_check check (char_length(address) <= 45),
    constraint notifications_happened_at_check check ((happened_at is not null) = (kind = 'security')),
    constraint notifications_passkeys_check check (cardinality(passkeys) <= 20)
);

comment on column messaging.notifications.member_id is 'exported in notifications; erased';
comment on column messaging.notifications.subject_id is 'no member';
comment on column messaging.notifications.post_id is 'no member';
comment on column messaging.notifications.community_id is 'no member';
comment on column messaging.notifications.member_ids is 'not exported: the notification belongs to another member; erased';

create index notifications_member_id_active_at_idx on messaging.notifications (member_id, active_at desc, id desc);

-- The notifications that a read mark changes.
create index notifications_member_id_unread_idx
    on messaging.notifications (member_id, active_at)
    where read_at is null or read_at < active_at;

-- All notifications about a deleted subject.
create index notifications_subject_id_idx on messaging.notifications (subject_id, kind);

-- All notifications about the comments on a deleted post.
create index notifications_post_id_idx on messaging.notifications (post_id) where post_id is not null;

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

comment on column messaging.notification_causes.actor_id is 'not exported: the notification belongs to another member; erased';

-- The actors that remain after a withdrawal, latest first.
create index notification_causes_notification_id_at_idx on messaging.notification_causes (notification_id, at desc);

-- The causes of an actor by notification, for the work on whole notifications.
create index notification_causes_actor_id_notification_id_idx
    on messaging.notification_causes (actor_id, notification_id);

-- The lock of a member's notifications: every writer of them holds this row.
create table messaging.notification_locks (
    member_id uuid,
    -- The time of the newest notification. It strictly increases, so that a mark up to a time has one meaning under all
    -- clocks.
    latest_at timestamptz not null,
    constraint notification_locks_pkey primary key (member_id)
);

comment on column messaging.notification_locks.member_id is 'not exported: a lock; erased';

-- The switches that differ from a kind's default.
create table messaging.notification_switches (
    member_id uuid,
    kind text,
    is_on boolean not null,
    constraint notification_switches_pkey primary key (member_id, kind)
);

comment on column messaging.notification_switches.member_id is 'exported in notification-switches; erased';

-- The members who turned a kind on: few, where a community has thousands of members.
create index notification_switches_kind_member_id_idx on messaging.notification_switches (kind, member_id) where is_on;

-- Web push: the key of this installation, the subscriptions of browsers, and the pushes that wait for them.

-- One row: all replicas sign with the same key, because a browser subscribes with it.
create table messaging.vapid_keys (
    id smallint,
    -- PKCS#8.
    private_key bytea not null,
    -- An uncompressed P-256 point.
    public_key bytea not null,
    created_at timestamptz not null,
    constraint vapid_keys_pkey primary key (id),
    constraint vapid_keys_id_check check (id = 1),
    constraint vapid_keys_public_key_check check (octet_length(public_key) = 65)
);

create table messaging.push_subscriptions (
    id uuid,
    member_id uuid not null,
    -- The subscription ends with its session.
    session_id uuid not null,
    -- The address of the browser at its push service, and the keys of the encryption: secrets.
    endpoint text not null,
    p256dh bytea not null,
    auth bytea not null,
    language text not null,
    topics text[] not null,
    -- The name of the browser, for the list.
    browser text not null,
    created_at timestamptz not null,
    last_success_at timestamptz,
    constraint push_subscriptions_pkey primary key (id),
    constraint push_subscriptions_endpoint_key unique (endpoint),
    constraint push_subscriptions_endpoint_check check (octet_length(endpoint) <= 2000),
    constraint push_subscriptions_p256dh_check check (octet_length(p256dh) = 65),
    constraint push_subscriptions_auth_check check (octet_length(auth) = 16),
    constraint push_subscriptions_language_check check (language in ('en', 'fil')),
    constraint push_subscriptions_topics_check
        check (topics <@ array['messages', 'connections', 'posts', 'reminders'] and cardinality(topics) between 1 and 4),
    constraint push_subscriptions_browser_check check (char_length(browser) between 1 and 80)
);

comment on column messaging.push_subscriptions.member_id is 'exported in push-subscriptions; erased';
comment on column messaging.push_subscriptions.session_id is 'no member';
comment on column messaging.push_subscriptions.endpoint is 'not exported: a secret of the browser';
comment on column messaging.push_subscriptions.p256dh is 'not exported: a secret of the browser';
comment on column messaging.push_subscriptions.auth is 'not exported: a secret of the browser';

create index push_subscriptions_member_id_idx on messaging.push_subscriptions (member_id);
create index push_subscriptions_session_id_idx on messaging.push_subscriptions (session_id);

-- One row for each browser and conversation or notification: later messages of a conversation use the row that waits.
create table messaging.push_deliveries (
    subscription_id uuid,
    -- The conversation or the notification.
    subject_id uuid,
    subject_kind text not null,
    -- The newest message of a conversation.
    message_id uuid,
    -- Incremented by each cause: a cause that arrives while the row is being sent makes it due again.
    revision integer not null default 1,
    -- Attempts to send this row.
    attempts integer not null default 0,
    -- The time of the next attempt. A worker that sends the row moves it to the end of its lease.
    due_at timestamptz not null,
    -- Afterwards the push is not sent.
    expires_at timestamptz not null,
    constraint push_deliveries_pkey primary key (subscription_id, subject_id),
    constraint push_deliveries_subscription_id_fkey
        foreign key (subscription_id) references messaging.push_subscriptions (id) on delete cascade,
    constraint push_deliveries_subject_kind_check check (subject_kind in ('conversation', 'notification')),
    constraint push_deliveries_message_id_check check ((message_id is not null) = (subject_kind = 'conversation')),
    constraint push_deliveries_revision_check check (revision > 0),
    constraint push_deliveries_attempts_check check (attempts >= 0)
);

comment on column messaging.push_deliveries.subscription_id is 'not exported: a push that waits; erased';
comment on column messaging.push_deliveries.subject_id is 'no member';
comment on column messaging.push_deliveries.message_id is 'no member';

create index push_deliveries_due_at_idx on messaging.push_deliveries (due_at);

-- Sessions that ended within the last hour. A token outlives its session by a minute: a subscription of one of these sessions is
-- refused.
create table messaging.ended_sessions (
    session_id uuid,
    ended_at timestamptz not null,
    constraint ended_sessions_pkey primary key (session_id)
);

comment on column messaging.ended_sessions.session_id is 'no member';

create index ended_sessions_ended_at_idx on messaging.ended_sessions (ended_at);

-- The read model from the facts of auth, profile and social-graph.

-- Members with closed accounts. They receive no messages until they reopen the account.
create table messaging.closed_members (
    member_id uuid,
    -- Whether notifications still name this actor.
    told_of boolean not null default true,
    constraint closed_members_pkey primary key (member_id)
);

comment on column messaging.closed_members.member_id is 'not exported: a copy of the state of the account, in auth; erased';

create index closed_members_told_of_idx on messaging.closed_members (member_id) where told_of;

create table messaging.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

comment on column messaging.blocks.blocker_id is 'not exported: a copy, which social-graph exports; erased';
comment on column messaging.blocks.blocked_id is 'not exported: the choice of another member; erased';

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

comment on column messaging.memberships.community_id is 'no member';
comment on column messaging.memberships.member_id is 'not exported: a copy, which social-graph exports; erased';

create index memberships_member_id_idx on messaging.memberships (member_id);
create index memberships_owners_idx on messaging.memberships (community_id, member_id) where is_owner;

-- What a community was called when a member left it: notifications show a former member no later name.
create table messaging.former_memberships (
    community_id uuid,
    member_id uuid,
    name text not null,
    constraint former_memberships_pkey primary key (community_id, member_id)
);

comment on column messaging.former_memberships.community_id is 'no member';
comment on column messaging.former_memberships.member_id is 'not exported: the name of a community that the member left; erased';

-- For erasure.
create index former_memberships_member_id_idx on messaging.former_memberships (member_id);

create table messaging.events (
    id uuid,
    -- Null after the organiser's account is erased.
    organiser_id uuid,
    title text not null,
    revision integer not null,
    constraint events_pkey primary key (id)
);

comment on column messaging.events.organiser_id is 'not exported: a copy, which social-graph exports; erased';
comment on column messaging.events.title is 'not erased: the event stays for its attendees';

create index events_organiser_id_idx on messaging.events (organiser_id);

create table messaging.attendances (
    event_id uuid,
    member_id uuid,
    constraint attendances_pkey primary key (event_id, member_id)
);

comment on column messaging.attendances.event_id is 'no member';
comment on column messaging.attendances.member_id is 'not exported: a copy, which social-graph exports; erased';

create index attendances_member_id_idx on messaging.attendances (member_id);

-- A copy of profile's privacy settings that concern messages; members without a row have the defaults.
create table messaging.privacy_settings (
    member_id uuid,
    message_audience text not null,
    read_receipts boolean not null,
    constraint privacy_settings_pkey primary key (member_id),
    constraint privacy_settings_message_audience_check
        check (message_audience in ('everyone', 'connections', 'replies_only'))
);

comment on column messaging.privacy_settings.member_id is 'not exported: a copy, which profile exports; erased';

-- Erased accounts with remaining rows, which are deleted in small transactions.
create table messaging.erasures (
    member_id uuid,
    requested_at timestamptz not null,
    constraint erasures_pkey primary key (member_id)
);

comment on column messaging.erasures.member_id is 'not exported: the account is erased already; erased';
