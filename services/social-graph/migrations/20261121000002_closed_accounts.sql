-- A closed account is shown nowhere until it is opened again. That is noted on the rows lists are read from, by whoever
-- closes it: a list stays a walk along one index, and who changes a row knows from the row which counts it is part of.

alter table social_graph.connections
    add column requester_hidden boolean not null default false,
    add column recipient_hidden boolean not null default false;

-- Each side's list, and with the other's id in the index the connections of connections, without visits to the table.
create index connections_requester_id_shown_idx
    on social_graph.connections (requester_id, answered_at desc, id desc)
    include (recipient_id)
    where status = 'accepted' and not recipient_hidden;

create index connections_recipient_id_shown_idx
    on social_graph.connections (recipient_id, answered_at desc, id desc)
    include (requester_id)
    where status = 'accepted' and not requester_hidden;

create index connections_recipient_id_waiting_idx
    on social_graph.connections (recipient_id, requested_at desc, id desc)
    where status = 'pending' and not requester_hidden;

drop index social_graph.connections_requester_id_answered_at_idx;
drop index social_graph.connections_recipient_id_answered_at_idx;
drop index social_graph.connections_recipient_id_requested_at_idx;

alter table social_graph.memberships
    add column hidden boolean not null default false;

-- Who is longest in a community: for its list of members, and for whom it falls to when its owner's account is gone.
create index memberships_community_id_joined_at_idx
    on social_graph.memberships (community_id, joined_at, member_id);

alter table social_graph.attendances
    add column hidden boolean not null default false;

create index attendances_event_id_shown_idx
    on social_graph.attendances (event_id, said_at, id)
    where not hidden;

drop index social_graph.attendances_event_id_said_at_idx;

create index blocks_blocker_id_blocked_at_idx on social_graph.blocks (blocker_id, blocked_at desc, blocked_id desc);
