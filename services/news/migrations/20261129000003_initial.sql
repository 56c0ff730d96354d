-- The tables of news.

-- The sources of articles. A crawl leases a source: any replica may crawl it, one does.
create table news.sources (
    -- The value of the filter in the API.
    id text,
    name text not null,
    -- rss or demo.
    connector text not null default 'rss',
    -- The configured address of the feed.
    address text not null default '',
    -- Whether the source is configured. The articles of others stay until they expire.
    is_on boolean not null default false,
    -- The time of the next crawl; set when the source is on.
    due_at timestamptz,
    -- The Retry-After of the server.
    rests_until timestamptz,
    -- The running crawl, and the end of its lease.
    leased_by uuid,
    leased_until timestamptz,
    -- The validators of the last response.
    etag text,
    last_modified text,
    -- Consecutive failures.
    failures integer not null default 0,
    last_run_at timestamptz,
    last_success_at timestamptz,
    -- New articles of the last crawl, and of all crawls.
    new_items integer not null default 0,
    new_ever bigint not null default 0,
    -- Why the last crawl failed: a sentence without addresses.
    failure text,
    constraint sources_pkey primary key (id),
    constraint sources_id_check check (id ~ '^[a-z][a-z0-9_]{0,63}$'),
    constraint sources_name_key unique (name),
    constraint sources_connector_check check (connector in ('rss', 'demo')),
    constraint sources_due_at_check check (not is_on or due_at is not null),
    constraint sources_leased_by_check check ((leased_by is null) = (leased_until is null)),
    constraint sources_failures_check check (failures >= 0)
);

comment on column news.sources.leased_by is 'no member';

-- The four sources of the specification are rows from the start: the filter lists them before the first crawl. Their
-- addresses are configuration.
insert into news.sources (id, name)
values
    ('above_the_law', 'Above the Law'),
    ('law_com', 'Law.com'),
    ('law_school_org', 'LawSchool.org'),
    ('aba', 'ABA Journal');

-- The newest hundred crawls of each source.
create table news.crawls (
    -- Also the owner of the lease.
    id uuid,
    source_id text not null,
    started_at timestamptz not null,
    -- Null while it runs.
    ended_at timestamptz,
    -- Items of the source, and the new ones among them.
    found integer not null default 0,
    new_items integer not null default 0,
    -- The server reported no change.
    unchanged boolean not null default false,
    failure text,
    constraint crawls_pkey primary key (id),
    constraint crawls_source_id_fkey foreign key (source_id) references news.sources (id) on delete cascade
);

create index crawls_source_id_started_at_idx on news.crawls (source_id, started_at desc, id desc);

-- One row: the start of the last refresh.
create table news.refreshes (
    id smallint,
    began_at timestamptz not null,
    constraint refreshes_pkey primary key (id),
    constraint refreshes_id_check check (id = 1)
);

insert into news.refreshes (id, began_at) values (1, '2000-01-01T00:00:00Z');

-- One row, locked by every transaction that writes articles: two copies of one story, written concurrently, would become
-- two clusters.
create table news.pen (
    id smallint,
    constraint pen_pkey primary key (id),
    constraint pen_id_check check (id = 1)
);

insert into news.pen (id) values (1);

create table news.articles (
    id uuid,
    -- The leader of the cluster, which is its earliest copy: its own id, or that of another article.
    story_id uuid not null,
    -- Whether the article leads its cluster. A column, because the planner cannot estimate how often two columns are equal.
    leads boolean not null generated always as (story_id = id) stored,
    source_id text not null,
    -- The address as the feed gives it.
    url text not null,
    title text not null,
    -- Plain text.
    description text,
    author text,
    -- Null when the feed gives no readable date.
    published_at timestamptz,
    -- The date of a publication without a time of day, whose midnight in UTC is published_at, for lists. Null otherwise.
    published_date date,
    -- Without a date, the assumed time (ingest/undated.rs).
    found_at timestamptz not null,
    -- The position in lists.
    listed_at timestamptz not null generated always as (coalesce(published_at, found_at)) stored,
    -- The canonical form of the address. It only finds the articles to compare: entries of one feed may share an address, or
    -- differ only in what is tracking on other sites. Identifier, exact address and title tell them apart
    -- (ingest/recognition.rs), under the lock of news.pen.
    canonical_url text not null,
    -- The identifier that the feed gives; the address may change.
    guid text,
    -- Parts of the text, each with its day, which copies of other sources share.
    keys text[] not null default '{}',
    -- The text of the list filter, in lower case so that a search does not convert each row.
    searched text not null
        generated always as (lower(title || ' ' || coalesce(description, ''))) stored,
    -- The partition of 30 days among all articles, and among those of the source. The filter reads one at a time.
    shelves text[] not null
        generated always as (
            array[
                (extract(day from coalesce(published_at, found_at) - timestamptz '2000-01-01 00:00:00+00')::integer / 30)::text,
                source_id || ' '
                    || (extract(day from coalesce(published_at, found_at) - timestamptz '2000-01-01 00:00:00+00')::integer / 30)::text
            ]
        ) stored,
    constraint articles_pkey primary key (id),
    constraint articles_story_id_fkey foreign key (story_id) references news.articles (id),
    constraint articles_source_id_fkey foreign key (source_id) references news.sources (id),
    constraint articles_source_id_guid_key unique (source_id, guid),
    constraint articles_title_check check (title <> '')
);

