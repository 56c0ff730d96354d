-- The new links of a member in an hour, and removed posts that had a link preview.

create table feed.link_quotas (
    member_id uuid,
    since timestamptz not null,
    used integer not null,
    constraint link_quotas_pkey primary key (member_id),
    constraint link_quotas_used_check check (used > 0)
);

create index link_quotas_since_idx on feed.link_quotas (since);

-- A restored post gets its preview again.
alter table feed.removals add column had_link_preview boolean not null default false;
