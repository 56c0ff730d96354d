-- What the graph knows of members: whom it may suggest and show, and the counts kept of them.

-- Copied from what auth and profile tell, but for active_at. A row may be here before either told of the member: the
-- two rows of a pair are what a request to connect and a block of that pair wait for one another on.
create table social_graph.members (
    member_id uuid,
    -- School and location as compared: lower case, single spaces. Null where the profile says nothing.
    school_key text,
    location_key text,
    -- When auth says the account was made; null while only others told of it.
    joined_at timestamptz,
    -- When the member came or last did something here, within the hour. Null for a member nobody told of.
    active_at timestamptz,
    -- The account is closed.
    hidden boolean not null default false,
    constraint members_pkey primary key (member_id),
    constraint members_school_key_check check (school_key <> ''),
    constraint members_location_key_check check (location_key <> '')
);

-- Suggestions walk these from the most recently active on.
create index members_school_key_active_at_idx
    on social_graph.members (school_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_location_key_active_at_idx
    on social_graph.members (location_key, active_at desc, member_id)
    where not hidden and active_at is not null;

create index members_active_at_idx
    on social_graph.members (active_at desc, member_id)
    where not hidden and active_at is not null;

-- What a member's lists hold, kept in the transaction that changes it; rows are locked in the order of member_id.
-- Apart from members, because a closed account changes the counts of everybody it is connected with.
create table social_graph.member_counts (
    member_id uuid,
    -- Accepted connections with members whose account is open.
    connections bigint not null,
    -- Requests of such members that wait for this one's answer.
    requests bigint not null,
    constraint member_counts_pkey primary key (member_id),
    constraint member_counts_connections_check check (connections >= 0),
    constraint member_counts_requests_check check (requests >= 0)
);

insert into social_graph.member_counts (member_id, connections, requests)
select member_id, sum(connections), sum(requests)
from (
    select requester_id as member_id, 1 as connections, 0 as requests
    from social_graph.connections
    where status = 'accepted'
    union all
    select recipient_id, 1, 0
    from social_graph.connections
    where status = 'accepted'
    union all
    select recipient_id, 0, 1
    from social_graph.connections
    where status = 'pending'
) as sides
group by member_id;
