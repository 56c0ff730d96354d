-- What a member may still do within a day: comments of a new account on the posts of strangers, and bytes of PDF files.
create table feed.daily_allowances (
    member_id uuid,
    kind text,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint daily_allowances_pkey primary key (member_id, kind),
    constraint daily_allowances_kind_check check (kind in ('comments', 'files'))
);
