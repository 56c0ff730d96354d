-- How often a member's posts were shown to others: once a post, viewer and day.

-- The day leads, because that is how rows go; a viewer's rows of a day stand together, because that is how they come.
-- Nothing refers to feed.posts: a reference checked for each of some million rows a day would cost more than the rows,
-- and those of a post that goes are pruned two days later.
create table feed.impressions (
    day date,
    viewer_id uuid,
    post_id uuid,
    constraint impressions_pkey primary key (day, viewer_id, post_id)
);

-- What is left of them: one counter a member, changed by the statement that adds the rows.
create table feed.author_stats (
    member_id uuid,
    impressions bigint not null default 0,
    constraint author_stats_pkey primary key (member_id),
    constraint author_stats_impressions_check check (impressions >= 0)
);
