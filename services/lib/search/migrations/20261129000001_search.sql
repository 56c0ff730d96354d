-- The search index of a schema, read and written by this library.

-- The words of each document: lower case, without accents, each once.
create table {schema}.search_documents (
    id uuid,
    -- Twice the number of the audience; 0 for public documents.
    shelf integer not null,
    -- Seconds since 2000.
    at integer not null,
    title text[] not null,
    body text[] not null,
    -- 0: must be read again. 3: has words missing from search_words. 4: complete. 1 and 2 are 3 and 4 of another tokenization,
    -- whose documents are read again.
    state smallint not null,
    constraint search_documents_pkey primary key (id),
    constraint search_documents_state_check check (state between 0 and 4)
);

-- The documents that wait for the background work.
create index search_documents_pending_idx on {schema}.search_documents (state, id) where state < 4;

-- One row for each word of a document: title words on its shelf, body words on the next one. The newest documents with a
-- word are a range of the key. Early vacuum allows index-only scans of the range.
create table {schema}.search_entries (
    word text collate "C",
    shelf integer,
    at integer,
    id uuid,
    constraint search_entries_pkey primary key (word, shelf, at, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

comment on column {schema}.search_entries.id is 'no member';

-- The known words, their stems, and their variants with one letter removed. A mistyped word shares a variant with the
-- intended one.
create table {schema}.search_words (
    word text collate "C",
    stem text collate "C" not null,
    slips text[] not null,
    constraint search_words_pkey primary key (word)
);

create index search_words_stem_idx on {schema}.search_words (stem, word);

create index search_words_slips_idx on {schema}.search_words using gin (slips);
