-- A search looks through thirty days at a time, the newest first: a word of thousands of old articles then leads to those
-- of one such shelf, and not to all of them.

alter table news.articles
    -- The shelf of its days among all articles, and among its source's.
    add column shelves text[] not null
        generated always as (
            array[
                (extract(day from coalesce(published_at, found_at) - timestamptz '2000-01-01 00:00:00+00')::integer / 30)::text,
                source_id || ' '
                    || (extract(day from coalesce(published_at, found_at) - timestamptz '2000-01-01 00:00:00+00')::integer / 30)::text
            ]
        ) stored;

drop index news.articles_searched_idx;
create index articles_searched_idx on news.articles using gin (searched ext.gin_trgm_ops, shelves)
    with (fastupdate = off);
