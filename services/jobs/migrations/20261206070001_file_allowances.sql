-- How many bytes of files for applications a member may still upload within a day.
create table jobs.file_allowances (
    member_id uuid,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint file_allowances_pkey primary key (member_id)
);
