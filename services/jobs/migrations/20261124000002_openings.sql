-- What a crawl recognises postings by, what lists read, and the lock of what is open.

-- One row. Whoever opens or closes postings holds it: so that no posting opens twice, whichever sources tell of it, and
-- the demo's are never open beside real ones.
create table jobs.openings (
    id smallint,
    constraint openings_pkey primary key (id),
    constraint openings_id_check check (id = 1)
);

insert into jobs.openings (id) values (1);

alter table jobs.postings
    -- Of title, company and location: the same posting at another address.
    add column fingerprint bytea,
    -- Healthy crawls in a row that did not tell of it.
    add column misses smallint not null default 0,
    -- What lists show: they need not fetch a text of pages from where Postgres puts it aside.
    add column summary text not null generated always as (left(description, 500)) stored,
    -- What the filters ask for: each value is a word of its own, and every posting has 'all'. A remote posting's location
    -- always says so, see postings_location_check. And when it was posted, to look for it in a part of the time alone:
    -- the day since 1970, and 32 of them.
    add column facets text[] not null generated always as (
        array_remove(
            array[
                'all',
                'm' || (((posted_at at time zone 'UTC')::date - date '1970-01-01') / 32)::text,
                'd' || ((posted_at at time zone 'UTC')::date - date '1970-01-01')::text,
                case when location ~* '\m(washington|wa)\M' then 'washington' end,
                case when location ~* '\m(new york|ny|nyc)\M' then 'new-york' end,
                case when location ~* '\m(california|ca)\M' then 'california' end,
                case when location ~* '\mremote\M' then 'remote' end,
                practice_area,
                experience_level,
                employment_type
            ],
            null
        )
    ) stored,
    add constraint postings_fingerprint_check check (octet_length(fingerprint) = 16),
    add constraint postings_misses_check check (misses between 0 and 2);

-- Folded once, so that a search compares and does not fold every description it looks into.
alter table jobs.postings drop column searched;
alter table jobs.postings
    add column searched text not null generated always as (lower(title || ' ' || company || ' ' || description)) stored;

-- Filters and words by one index: a search for both reads where both occur. Every search reads what waits to be merged
-- into it, so little may wait.
create index postings_found_idx on jobs.postings
    using gin (facets, searched ext.gin_trgm_ops)
    with (gin_pending_list_limit = 512)
    where closed_at is null;

create index postings_fingerprint_idx on jobs.postings (fingerprint) where closed_at is null;
create index postings_application_deadline_idx on jobs.postings (application_deadline) where closed_at is null;

-- A search that no index helps looks into it row by row: it stays with its row, and is not fetched piece by piece. So does
-- what lists show: for the sake of one long value that stays, Postgres would put the others aside.
alter table jobs.postings
    alter column searched set storage main,
    alter column url set storage main,
    alter column title set storage main,
    alter column company set storage main,
    alter column location set storage main,
    alter column salary set storage main,
    alter column external_url set storage main,
    alter column summary set storage main,
    alter column facets set storage main;
