//! The statements, with the schema's name filled in, because names cannot be parameters.
//!
//! Parameters of reads are written as `(select $1)`, which hides their values from the planner. Otherwise Postgres plans each
//! execution anew, which often costs more than the execution. Reads by id alone have only one plan.

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

use crate::Order;

/// The statements of one schema.
#[derive(Debug)]
pub struct Sql {
    pub lock_documents: Arc<str>,
    pub delete_entries: Arc<str>,
    pub insert_documents: Arc<str>,
    pub delete_documents: Arc<str>,
    pub delete_unused_words: Arc<str>,
    pub mark_stale: Arc<str>,
    pub lock_stale: Arc<str>,
    pub learn_words: Arc<str>,
    pub partitions: Arc<str>,
    pub count_documents: Arc<str>,
    pub scan: Arc<str>,
    pub scan_entries: Arc<str>,
    pub entry_lists: Arc<str>,
    pub documents: Arc<str>,
    pub related: Arc<str>,
    pub corrected: Arc<str>,
    pub build_entries: Arc<str>,
    pub learn_all_words: Arc<str>,
}

impl Sql {
    pub fn new(schema: &str, order: Order) -> Self {
        let (words, learnt) = match order {
            Order::Exact => (WORDS.to_owned(), LEARNT),
            Order::Titles => (format!("{WORDS}{BEGINNINGS}"), LEARNT_BESIDE_BEGINNINGS),
        };
        let fill = |statement: &str| -> Arc<str> {
            let filled = statement.replace("{entries}", ENTRIES).replace("{words}", &words).replace("{learnt}", learnt);
            filled.replace("{schema}", schema).into()
        };
        Self {
            lock_documents: fill(LOCK_DOCUMENTS),
            delete_entries: fill(DELETE_ENTRIES),
            insert_documents: fill(INSERT_DOCUMENTS),
            delete_documents: fill(DELETE_DOCUMENTS),
            delete_unused_words: fill(DELETE_UNUSED_WORDS),
            mark_stale: fill(MARK_STALE),
            lock_stale: fill(LOCK_STALE),
            learn_words: fill(LEARN_WORDS),
            partitions: fill(PARTITIONS),
            count_documents: fill(COUNT_DOCUMENTS),
            scan: fill(SCAN),
            scan_entries: fill(SCAN_ENTRIES),
            entry_lists: fill(ENTRY_LISTS),
            documents: fill(DOCUMENTS),
            related: fill(RELATED),
            corrected: fill(CORRECTED),
            build_entries: fill(BUILD_ENTRIES),
            learn_all_words: fill(LEARN_ALL_WORDS),
        }
    }
}

/// Locks documents until the transaction ends and returns their words. A separate statement, so that the next one sees what
/// was committed while this one waited.
const LOCK_DOCUMENTS: &str = "
    select title || body
    from {schema}.search_documents
    where id = any($1)
    order by id
    for update";

/// The words and partitions of a document `d`: part of statements, which call it `{words}`.
const WORDS: &str = "
        select word, d.shelf as shelf
        from unnest(d.title) as word
        union all
        select word, d.shelf + 1
        from unnest(d.body) as word";

/// The beginnings of the words of titles, each with a sign that no word has, for [`Order::Titles`].
const BEGINNINGS: &str = "
        union
        select left(word, letters) || '*', d.shelf
        from unnest(d.title) as word
        cross join generate_series(1, length(word) - 1) as letters";

/// Whether `word` is learnt: part of statements, which call it `{learnt}`. `in_body` tells that it is a word of a body.
const LEARNT: &str = "length(word) between 2 and 40";

/// Words with digits have no related forms, and the entries of beginnings find them in titles: a million usernames need
/// no rows.
const LEARNT_BESIDE_BEGINNINGS: &str = "length(word) between 2 and 40 and (in_body or word !~ '[0-9]')";

/// Deletes the entries of documents, computed from the documents.
const DELETE_ENTRIES: &str = "
    delete from {schema}.search_entries e
    using {schema}.search_documents d
    cross join lateral ({words}
    ) as old
    where d.id = any($1)
        and e.word = old.word
        and e.shelf = old.shelf
        and e.at = d.at
        and e.id = d.id";

/// Inserts or replaces documents without entries, and marks those with new words.
const INSERT_DOCUMENTS: &str = "
    with new as materialized (
        select id, shelf, at, string_to_array(title, ' ') as title, string_to_array(body, ' ') as body
        from unnest($1::uuid[], $2::integer[], $3::integer[], $4::text[], $5::text[]) as n (id, shelf, at, title, body)
    ),
    put as (
        insert into {schema}.search_documents (id, shelf, at, title, body, state)
        select id, shelf, at, title, body, case
            when exists (
                select
                from (
                    select word, false as in_body
                    from unnest(title) as word
                    union all
                    select word, true
                    from unnest(body) as word
                ) as w
                where {learnt}
                    and not exists (select from {schema}.search_words k where k.word = w.word)
            ) then 3
            else 4
        end
        from new
        order by id
        on conflict (id) do update
        set shelf = excluded.shelf,
            at = excluded.at,
            title = excluded.title,
            body = excluded.body,
            state = excluded.state
    )
    insert into {schema}.search_entries (word, shelf, at, id)
    select entry.word, entry.shelf, d.at, d.id
    from new d
    cross join lateral ({words}
    ) as entry
    order by entry.word, entry.shelf
    on conflict (word, shelf, at, id) do nothing";

