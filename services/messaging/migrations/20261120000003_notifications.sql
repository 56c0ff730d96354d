-- What the bell tells a member, grouped by what it is about.

-- One row a member, kind and thing: 'A and 3 others liked your post'.
create table messaging.notifications (
    id uuid,
    member_id uuid not null,
    kind text not null,
    -- The post, connection, application ... it is about.
    subject_id uuid not null,
    -- The newest cause's time: the list's order.
    active_at timestamptz not null,
    -- Unread while null or before active_at.
    read_at timestamptz,
    constraint notifications_pkey primary key (id),
    constraint notifications_member_id_kind_subject_id_key unique (member_id, kind, subject_id),
    constraint notifications_kind_check check (kind ~ '^[a-z]+(-[a-z]+)*$')
);

create index notifications_member_id_active_at_idx on messaging.notifications (member_id, active_at desc, id desc);

-- Who caused it, one row a cause, so that hearing a fact twice changes nothing and a cause can be withdrawn.
create table messaging.notification_causes (
    notification_id uuid,
    actor_id uuid,
    at timestamptz not null,
    constraint notification_causes_pkey primary key (notification_id, actor_id),
    constraint notification_causes_notification_id_fkey
        foreign key (notification_id) references messaging.notifications (id) on delete cascade
);

create index notification_causes_actor_id_idx on messaging.notification_causes (actor_id);
