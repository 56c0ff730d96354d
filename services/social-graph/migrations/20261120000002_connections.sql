-- Who knows whom, who wants to be shown whom, who wants nothing to do with whom.

-- One row an unordered pair of members, whoever asked: two crossing requests meet in it.
create table social_graph.connections (
    id uuid,
    requester_id uuid not null,
    recipient_id uuid not null,
    status text not null,
    -- When the present requester asked; asking again after a rejection sets it anew.
    requested_at timestamptz not null,
    -- When the recipient accepted or rejected; a rejected requester may ask again 30 days later.
    answered_at timestamptz,
    constraint connections_pkey primary key (id),
    constraint connections_recipient_id_check check (recipient_id <> requester_id),
    constraint connections_status_check check (status in ('pending', 'accepted', 'rejected')),
    constraint connections_answered_at_check check ((answered_at is null) = (status = 'pending'))
);

create unique index connections_pair_key
    on social_graph.connections (least(requester_id, recipient_id), greatest(requester_id, recipient_id));

-- A member's connections stand on either side: one index a side, both in the order of the list.
create index connections_requester_id_answered_at_idx
    on social_graph.connections (requester_id, answered_at desc, id desc)
    where status = 'accepted';

create index connections_recipient_id_answered_at_idx
    on social_graph.connections (recipient_id, answered_at desc, id desc)
    where status = 'accepted';

create index connections_recipient_id_requested_at_idx
    on social_graph.connections (recipient_id, requested_at desc, id desc)
    where status = 'pending';

-- Every row of a member, whatever its status: for erasing. The pair's index serves the smaller id, this one the greater.
create index connections_greatest_idx on social_graph.connections (greatest(requester_id, recipient_id));

-- Suggestions a member does not want to see again.
create table social_graph.dismissed_suggestions (
    member_id uuid,
    dismissed_id uuid,
    dismissed_at timestamptz not null,
    constraint dismissed_suggestions_pkey primary key (member_id, dismissed_id),
    constraint dismissed_suggestions_dismissed_id_check check (dismissed_id <> member_id)
);

create index dismissed_suggestions_dismissed_id_idx on social_graph.dismissed_suggestions (dismissed_id);

-- One row a direction: both may block, and each lifts only their own.
create table social_graph.blocks (
    blocker_id uuid,
    blocked_id uuid,
    blocked_at timestamptz not null,
    constraint blocks_pkey primary key (blocker_id, blocked_id),
    constraint blocks_blocked_id_check check (blocked_id <> blocker_id)
);

create index blocks_blocked_id_idx on social_graph.blocks (blocked_id);
