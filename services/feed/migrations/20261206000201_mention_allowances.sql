-- The members whom a member may still notify by a mention within a day, apart from those who know the member.
create table feed.mention_allowances (
    member_id uuid,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint mention_allowances_pkey primary key (member_id)
);