-- A search reads this column of a thousand rows: other columns of a long row are compressed first.
alter table news.articles alter column searched set storage main;

create index articles_story_id_idx on news.articles (story_id);
create index articles_listed_at_idx on news.articles (listed_at desc, id desc) where leads;
create index articles_source_id_listed_at_idx on news.articles (source_id, listed_at desc, id desc);
create index articles_canonical_url_idx on news.articles (canonical_url);
-- Without a pending list, which every search would read first, up to 4 MiB.
create index articles_searched_idx on news.articles using gin (searched ext.gin_trgm_ops, shelves)
    with (fastupdate = off);
create index articles_keys_idx on news.articles using gin (keys) with (fastupdate = off);

-- Law school resources: built-in ones, and suggestions of members.
create table news.resources (
    id uuid,
    title text not null,
    description text,
    -- Null for a built-in text.
    url text,
    -- The canonical form of the address.
    canonical_url text,
    type text not null,
    -- Null for a built-in resource, and after the erasure of the account.
    suggested_by uuid,
    created_at timestamptz not null,
    -- Null while a suggestion waits for the operator.
    approved_at timestamptz,
    constraint resources_pkey primary key (id),
    constraint resources_canonical_url_key unique (canonical_url),
    constraint resources_canonical_url_check check ((url is null) = (canonical_url is null)),
    constraint resources_title_check check (char_length(title) between 1 and 200),
    constraint resources_type_check check (type in ('article', 'guide', 'study-material', 'case-brief'))
);

comment on column news.resources.title is 'not erased: an approved resource stays';
comment on column news.resources.description is 'not erased: as the title';
comment on column news.resources.url is 'not erased: as the title';
comment on column news.resources.canonical_url is 'not exported: the address in another form; not erased: as the title';
comment on column news.resources.type is 'not erased: as the title';
comment on column news.resources.suggested_by is 'exported in resource-suggestions; erased';

create index resources_approved_at_idx on news.resources (approved_at desc, id desc) where approved_at is not null;
create index resources_type_approved_at_idx on news.resources (type, approved_at desc, id desc)
    where approved_at is not null;
create index resources_suggested_by_idx on news.resources (suggested_by) where suggested_by is not null;
create index resources_waiting_idx on news.resources (created_at, id) where approved_at is null;

-- Members with pending suggestions, and their number.
create table news.suggesters (
    member_id uuid,
    waiting integer not null,
    constraint suggesters_pkey primary key (member_id),
    constraint suggesters_waiting_check check (waiting between 0 and 10)
);

comment on column news.suggesters.member_id is 'not exported: the number of suggestions; erased';

