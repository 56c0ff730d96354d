-- Who is connected with whom, as social-graph tells it; and members who closed their account.

-- One row a pair. No foreign keys: the two sources, auth and social-graph, are heard each at its own pace.
create table profile.connections (
    lower_id uuid,
    upper_id uuid,
    constraint connections_pkey primary key (lower_id, upper_id),
    constraint connections_upper_id_check check (lower_id < upper_id)
);

create index connections_upper_id_idx on profile.connections (upper_id);

-- A hidden member is shown to nobody and counted nowhere. The count is of connections with members who are not hidden.
alter table profile.members
    add column hidden boolean not null default false,
    add column connection_count bigint not null default 0,
    add constraint members_connection_count_check check (connection_count >= 0);
