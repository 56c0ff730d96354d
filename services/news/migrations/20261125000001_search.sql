-- What the search looks into: stories by their headlines, and resources. The crate `search` writes and reads these tables.

-- What each of them consists of, in small letters without accents, each word once.
create table news.search_documents (
    id uuid,
    -- 0 for stories, 2 for resources.
    shelf integer not null,
    -- Seconds since 2000.
    at integer not null,
    -- What it is called, and what else it says.
    title text[] not null,
    body text[] not null,
    -- 0 is to be read anew, 1 has words that are to be learnt, 2 is done.
    state smallint not null,
    constraint search_documents_pkey primary key (id),
    constraint search_documents_state_check check (state between 0 and 2)
);

create index search_documents_state_idx on news.search_documents (state, id)
    where state < 2;

-- A row a word, on the shelf if it is of the title, else on the next one: the newest with a word are a range of the key.
-- Vacuumed early, so that the range alone answers.
create table news.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Which words there are, what they are forms of, and what is left of each where a letter is missing: what was mistyped
-- shares some of that with what was meant.
create table news.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on news.search_words (stem, word);

create index search_words_slips_idx on news.search_words using gin (slips);

-- Read when the service starts, a lot at a time.
insert into news.search_documents (id, shelf, at, title, body, state)
select id, 0, 0, '{}'::text[], '{}'::text[], 0
from news.articles
where leads
union all
select id, 2, 0, '{}', '{}', 0
from news.resources
where approved_at is not null;
