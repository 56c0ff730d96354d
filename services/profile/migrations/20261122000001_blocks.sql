-- Who blocks whom, as social-graph tells it. No cursor starts anew for it: until now nobody could block anybody.

-- One row a direction, found by the pair: whether one of two blocks the other is one look into the key.
create table profile.blocks (
    lower_id uuid,
    upper_id uuid,
    blocker_id uuid,
    constraint blocks_pkey primary key (lower_id, upper_id, blocker_id),
    constraint blocks_upper_id_check check (lower_id < upper_id),
    constraint blocks_blocker_id_check check (blocker_id in (lower_id, upper_id))
);

-- With the key, everybody whom a member is not shown.
create index blocks_upper_id_idx on profile.blocks (upper_id, lower_id);
