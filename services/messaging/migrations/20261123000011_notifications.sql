-- The bell: what it tells and why, who wants what, and what it must know of communities and events.

-- Nothing has written any yet.
delete from messaging.notifications;

alter table messaging.notifications
    drop constraint notifications_kind_check,
    drop constraint notifications_member_id_kind_subject_id_key,
    -- Which skill of the subject; or what the subject was called, where it is gone and nothing else knows.
    add column detail text not null default '',
    -- Who caused it, the latest first, as many as are shown, and how many they are: a list reads no causes.
    add column member_ids uuid[] not null,
    add column member_count integer not null,
    add constraint notifications_member_id_kind_subject_id_detail_key unique (member_id, kind, subject_id, detail),
    add constraint notifications_kind_check check (
        kind in (
            'post_liked', 'post_commented', 'connection_requested', 'connection_accepted', 'skill_endorsed',
            'community_joined', 'community_posted', 'event_attended', 'event_changed', 'event_cancelled'
        )
    ),
    add constraint notifications_detail_check check (char_length(detail) <= 200),
    add constraint notifications_member_ids_check check (cardinality(member_ids) = least(member_count, 3)),
    add constraint notifications_member_count_check check (member_count > 0);

-- What is marked when the bell was looked at.
create index notifications_member_id_unread_idx
    on messaging.notifications (member_id, active_at)
    where read_at is null or read_at < active_at;

-- Everybody's about one thing, for when it goes.
create index notifications_subject_id_idx on messaging.notifications (subject_id, kind);

-- A member may cause the same several times: with each comment.
alter table messaging.notification_causes
    -- Which comment, post or change; empty where it can be done only once.
    add column cause text not null default '',
    drop constraint notification_causes_pkey,
    add constraint notification_causes_pkey primary key (notification_id, actor_id, cause),
    add constraint notification_causes_cause_check check (char_length(cause) <= 36);

-- Who comes after whoever takes a cause back.
create index notification_causes_notification_id_at_idx on messaging.notification_causes (notification_id, at desc);

-- Whoever writes a member's notifications holds this row: what is told, withdrawn, blocked and read takes turns.
create table messaging.bells (
    member_id uuid,
    -- When it rang last: it never rings twice at one moment, or earlier than before, so that a mark up to a moment
    -- means the same whichever clock.
    rung_at timestamptz not null,
    constraint bells_pkey primary key (member_id)
);

-- Kinds that a member has turned on or off; the others are as they come.
create table messaging.notification_switches (
    member_id uuid,
    kind text,
    is_on boolean not null,
    constraint notification_switches_pkey primary key (member_id, kind)
);

-- Copied from what social-graph tells: who hears what happens in a community or to an event, and what it is called.
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
    -- Null once that account is gone.
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
