-- What members keep for later: posts of feed's own, and what other services own, by their ids for it.

create table feed.saved_items (
    member_id uuid,
    kind text,
    item_id text,
    saved_at timestamptz not null,
    constraint saved_items_pkey primary key (member_id, kind, item_id),
    constraint saved_items_kind_check check (kind in ('post', 'job', 'article', 'resource', 'event')),
    constraint saved_items_item_id_check check (char_length(item_id) between 1 and 64)
);

create index saved_items_newest_idx on feed.saved_items (member_id, saved_at desc, item_id desc, kind desc);

-- How many they are, changed by the statement that adds or takes away: the bound is a constraint, whoever races.
create table feed.savers (
    member_id uuid,
    items integer not null,
    constraint savers_pkey primary key (member_id),
    constraint savers_items_check check (items between 0 and 1000)
);
