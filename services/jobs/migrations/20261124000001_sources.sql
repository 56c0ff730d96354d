-- When each source is asked and what came of it, and when everybody's Refresh was last heard.

alter table jobs.sources
    -- Two sources may be called the same while one of them is turned off.
    drop constraint sources_name_key,
    -- What the connector is asked: a board's token, a feed's address; empty where there is only one thing to ask. Never
    -- a secret: those are configuration.
    add column address text not null default '',
    -- In the configuration. A source that is not keeps its postings until their time.
    add column is_on boolean not null default false,
    add column due_at timestamptz not null default 'epoch',
    -- The source itself asked not to be asked before.
    add column held_until timestamptz,
    -- The crawl that is under way, and until when it is believed to be alive.
    add column leased_by uuid,
    add column leased_until timestamptz,
    -- What the last healthy answer was marked with.
    add column etag text,
    add column last_modified text,
    -- In a row.
    add column failures integer not null default 0,
    add column last_run_at timestamptz,
    add column last_success_at timestamptz,
    -- What the last crawl found that was new.
    add column new_items integer not null default 0,
    -- Why the last crawl failed; null when it did not.
    add column failure text,
    add constraint sources_connector_address_key unique (connector, address),
    add constraint sources_lease_check check ((leased_by is null) = (leased_until is null)),
    add constraint sources_failures_check check (failures >= 0),
    add constraint sources_new_items_check check (new_items >= 0);

create index sources_due_at_idx on jobs.sources (due_at, id) where is_on;

-- A row a crawl. Its id is what it leases the source with.
create table jobs.crawls (
    id uuid,
    source_id uuid not null,
    started_at timestamptz not null,
    -- Null while it is under way.
    ended_at timestamptz,
    -- Items it was told of, those left out included.
    found integer not null default 0,
    new_items integer not null default 0,
    closed integer not null default 0,
    -- The source said that nothing had changed.
    unchanged boolean not null default false,
    failure text,
    constraint crawls_pkey primary key (id),
    constraint crawls_source_id_fkey foreign key (source_id) references jobs.sources (id) on delete cascade,
    constraint crawls_counts_check check (found >= 0 and new_items >= 0 and closed >= 0)
);

create index crawls_source_id_started_at_idx on jobs.crawls (source_id, started_at desc, id desc);

-- One row: when the last refresh began, whoever asked for it.
create table jobs.refreshes (
    id smallint,
    began_at timestamptz not null,
    constraint refreshes_pkey primary key (id),
    constraint refreshes_id_check check (id = 1)
);

insert into jobs.refreshes (id, began_at) values (1, 'epoch');
