-- Members followed by others: one row for each direction.

create table social_graph.follows (
    follower_id uuid,
    followed_id uuid,
    followed_at timestamptz not null,
    constraint follows_pkey primary key (follower_id, followed_id),
    constraint follows_followed_id_check check (followed_id <> follower_id)
);

-- For the erasure of a followed member.
create index follows_followed_id_idx on social_graph.follows (followed_id);
-- The list of a member, newest first.
create index follows_newest_idx on social_graph.follows (follower_id, followed_at desc, followed_id desc);
