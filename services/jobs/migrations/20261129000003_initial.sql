-- The tables of jobs.

-- The sources of postings. A crawl leases a source: any replica may crawl it, one does.
create table jobs.sources (
    id uuid,
    connector text not null,
    -- The name that readers see with a posting.
    name text not null,
    -- The token of a board, or the address of a feed; empty where the connector needs none. Never a secret: secrets are
    -- configuration.
    address text not null default '',
    -- Whether the source is configured. The postings of others stay until they expire.
    is_on boolean not null default false,
    due_at timestamptz not null default 'epoch',
    -- The Retry-After of the server.
    held_until timestamptz,
    -- The running crawl, and the end of its lease.
    leased_by uuid,
    leased_until timestamptz,
    -- The validators of the last successful response.
    etag text,
    last_modified text,
    -- Consecutive failures.
    failures integer not null default 0,
    last_run_at timestamptz,
    last_success_at timestamptz,
    -- New postings of the last crawl.
    new_items integer not null default 0,
    -- Why the last crawl failed; null when it succeeded.
    failure text,
    constraint sources_pkey primary key (id),
    constraint sources_connector_address_key unique (connector, address),
    constraint sources_connector_check
        check (connector in ('greenhouse', 'lever', 'ashby', 'usajobs', 'rss', 'demo')),
    constraint sources_lease_check check ((leased_by is null) = (leased_until is null)),
    constraint sources_failures_check check (failures >= 0),
    constraint sources_new_items_check check (new_items >= 0)
);

comment on column jobs.sources.leased_by is 'no member';

create index sources_due_at_idx on jobs.sources (due_at, id) where is_on;

-- The newest hundred crawls of each source. The id owns the lease.
create table jobs.crawls (
    id uuid,
    source_id uuid not null,
    started_at timestamptz not null,
    -- Null while it runs.
    ended_at timestamptz,
    -- Items of the source, also those that were left out.
    found integer not null default 0,
    new_items integer not null default 0,
    closed integer not null default 0,
    -- The server reported no change.
    unchanged boolean not null default false,
    failure text,
    constraint crawls_pkey primary key (id),
    constraint crawls_source_id_fkey foreign key (source_id) references jobs.sources (id) on delete cascade,
    constraint crawls_counts_check check (found >= 0 and new_items >= 0 and closed >= 0)
);

create index crawls_source_id_started_at_idx on jobs.crawls (source_id, started_at desc, id desc);

-- One row: the start of the last refresh.
create table jobs.refreshes (
    id smallint,
    began_at timestamptz not null,
    constraint refreshes_pkey primary key (id),
    constraint refreshes_id_check check (id = 1)
);

insert into jobs.refreshes (id, began_at) values (1, 'epoch');

-- One row, locked by every transaction that opens or closes postings: no posting opens twice, and postings of the demo are
-- never open beside real ones.
create table jobs.openings (
    id smallint,
    constraint openings_pkey primary key (id),
    constraint openings_id_check check (id = 2)
);

insert into jobs.openings (id) values (2);

