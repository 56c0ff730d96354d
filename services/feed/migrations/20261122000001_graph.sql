-- Who is connected with whom, belongs to which community and blocks whom, as social-graph tells it, and where members
-- study, as profile does: copied, so that a page is still one statement. Nothing here refers to anything: the sources
-- are heard each at its own pace.

-- Two rows a connection, one from either side. Ids were made in the order of time.
create table feed.connections (
    member_id uuid,
    connection_id uuid,
    other_id uuid not null,
    constraint connections_pkey primary key (member_id, connection_id) include (other_id),
    constraint connections_other_id_check check (other_id <> member_id)
);

create table feed.communities (
    id uuid,
    name text not null,
    constraint communities_pkey primary key (id)
);

create table feed.memberships (
    member_id uuid,
    community_id uuid,
    constraint memberships_pkey primary key (member_id, community_id)
);

create index memberships_community_id_idx on feed.memberships (community_id);

-- Either blocks only for themselves; neither is shown to the other while one row stands.
create table feed.blocks (
    blocker_id uuid,
    blocked_id uuid,
    constraint blocks_pkey primary key (blocker_id, blocked_id)
);

create index blocks_blocked_id_idx on feed.blocks (blocked_id, blocker_id);

-- Members whose profile names a school.
create table feed.members (
    member_id uuid,
    -- The name without regard to case and white space.
    school_key text not null,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (char_length(school_key) between 1 and 200)
);
