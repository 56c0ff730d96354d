-- Who looked at a profile: a viewer counts once a day.

create table profile.views (
    member_id uuid,
    -- In UTC.
    day date,
    viewer_id uuid,
    constraint views_pkey primary key (member_id, day, viewer_id),
    constraint views_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint views_viewer_id_fkey foreign key (viewer_id) references profile.members (id) on delete cascade,
    constraint views_viewer_id_check check (viewer_id <> member_id)
);

create index views_viewer_id_idx on profile.views (viewer_id);

-- Rows are pruned by age; the counter stays.
create index views_day_idx on profile.views (day);

alter table profile.members
    add column view_count bigint not null default 0,
    add constraint members_view_count_check check (view_count >= 0);