/// Deletes documents without entries.
const DELETE_DOCUMENTS: &str = "
    delete from {schema}.search_documents
    where id = any($1)";

/// Deletes unused words, locked in the order of LEARN_WORDS.
const DELETE_UNUSED_WORDS: &str = "
    with unused as materialized (
        select k.word
        from {schema}.search_words k
        where k.word = any($1)
            and not exists (select from {schema}.search_entries e where e.word = k.word)
        order by k.word
        for update
    )
    delete from {schema}.search_words k
    using unused
    where k.word = unused.word";

/// Marks documents to be read again, and inserts missing ones.
const MARK_STALE: &str = "
    insert into {schema}.search_documents (id, shelf, at, title, body, state)
    select id, 0, 0, '{}', '{}', 0
    from unnest($1::uuid[]) as id
    order by id
    on conflict (id) do update
    set state = 0
    where search_documents.state <> 0";

/// Locks a batch of stale documents; documents whose words an earlier version wrote (states 1 and 2) come last.
const LOCK_STALE: &str = "
    select id
    from {schema}.search_documents
    where state < 3
    order by state, id
    limit $1
    for update skip locked";

/// Learns the new words of documents: their stems and their variants with one letter removed. A document has up to 1,344 words
/// with up to 41 variants each, so the batch is limited by words. A word with digits has no variants: a near number is another
/// number. The order of the words prevents deadlocks.
const LEARN_WORDS: &str = "
    with locked as materialized (
        select id, title, body
        from {schema}.search_documents
        where state = 3
        order by id
        limit 200
        for update skip locked
    ),
    fresh as materialized (
        select id, title, body
        from (
            select id, title, body, sum(cardinality(title) + cardinality(body)) over (order by id) as words
            from locked
        ) as counted
        where words <= 4000
    ),
    new as materialized (
        select distinct w.word
        from fresh
        cross join lateral (
            select word, false as in_body
            from unnest(title) as word
            union all
            select word, true
            from unnest(body) as word
        ) as w
        where {learnt}
            and not exists (select from {schema}.search_words k where k.word = w.word)
        order by w.word
    ),
    learnt as (
        insert into {schema}.search_words (word, stem, slips)
        select word, coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word), case
            when length(word) > 2 and word !~ '[0-9]' then array(
                select word
                union
                select overlay(word placing '' from letter for 1)
                from generate_series(1, length(word)) as letter
            )
            else '{}'
        end
        from new
        order by word
        on conflict (word) do nothing
    )
    update {schema}.search_documents d
    set state = 4
    from fresh
    where d.id = fresh.id";

/// Inserts the entries of all documents. Creates the index after the rows, which takes half the time of inserting into it.
const BUILD_ENTRIES: &str = "
    alter table {schema}.search_entries
    drop constraint search_entries_pkey;

    insert into {schema}.search_entries (word, shelf, at, id)
    select entry.word, entry.shelf, d.at, d.id
    from {schema}.search_documents d
    cross join lateral ({words}
    ) as entry;

    alter table {schema}.search_entries
    add constraint search_entries_pkey primary key (word, shelf, at, id)";

/// Like [`LEARN_WORDS`], for all words.
const LEARN_ALL_WORDS: &str = "
    insert into {schema}.search_words (word, stem, slips)
    select word, coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word), case
        when length(word) > 2 and word !~ '[0-9]' then array(
            select word
            union
            select overlay(word placing '' from letter for 1)
            from generate_series(1, length(word)) as letter
        )
        else '{}'
    end
    from (
        select word, bool_or(shelf % 2 = 1) as in_body
        from {schema}.search_entries
        where word not like '%*'
        group by word
    ) as used
    where {learnt}
    order by word";

/// The partitions of up to $2 non-public entries of each word, with the number of entries, which is lower when these are all.
const PARTITIONS: &str = "
    select r.word, count(entry.shelf), coalesce(array_agg(distinct entry.shelf) filter (where entry.shelf is not null), '{}')
    from unnest((select $1::text[])) as r (word)
    left join lateral (
        select e.shelf
        from {schema}.search_entries e
        where e.word = r.word
            and e.shelf > 1
        order by e.shelf
        limit (select $2::bigint)
    ) as entry on true
    group by r.word";

/// The number of documents for each word of the query, up to 65 for each candidate, and at that limit the oldest time
/// counted, which shows the rarer of two frequent words.
const COUNT_DOCUMENTS: &str = "
    select r.place, sum(counted.n)::bigint, max(counted.since) filter (where counted.n = 65)
    from unnest((select $1::text[]), (select $2::integer[]), (select $3::integer[])) as r (word, shelf, place)
    cross join lateral (
        select count(*) as n, min(few.at) as since
        from (
            select e.at
            from {schema}.search_entries e
            where e.word = r.word
                and e.shelf = r.shelf
            order by e.at desc, e.id desc
            limit 65
        ) as few
    ) as counted
    group by r.place";

