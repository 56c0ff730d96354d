-- Authors whose accounts were closed or opened again, until the search has read all their posts anew: src/search/authors.rs.
create table feed.search_authors (
    member_id uuid,
    -- The last post that was handed over, the oldest being the first.
    created_at timestamptz not null default 'epoch',
    post_id uuid not null default '00000000-0000-0000-0000-000000000000',
    constraint search_authors_pkey primary key (member_id)
);

-- Those who were hidden before there was a search, or this.
insert into feed.search_authors (member_id)
select member_id
from feed.hidden_members;
