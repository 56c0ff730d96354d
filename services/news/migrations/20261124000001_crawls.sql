-- When each source is asked, and what came of it. Whoever crawls holds a lease, so that any replica may and one does.

alter table news.sources
    -- rss or demo.
    add column connector text not null default 'rss',
    -- The feed's address, as configured.
    add column address text not null default '',
    -- Whether it is configured. The articles of one that is not any more stay until their time.
    add column is_on boolean not null default false,
    -- When it is crawled next; set where it is on.
    add column due_at timestamptz,
    -- Until when the server asked to be left alone.
    add column rests_until timestamptz,
    -- The crawl under way, and until when nobody else may begin one.
    add column leased_by uuid,
    add column leased_until timestamptz,
    -- What a server that has nothing new is told by.
    add column etag text,
    add column last_modified text,
    -- Failures in a row.
    add column failures integer not null default 0,
    add column last_run_at timestamptz,
    add column last_success_at timestamptz,
    -- Articles the last crawl found that were new, and all that ever were.
    add column new_items integer not null default 0,
    add column new_ever bigint not null default 0,
    -- Why the last crawl failed: a sentence, without addresses.
    add column failure text,
    add constraint sources_connector_check check (connector in ('rss', 'demo')),
    add constraint sources_due_at_check check (not is_on or due_at is not null),
    add constraint sources_leased_by_check check ((leased_by is null) = (leased_until is null)),
    add constraint sources_failures_check check (failures >= 0);

-- One row a crawl; the hundred newest of a source stay.
create table news.crawls (
    -- Also what the source is leased by meanwhile.
    id uuid,
    source_id text not null,
    started_at timestamptz not null,
    -- Null while it runs.
    ended_at timestamptz,
    -- Stories the source told, and those among them that were new.
    found integer not null default 0,
    new_items integer not null default 0,
    -- The server said that nothing has changed.
    unchanged boolean not null default false,
    failure text,
    constraint crawls_pkey primary key (id),
    constraint crawls_source_id_fkey foreign key (source_id) references news.sources (id) on delete cascade
);

create index crawls_source_id_started_at_idx on news.crawls (source_id, started_at desc, id desc);

-- When somebody last asked for everything to be crawled now.
create table news.refreshes (
    id smallint,
    began_at timestamptz not null,
    constraint refreshes_pkey primary key (id),
    constraint refreshes_id_check check (id = 1)
);

insert into news.refreshes (id, began_at) values (1, '2000-01-01T00:00:00Z');

-- Whoever writes articles down holds the pen: two copies of one story, written at once, would each be a story.
create table news.pen (
    id smallint,
    constraint pen_pkey primary key (id),
    constraint pen_id_check check (id = 1)
);

insert into news.pen (id) values (1);
