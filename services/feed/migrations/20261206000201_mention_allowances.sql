-- How many members, apart from those who know the author, an author may still notify by mentions within a day.
create table feed.mention_allowances (
    member_id uuid,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint mention_allowances_pkey primary key (member_id)
);
