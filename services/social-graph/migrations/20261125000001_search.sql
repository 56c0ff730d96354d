-- What the search looks into: name and description of each community. The crate `search` writes and reads these tables.

-- What each of them consists of, in small letters without accents, each word once.
create table social_graph.search_documents (
    id uuid,
    -- Twice the number of the audience; everybody's is 0.
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

create index search_documents_state_idx on social_graph.search_documents (state, id)
    where state < 2;

-- A row a word, on the shelf if it is of the title, else on the next one: the newest with a word are a range of the key.
-- Vacuumed early, so that the range alone answers.
create table social_graph.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

-- Which words there are, what they are forms of, and what is left of each where a letter is missing: what was mistyped
-- shares some of that with what was meant.
create table social_graph.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on social_graph.search_words (stem, word);

create index search_words_slips_idx on social_graph.search_words using gin (slips);

-- Read when the service starts, a lot at a time.
insert into social_graph.search_documents (id, shelf, at, title, body, state)
select id, 0, 0, '{}', '{}', 0
from social_graph.communities;
