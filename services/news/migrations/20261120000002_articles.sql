-- Where articles come from, and the articles.

create table news.sources (
    -- What clients send as a filter.
    id text,
    name text not null,
    constraint sources_pkey primary key (id),
    constraint sources_id_check check (id ~ '^[a-z][a-z0-9_]{0,63}$'),
    constraint sources_name_key unique (name)
);

-- The specification's four. They are rows from the start because clients may filter by them, and see their names,
-- before the first crawl; the addresses they are crawled at are configuration, not data.
insert into news.sources (id, name)
values
    ('above_the_law', 'Above the Law'),
    ('law_com', 'Law.com'),
    ('law_school_org', 'LawSchool.org'),
    ('aba', 'ABA Journal');

create table news.articles (
    id uuid,
    -- The earliest copy of the same story; its own id when that is itself.
    story_id uuid not null,
    -- Whether it stands for its story. A column, because the planner cannot guess how often two others are equal.
    leads boolean not null generated always as (story_id = id) stored,
    source_id text not null,
    -- Canonical: what a crawl recognises an article by.
    url text not null,
    title text not null,
    -- Plain text.
    description text,
    author text,
    -- Null when the feed gave no readable date.
    published_at timestamptz,
    found_at timestamptz not null,
    -- An article without a date takes its place by when it was found.
    listed_at timestamptz not null generated always as (coalesce(published_at, found_at)) stored,
    -- What a search's words must occur in.
    searched text not null generated always as (title || ' ' || coalesce(description, '')) stored,
    constraint articles_pkey primary key (id),
    constraint articles_story_id_fkey foreign key (story_id) references news.articles (id),
    constraint articles_source_id_fkey foreign key (source_id) references news.sources (id),
    constraint articles_url_key unique (url),
    constraint articles_title_check check (title <> '')
);

create index articles_story_id_idx on news.articles (story_id);
create index articles_listed_at_idx on news.articles (listed_at desc, id desc) where leads;
create index articles_source_id_listed_at_idx on news.articles (source_id, listed_at desc, id desc);
create index articles_searched_idx on news.articles using gin (searched ext.gin_trgm_ops);