-- Postings are closed, never deleted: applications refer to them.
create table jobs.postings (
    id uuid,
    source_id uuid not null,
    -- The canonical form of the address. Postings of one feed may share it, or differ only in what is tracking on other sites. Exact
    -- address and title tell them apart (src/ingest.rs), in transactions that hold the lock of jobs.openings.
    url text not null,
    title text not null,
    company text not null,
    location text,
    remote boolean not null,
    -- Plain text.
    description text not null,
    -- Null when the source does not state it and nothing could be derived.
    employment_type text,
    experience_level text,
    practice_area text,
    salary text,
    -- The time at which applications end: of a deadline without a time of day, when its date has ended everywhere.
    application_deadline timestamptz,
    -- The date of a deadline without a time of day.
    application_deadline_date date,
    -- Where members apply, when not here.
    external_url text,
    -- The time by which lists are ordered: of a publication without a time of day, midnight in UTC.
    posted_at timestamptz not null,
    -- The date of a publication without a time of day.
    posted_date date,
    -- Set when the deadline passed, two successful crawls missed it, or an operator removed it.
    closed_at timestamptz,
    -- Of title, company and location, by which a posting at another address is recognised.
    fingerprint bytea,
    -- Consecutive successful crawls without this posting.
    misses smallint not null default 0,
    -- Lists show this and need not read the description, which may be stored in another table.
    summary text not null generated always as (left(description, 500)) stored,
    -- The values of the filters, each one word. The location of a remote posting contains 'remote'
    -- (postings_location_check). Also the day since 1970 and its block of 32 days, for searches in one window of time.
    facets text[] not null generated always as (
        array_remove(
            array[
                'all',
                'm' || (((posted_at at time zone 'UTC')::date - date '1970-01-01') / 32)::text,
                'd' || ((posted_at at time zone 'UTC')::date - date '1970-01-01')::text,
                case when location ~* '\m(washington|wa)\M' then 'washington' end,
                case when location ~* '\m(new york|ny|nyc)\M' then 'new-york' end,
                case when location ~* '\m(california|ca)\M' then 'california' end,
                case when location ~* '\mremote\M' then 'remote' end,
                case
                    when location ~* '\m(philippines|pilipinas|ph|manila|makati|quezon city|taguig|bgc)\M'
                        or location ~* '\m(bonifacio global city|pasig|ortigas)\M'
                        or location ~* '\m(mandaluyong|pasay|para[nñ]aque|muntinlupa|alabang|las pi[nñ]as|marikina|caloocan)\M'
                        or location ~* '\m(cebu|davao|baguio|iloilo|bacolod|cagayan de oro|zamboanga|dumaguete|general santos)\M'
                        or location ~* '\m(cavite|batangas|bulacan|pampanga)\M'
                    then 'philippines'
                end,
                case
                    when location ~* '\m(manila|makati|quezon city|taguig|bgc|bonifacio global city|pasig|ortigas)\M'
                        or location ~* '\m(mandaluyong|pasay|para[nñ]aque|muntinlupa|alabang|las pi[nñ]as|marikina|caloocan)\M'
                    then 'metro-manila'
                end,
                -- The city, not the region.
                case when location ~* '(?<!metro )\mmanila\M' then 'manila' end,
                case when location ~* '\mmakati\M' then 'makati' end,
                case when location ~* '\mquezon city\M' then 'quezon-city' end,
                case when location ~* '\m(taguig|bgc|bonifacio global city)\M' then 'taguig' end,
                case when location ~* '\m(pasig|ortigas)\M' then 'pasig' end,
                case when location ~* '\mcebu\M' then 'cebu-city' end,
                case when location ~* '\mdavao\M' then 'davao-city' end,
                practice_area,
                experience_level,
                employment_type
            ],
            null
        )
    ) stored,
    -- The text of the list filter, in lower case so that a search does not convert each row.
    searched text not null generated always as (
        lower(title || ' ' || company || ' ' || coalesce(location || ' ', '') || description)
    ) stored,
    -- Set when an operator removed the posting: no crawl opens it again.
    removed_at timestamptz,
    constraint postings_pkey primary key (id),
    constraint postings_source_id_fkey foreign key (source_id) references jobs.sources (id),
    constraint postings_title_check check (title <> ''),
    constraint postings_company_check check (company <> ''),
    constraint postings_location_check check (not remote or coalesce(location, '') ~* '\mremote\M'),
    constraint postings_employment_type_check
        check (employment_type in ('internship', 'full-time', 'part-time', 'contract')),
    constraint postings_experience_level_check check (experience_level in ('entry-level', 'mid-level', 'senior')),
    constraint postings_practice_area_check
        check (practice_area in (
            'corporate', 'litigation', 'public-interest', 'government', 'immigration', 'intellectual-property'
        )),
    constraint postings_fingerprint_check check (octet_length(fingerprint) = 16),
    constraint postings_misses_check check (misses between 0 and 2)
);

-- A search without an index reads `searched` of every row, so it stays in the row. The columns of lists stay too: to make room
-- for one long value, Postgres would move them out.
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

create index postings_url_idx on jobs.postings (url);
create index postings_source_id_idx on jobs.postings (source_id);
create index postings_posted_at_idx on jobs.postings (posted_at desc, id desc) where closed_at is null;
create index postings_fingerprint_idx on jobs.postings (fingerprint) where closed_at is null;
create index postings_application_deadline_idx on jobs.postings (application_deadline) where closed_at is null;
-- Filters and words in one index. Every search reads the pending list, which therefore stays small.
create index postings_found_idx on jobs.postings
    using gin (facets, searched ext.gin_trgm_ops)
    with (gin_pending_list_limit = 512)
    where closed_at is null;

-- The numbers of the filter sets that a posting with these facets matches, without the empty one: three bits per filter, with
-- the number of the value in the contract, or 0 for no filter; the higher bits of the place follow the others.
-- `listings::number` in the service is the same.
create function jobs.filter_sets(facets text[]) returns setof integer
language sql immutable
as $$
    select place.n % 8 + area.n * 8 + level.n * 64 + kind.n * 512 + place.n / 8 * 4096
    from (
        values
            (0, null), (1, 'washington'), (2, 'new-york'), (3, 'california'), (4, 'remote'), (5, 'philippines'),
            (6, 'metro-manila'), (7, 'manila'), (8, 'makati'), (9, 'quezon-city'), (10, 'taguig'), (11, 'pasig'),
            (12, 'cebu-city'), (13, 'davao-city')
    ) as place (n, facet)
    cross join (
        values
            (0, null), (1, 'corporate'), (2, 'litigation'), (3, 'public-interest'), (4, 'government'), (5, 'immigration'),
            (6, 'intellectual-property')
    ) as area (n, facet)
    cross join (values (0, null), (1, 'entry-level'), (2, 'mid-level'), (3, 'senior')) as level (n, facet)
    cross join (
        values (0, null), (1, 'internship'), (2, 'full-time'), (3, 'part-time'), (4, 'contract')
    ) as kind (n, facet)
    where (place.facet is null or place.facet = any(facets))
        and (area.facet is null or area.facet = any(facets))
        and (level.facet is null or level.facet = any(facets))
        and (kind.facet is null or kind.facet = any(facets))
        and place.n + area.n + level.n + kind.n > 0
