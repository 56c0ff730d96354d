-- Where postings come from, the postings, and how many there are.

create table jobs.sources (
    id uuid,
    -- What speaks to it: a job board's interface, a feed, or the demo's file.
    connector text not null,
    -- What people read under a posting.
    name text not null,
    constraint sources_pkey primary key (id),
    constraint sources_name_key unique (name),
    constraint sources_connector_check
        check (connector in ('greenhouse', 'lever', 'ashby', 'usajobs', 'rss', 'demo'))
);

-- Postings are closed, never deleted while somebody's application refers to them.
create table jobs.postings (
    id uuid,
    source_id uuid not null,
    -- Canonical: what a crawl recognises a posting by.
    url text not null,
    title text not null,
    company text not null,
    location text,
    remote boolean not null,
    -- Plain text.
    description text not null,
    -- Null where the source does not say and nothing could be derived.
    employment_type text,
    experience_level text,
    practice_area text,
    salary text,
    application_deadline timestamptz,
    -- Where one applies, when that is not here.
    external_url text,
    posted_at timestamptz not null,
    -- Set when the deadline passed or two healthy crawls missed it.
    closed_at timestamptz,
    -- What a search's words must occur in.
    searched text not null generated always as (title || ' ' || company || ' ' || description) stored,
    constraint postings_pkey primary key (id),
    constraint postings_source_id_fkey foreign key (source_id) references jobs.sources (id),
    constraint postings_url_key unique (url),
    constraint postings_title_check check (title <> ''),
    constraint postings_company_check check (company <> ''),
    constraint postings_location_check check (not remote or coalesce(location, '') ~* '\mremote\M'),
    constraint postings_employment_type_check
        check (employment_type in ('internship', 'full-time', 'part-time', 'contract')),
    constraint postings_experience_level_check check (experience_level in ('entry-level', 'mid-level', 'senior')),
    constraint postings_practice_area_check
        check (practice_area in (
            'corporate', 'litigation', 'public-interest', 'government', 'immigration', 'intellectual-property'
        ))
);

create index postings_source_id_idx on jobs.postings (source_id);
create index postings_posted_at_idx on jobs.postings (posted_at desc, id desc) where closed_at is null;
create index postings_searched_idx on jobs.postings using gin (searched ext.gin_trgm_ops) where closed_at is null;

-- Open postings of each source, kept in the transaction that opens or closes them. A row a source: crawls of two
-- sources never wait for each other, and a source that is hidden takes its numbers along.
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