/// The next entries of ranges, by rank and then newest first: part of the scans, which call it `{entries}`.
const ENTRIES: &str = "
        select r.rank, entry.at, entry.id
        from unnest(
            (select $1::text[]), (select $2::integer[]), (select $3::integer[]), (select $4::integer[]), (select $5::uuid[])
        ) as r (word, shelf, rank, before_at, before_id)
        cross join lateral (
            select e.at, e.id
            from {schema}.search_entries e
            where e.word = r.word
                and e.shelf = r.shelf
                and (e.at, e.id) < (r.before_at, r.before_id)
            order by e.at desc, e.id desc
            limit 64
        ) as entry
        order by r.rank, entry.at desc, entry.id desc
        limit 64";

/// The next documents of ranges of entries.
const SCAN: &str = "
    select first.rank, first.at, first.id, d.title, d.body
    from ({entries}) as first
    join {schema}.search_documents d on d.id = first.id
    order by first.rank, first.at desc, first.id desc
    limit (select $6::bigint)";

/// Like [`SCAN`], without the documents: a document is there once for each of its words.
const SCAN_ENTRIES: &str = "
    select first.rank, first.at, first.id, '{}'::text[] as title, '{}'::text[] as body
    from ({entries}) as first
    order by first.rank, first.at desc, first.id desc
    limit (select $6::bigint)";

/// The newest entries of words in partitions: number of the list, times, ids.
const ENTRY_LISTS: &str = "
    select r.number, list.at, list.ids
    from unnest((select $1::text[]), (select $2::integer[]), (select $3::integer[])) with ordinality
        as r (word, shelf, most, number)
    cross join lateral (
        select array_agg(newest.at) as at, array_agg(newest.id) as ids
        from (
            select e.at, e.id
            from {schema}.search_entries e
            where e.word = r.word
                and e.shelf = r.shelf
                and (e.at, e.id) < ((select $4::integer), (select $5::uuid))
            order by e.at desc, e.id desc
            limit r.most
        ) as newest
    ) as list
    where list.at is not null";

/// Documents by id, newest first.
const DOCUMENTS: &str = "
    select 0 as rank, d.at, d.id, d.title, d.body
    from {schema}.search_documents d
    where d.id = any($1)
    order by d.at desc, d.id desc";

/// For each word up to six words with the same stem; and the words that begin with it: all if there are at most 24, the six
/// shortest ones of the first hundred otherwise, and the first hundred of a beginning with a digit, such as the number of a case or
/// of a year: none of these is a form of another. The last two columns tell whether the word begins so, and whether others do.
const RELATED: &str = "
    select asked.place - 1, near.word, near.begins, near.is_cut
    from unnest((select $1::text[])) with ordinality as asked (word, place)
    cross join lateral (
        (
            select k.word, false as begins, false as is_cut
            from {schema}.search_words k
            where k.stem = (ts_lexize('pg_catalog.english_stem', asked.word))[1]
                and k.word <> asked.word
            order by k.stem, k.word
            limit 6
        )
        union all
        (
            select ranked.word, true, ranked.total > case when asked.word ~ '[0-9]' then 99 else 24 end
            from (
                select few.word, count(*) over () as total, row_number() over (order by length(few.word), few.word) as place
                from (
                    select k.word
                    from {schema}.search_words k
                    where k.word > asked.word
                        and k.word < asked.word || chr(1114111)
                    order by k.word
                    limit 100
                ) as few
            ) as ranked
            where ranked.total <= 24
                or ranked.place <= 6
                or asked.word ~ '[0-9]'
        )
    ) as near
    order by asked.place, near.begins";

/// Words that share a variant with one letter removed.
const CORRECTED: &str = "
    select asked.place - 1, meant.word
    from unnest((select $1::text[])) with ordinality as asked (word, place)
    cross join lateral (
        select k.word
        from {schema}.search_words k
        where k.slips && array(
            select asked.word
            union
            select overlay(asked.word placing '' from letter for 1)
            from generate_series(1, length(asked.word)) as letter
        )
        limit 64
    ) as meant
    where length(asked.word) > 3
        and asked.word !~ '[0-9]'";

/// A query from a statement of [`Sql`].
#[expect(clippy::disallowed_methods, reason = "the schema's name, a constant of ours, is part of the text")]
pub fn query<'q>(statement: &Arc<str>) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(AssertSqlSafe(Arc::clone(statement)))
}

/// A query with rows of type `T`.
#[expect(clippy::disallowed_methods, reason = "the schema's name, a constant of ours, is part of the text")]
pub fn query_as<'q, T: for<'r> FromRow<'r, PgRow>>(statement: &Arc<str>) -> QueryAs<'q, Postgres, T, PgArguments> {
    sqlx::query_as(AssertSqlSafe(Arc::clone(statement)))
}
