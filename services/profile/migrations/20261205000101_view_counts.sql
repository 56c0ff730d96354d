-- Views beside the members, so that a view changes no row that a profile shows: see src/members/versions.rs.

create table profile.view_counts (
    member_id uuid,
    -- The views since this table exists. members.view_count has the earlier ones, and those that earlier releases write.
    n bigint not null,
    constraint view_counts_pkey primary key (member_id),
    constraint view_counts_member_id_fkey foreign key (member_id) references profile.members (id) on delete cascade,
    constraint view_counts_n_check check (n > 0)
) with (fillfactor = 80);

-- A change of a connection or an endorsement writes the row of the member, in columns without an index. Free space on a page lets
-- such a row stay there, without new entries in the indexes.
alter table profile.members set (fillfactor = 90);
