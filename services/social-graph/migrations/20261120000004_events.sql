-- What members attend, and who does.

create table social_graph.events (
    id uuid,
    title text not null,
    description text,
    location text,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    -- An IANA name: the hour people read on the poster.
    time_zone text not null,
    -- Null once the organiser's account is gone: others still want to attend.
    organiser_id uuid,
    -- Kept in the transaction that adds or removes an attendance.
    attendee_count bigint not null default 0,
    created_at timestamptz not null,
    constraint events_pkey primary key (id),
    constraint events_title_check check (char_length(title) between 1 and 200),
    -- The bound lets the list of upcoming events start at a place in its index: see events.rs.
    constraint events_ends_at_check check (ends_at > starts_at and ends_at - starts_at <= interval '14 days'),
    constraint events_attendee_count_check check (attendee_count >= 0)
);

create index events_starts_at_idx on social_graph.events (starts_at, id);
create index events_organiser_id_idx on social_graph.events (organiser_id);

create table social_graph.attendances (
    id uuid,
    event_id uuid not null,
    member_id uuid not null,
    said_at timestamptz not null,
    constraint attendances_pkey primary key (id),
    constraint attendances_event_id_member_id_key unique (event_id, member_id),
    constraint attendances_event_id_fkey
        foreign key (event_id) references social_graph.events (id) on delete cascade
);

create index attendances_event_id_said_at_idx on social_graph.attendances (event_id, said_at, id);
create index attendances_member_id_idx on social_graph.attendances (member_id);