$$;

-- Open postings of each filter set, written in the transaction that opens, changes or closes a posting. Without a foreign key,
-- which would cost a lookup and a lock per row.
create table jobs.listings (
    -- One of jobs.filter_sets.
    filters integer,
    posted_at timestamptz,
    posting_id uuid,
    constraint listings_pkey primary key (filters, posted_at, posting_id)
);

comment on column jobs.listings.posting_id is 'no member';

-- Numbers of open postings per source, written in the transaction that opens or closes a posting: crawls of two sources
-- do not wait for each other.
create table jobs.stats (
    source_id uuid,
    total bigint not null default 0,
    internships bigint not null default 0,
    entry_level bigint not null default 0,
    full_time bigint not null default 0,
    constraint stats_pkey primary key (source_id),
    constraint stats_source_id_fkey foreign key (source_id) references jobs.sources (id) on delete cascade,
    constraint stats_internships_check check (internships between 0 and total),
    constraint stats_entry_level_check check (entry_level between 0 and total),
    constraint stats_full_time_check check (full_time between 0 and total)
);

create table jobs.applications (
    id uuid,
    posting_id uuid not null,
    member_id uuid not null,
    status text not null,
    notes text,
    applied_at timestamptz not null,
    -- Whether the member sent it on the employer's own site: the answer, and its time; null: none.
    sent_to_employer text,
    sent_to_employer_at timestamptz,
    -- The last reminder, in days before the deadline; null: none.
    reminded_days smallint,
    -- The posting at the time of the application, without the description.
    job jsonb not null,
    job_description text not null,
    constraint applications_pkey primary key (id),
    constraint applications_member_id_posting_id_key unique (member_id, posting_id),
    constraint applications_posting_id_fkey foreign key (posting_id) references jobs.postings (id),
    constraint applications_status_check
        check (status in ('applied', 'interviewed', 'offered', 'accepted', 'rejected', 'withdrawn')),
    constraint applications_notes_check check (char_length(notes) <= 4000),
    constraint applications_sent_to_employer_check check (sent_to_employer in ('yes', 'not-yet')),
    constraint applications_sent_to_employer_at_check
        check ((sent_to_employer is null) = (sent_to_employer_at is null)),
    constraint applications_reminded_days_check check (reminded_days in (1, 3))
);

comment on column jobs.applications.member_id is 'exported in applications; erased';

create index applications_member_id_applied_at_idx on jobs.applications (member_id, applied_at desc, id desc);
create index applications_posting_id_idx on jobs.applications (posting_id);
-- The applications that a reminder may be about.
create index applications_unsent_idx on jobs.applications (posting_id)
    where sent_to_employer = 'not-yet' and status = 'applied';

-- All statuses of an application, the present one included.
create table jobs.application_history (
    id uuid,
    application_id uuid not null,
    status text not null,
    at timestamptz not null,
    constraint application_history_pkey primary key (id),
    constraint application_history_application_id_fkey
        foreign key (application_id) references jobs.applications (id) on delete cascade,
    constraint application_history_status_check
        check (status in ('applied', 'interviewed', 'offered', 'accepted', 'rejected', 'withdrawn'))
);

comment on column jobs.application_history.application_id is 'exported in application-history; erased';

create index application_history_application_id_idx on jobs.application_history (application_id, at);

-- The résumé and the cover letter that a member keeps with an application.

-- The bytes are in the row: a file is stored, replaced and erased in the transaction of its application, and no object of
-- a store can outlive it.
create table jobs.application_files (
    -- A new one for each upload: the chunks of a download belong to one content.
    id uuid,
    application_id uuid not null,
    kind text not null,
    -- The name on the computer of the member.
    name text not null,
    -- In bytes.
    size integer not null,
    content bytea not null,
    uploaded_at timestamptz not null,
    constraint application_files_pkey primary key (id),
    constraint application_files_application_id_kind_key unique (application_id, kind),
    constraint application_files_application_id_fkey
        foreign key (application_id) references jobs.applications (id) on delete cascade,
    constraint application_files_kind_check check (kind in ('resume', 'cover-letter')),
    constraint application_files_name_check check (char_length(name) between 5 and 260),
    constraint application_files_size_check check (size = octet_length(content) and size between 5 and 5 * 1024 * 1024)
);

comment on column jobs.application_files.application_id is 'exported in application-files; erased';
comment on column jobs.application_files.content is 'exported in files';

-- A PDF file is compressed already. Without compression, a chunk is read without the rest of the file.
alter table jobs.application_files alter column content set storage external;

-- How many bytes of files for applications a member may still upload within a day.
create table jobs.file_allowances (
    member_id uuid,
    -- The time at which the whole allowance is free again.
    full_at timestamptz not null,
    constraint file_allowances_pkey primary key (member_id)
);

comment on column jobs.file_allowances.member_id is 'not exported: a counter of a day; erased';
