-- What an article is recognised by when a crawl meets it again, and a story when another source tells it.

alter table news.articles
    -- One form for all the ways of writing its address; `url` is as the feed gave it, since that is what opens.
    add column canonical_url text,
    -- What the feed itself calls it: the address may move.
    add column guid text,
    -- What it says, each with the day it was told: other sources' copies share some of them.
    add column keys text[] not null default '{}';

update news.articles set canonical_url = url;

alter table news.articles
    alter column canonical_url set not null,
    drop constraint articles_url_key,
    add constraint articles_canonical_url_key unique (canonical_url),
    add constraint articles_source_id_guid_key unique (source_id, guid);

-- In lower case, so that a search need not make it so row by row.
drop index news.articles_searched_idx;
alter table news.articles drop column searched;
alter table news.articles
    add column searched text not null
        generated always as (lower(title || ' ' || coalesce(description, ''))) stored,
    -- A search reads a thousand of these: where a row is too long for its page, other columns are compressed.
    alter column searched set storage main;

-- Without a list of pending entries: every search would read that first, up to 4 MiB of it.
create index articles_searched_idx on news.articles using gin (searched ext.gin_trgm_ops) with (fastupdate = off);
create index articles_keys_idx on news.articles using gin (keys) with (fastupdate = off);