-- The built-in resources: public pages that law students use, and two texts without an address.
insert into news.resources (id, title, description, url, canonical_url, type, created_at, approved_at)
values
    (
        '019aa900-0000-7000-8000-000000000001',
        'Oyez',
        'Every case of the Supreme Court of the United States since 1955 with the recordings of its arguments, and short plain accounts of facts, question and conclusion.',
        'https://www.oyez.org/cases',
        'https://oyez.org/cases',
        'case-brief', '2026-11-20T09:00:15Z', '2026-11-20T09:00:15Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000002',
        'Justia: U.S. Supreme Court Center',
        'Full opinions of the Supreme Court since 1791, many with a summary, by volume, year and topic.',
        'https://supreme.justia.com/',
        'https://supreme.justia.com',
        'case-brief', '2026-11-20T09:00:14Z', '2026-11-20T09:00:14Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000003',
        'Wex',
        'The legal dictionary and encyclopedia of Cornell''s Legal Information Institute: a first, dependable answer to what a term means.',
        'https://www.law.cornell.edu/wex',
        'https://law.cornell.edu/wex',
        'study-material', '2026-11-20T09:00:13Z', '2026-11-20T09:00:13Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000004',
        'Federal Rules of Civil Procedure',
        'The rules with the committee''s notes, rule by rule, at Cornell''s Legal Information Institute.',
        'https://www.law.cornell.edu/rules/frcp',
        'https://law.cornell.edu/rules/frcp',
        'study-material', '2026-11-20T09:00:12Z', '2026-11-20T09:00:12Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000005',
        'Introduction to Basic Legal Citation',
        'Peter W. Martin''s guide to citing cases, statutes and the rest, with examples for each.',
        'https://www.law.cornell.edu/citation/',
        'https://law.cornell.edu/citation',
        'guide', '2026-11-20T09:00:11Z', '2026-11-20T09:00:11Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000006',
        'Constitution Annotated',
        'What the Constitution says and how it has been read, clause by clause, by the Library of Congress.',
        'https://constitution.congress.gov/',
        'https://constitution.congress.gov',
        'study-material', '2026-11-20T09:00:10Z', '2026-11-20T09:00:10Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000007',
        'CourtListener',
        'Millions of opinions, dockets and recorded arguments of federal and state courts to search, free of charge, by the Free Law Project.',
        'https://www.courtlistener.com/',
        'https://courtlistener.com',
        'study-material', '2026-11-20T09:00:09Z', '2026-11-20T09:00:09Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000008',
        'CALI Lessons',
        'Interactive lessons by law faculty on nearly every course of law school; most schools give their students access.',
        'https://www.cali.org/',
        'https://cali.org',
        'study-material', '2026-11-20T09:00:08Z', '2026-11-20T09:00:08Z'
    ),
    (
        '019aa900-0000-7000-8000-000000000009',
        'The LSAT, by those who give it',
        'Dates, registration, what is asked and how to prepare, from the Law School Admission Council.',
        'https://www.lsac.org/lsat',
        'https://lsac.org/lsat',
        'guide', '2026-11-20T09:00:07Z', '2026-11-20T09:00:07Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000a',
        'Bar exams of the NCBE',
        'What the National Conference of Bar Examiners tests, in which jurisdictions, and how it is scored.',
        'https://www.ncbex.org/exams',
        'https://ncbex.org/exams',
        'guide', '2026-11-20T09:00:06Z', '2026-11-20T09:00:06Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000b',
        'OSCAR: federal clerkships',
        'Where federal judges announce clerkships and staff attorney positions, and how to apply for them.',
        'https://oscar.uscourts.gov/',
        'https://oscar.uscourts.gov',
        'guide', '2026-11-20T09:00:05Z', '2026-11-20T09:00:05Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000c',
        'SCOTUSblog',
        'What is before the Supreme Court and what became of it: previews, reports and statistics, written for readers who are still learning.',
        'https://www.scotusblog.com/',
        'https://scotusblog.com',
        'article', '2026-11-20T09:00:04Z', '2026-11-20T09:00:04Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000d',
        'ABA Law Student Division',
        'Articles, competitions and advice for law students from the American Bar Association.',
        'https://www.americanbar.org/groups/law_students/',
        'https://americanbar.org/groups/law_students',
        'article', '2026-11-20T09:00:03Z', '2026-11-20T09:00:03Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000e',
        'How to brief a case',
        E'A brief is one page you can speak from when you are called on. Read the whole opinion once before you write anything, then write, in your own words:\n\n1. Name, court and year. Whether this court had the last word matters later.\n2. Facts. Only those the outcome turns on. If changing a fact would change nothing, leave it out.\n3. Procedure. Who sued whom for what, who won below, and what this court was asked to decide.\n4. Issue. One question that can be answered with yes or no, with the deciding facts in it.\n5. Holding. The answer, as narrow as the court gave it.\n6. Reasoning. The steps from rule to result, and where the court got the rule from. This is most of the brief.\n7. Concurrences and dissents. One sentence each: on which step they part.\n8. What you make of it. Which fact would flip it, and which case of last week it fits with or does not.\n\nIf it does not fit on a page, it is a copy and not a brief.',
        null,
        null,
        'guide', '2026-11-20T09:00:02Z', '2026-11-20T09:00:02Z'
    ),
    (
        '019aa900-0000-7000-8000-00000000000f',
        'From notes to an outline',
        E'An outline is where a course becomes something you can use under time. Begin it in the fourth week, not the twelfth.\n\nBuild it from the table of contents of the syllabus, not from the order of your notes: a topic, its rules, the elements of each rule, and under each element the cases as examples with one line of facts. Write every rule so that you could apply it: if this and this, then that, unless.\n\nKeep three lists beside it: policies that pull both ways, questions your professor keeps asking, and hypotheticals from class with the answer that was accepted.\n\nThen make it smaller. Thirty pages for understanding, five for the exam, and one page of headings that you can write down from memory in three minutes. Try it on an old exam under the clock, a week before you think you are ready, and mend what was missing. What you have to look up twice belongs on the one page.',
        null,
        null,
        'study-material', '2026-11-20T09:00:01Z', '2026-11-20T09:00:01Z'
    );

-- Read when the service starts.
insert into news.search_documents (id, shelf, at, title, body, state)
select id, 2, 0, '{}', '{}', 0
from news.resources
where approved_at is not null;
