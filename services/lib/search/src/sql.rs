//! Every statement, written out once for a schema: names cannot be parameters.
//!
//! What a search is read by stands in them as `(select $1)`: Postgres makes a plan for the values of a bare list, each time, where
//! it expects less work of that, and often works longer on the plan. Documents are read by their ids alone, for which there is but one.

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

use crate::bulk::{ENTER, LEARN_ALL};

/// The statements of one schema.
#[derive(Debug)]
pub struct Sql {
    pub hold: Arc<str>,
    pub lift: Arc<str>,
    pub put: Arc<str>,
    pub remove: Arc<str>,
    pub forget: Arc<str>,
    pub stale: Arc<str>,
    pub stalest: Arc<str>,
    pub learn: Arc<str>,
    pub standing: Arc<str>,
    pub count: Arc<str>,
    pub walk: Arc<str>,
    pub lists: Arc<str>,
    pub these: Arc<str>,
    pub near: Arc<str>,
    pub mistyped: Arc<str>,
    pub enter: Arc<str>,
    pub learn_all: Arc<str>,
}

impl Sql {
    pub fn new(schema: &str) -> Self {
        let fill = |statement: &str| -> Arc<str> { statement.replace("{schema}", schema).into() };
        Self {
            hold: fill(HOLD),
            lift: fill(LIFT),
            put: fill(PUT),
            remove: fill(REMOVE),
            forget: fill(FORGET),
            stale: fill(STALE),
            stalest: fill(STALEST),
            learn: fill(LEARN),
            standing: fill(STANDING),
            count: fill(COUNT),
            walk: fill(WALK),
            lists: fill(LISTS),
            these: fill(THESE),
            near: fill(NEAR),
            mistyped: fill(MISTYPED),
            enter: fill(ENTER),
            learn_all: fill(LEARN_ALL),
        }
    }
}

/// Holds documents until the transaction ends, and says what they consist of. A statement of its own: the next one must see
/// what was committed while this one waited.
const HOLD: &str = "
    select title || body
    from {schema}.search_documents
    where id = any($1)
    order by id
    for update";

/// Takes the entries of some documents away; the documents tell which these are.
const LIFT: &str = "
    delete from {schema}.search_entries e
    using {schema}.search_documents d
    cross join lateral (
        select word, d.shelf as shelf
        from unnest(d.title) as word
        union all
        select word, d.shelf + 1
        from unnest(d.body) as word
    ) as old
    where d.id = any($1)
        and e.word = old.word
        and e.shelf = old.shelf
        and e.at = d.at
        and e.id = d.id";

/// Puts documents, whose entries of before were lifted, and says of each whether it has words nobody used before.
const PUT: &str = "
    with new as materialized (
        select id, shelf, at, string_to_array(title, ' ') as title, string_to_array(body, ' ') as body
        from unnest($1::uuid[], $2::integer[], $3::integer[], $4::text[], $5::text[]) as n (id, shelf, at, title, body)
    ),
    put as (
        insert into {schema}.search_documents (id, shelf, at, title, body, state)
        select id, shelf, at, title, body, case
            when exists (
                select
                from unnest(title || body) as w (word)
                where length(w.word) between 2 and 40
                    and w.word !~ '[0-9]'
                    and not exists (select from {schema}.search_words k where k.word = w.word)
            ) then 1
            else 2
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
    select entry.word, entry.shelf, new.at, new.id
    from new
    cross join lateral (
        select word, new.shelf as shelf
        from unnest(new.title) as word
        union all
        select word, new.shelf + 1
        from unnest(new.body) as word
    ) as entry
    order by entry.word, entry.shelf
    on conflict (word, shelf, at, id) do nothing";

/// Takes documents away, whose entries were lifted.
const REMOVE: &str = "
    delete from {schema}.search_documents
    where id = any($1)";

/// Forgets those of some words that nobody uses any more. In their order, as whoever learns them.
const FORGET: &str = "
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

/// Documents to be read anew, soon; those that are new as well.
const STALE: &str = "
    insert into {schema}.search_documents (id, shelf, at, title, body, state)
    select id, 0, 0, '{}', '{}', 0
    from unnest($1::uuid[]) as id
    order by id
    on conflict (id) do update
    set state = 0
    where search_documents.state <> 0";

/// Some of those, for whoever reads them.
const STALEST: &str = "
    select id
    from {schema}.search_documents
    where state = 0
    order by id
    limit $1
    for update skip locked";

/// Learns the new words of some documents: what form they are of, and what they are taken for where one letter is missing.
/// A document has up to 320 of them and each up to 41 of these, so it is words that are counted and not documents. In the
/// order of the words, so that two that learn at once wait for each other and never in a circle.
const LEARN: &str = "
    with locked as materialized (
        select id, title, body
        from {schema}.search_documents
        where state = 1
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
        select distinct word
        from fresh
        cross join unnest(title || body) as word
        where length(word) between 2 and 40
            and word !~ '[0-9]'
            and not exists (select from {schema}.search_words k where k.word = word.word)
        order by word
    ),
    learnt as (
        insert into {schema}.search_words (word, stem, slips)
        select word, coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word), case
            when length(word) > 2 then array(
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
    set state = 2
    from fresh
    where d.id = fresh.id";

/// The shelves of so many entries of each word, everybody's aside; how many there are tells whether these are all.
const STANDING: &str = "
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

/// How many documents have any of the words a place of the query may be taken for, up to 65 for each; where there are more,
/// how far back these reach, which tells the rarer of two words that both have many.
const COUNT: &str = "
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

/// The newest of some ranges of entries, those of the better rank first, each range from where it was left.
const WALK: &str = "
    select first.rank, first.at, first.id, d.title, d.body
    from (
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
        limit 64
    ) as first
    join {schema}.search_documents d on d.id = first.id
    order by first.rank, first.at desc, first.id desc
    limit (select $6::bigint)";

/// The newest entries of some words on some shelves, so many of each: the list's number, the moments, the ids.
const LISTS: &str = "
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

/// Documents, the newest first.
const THESE: &str = "
    select 0 as rank, d.at, d.id, d.title, d.body
    from {schema}.search_documents d
    where d.id = any($1)
    order by d.at desc, d.id desc";

/// Other forms of words, and words that begin so: a few of each, of those that begin so the shortest.
const NEAR: &str = "
    select asked.place - 1, near.word
    from unnest((select $1::text[])) with ordinality as asked (word, place)
    cross join lateral (
        (
            select k.word
            from {schema}.search_words k
            where k.stem = (ts_lexize('pg_catalog.english_stem', asked.word))[1]
                and k.word <> asked.word
            order by k.stem, k.word
            limit 6
        )
        union
        (
            select few.word
            from (
                select k.word
                from {schema}.search_words k
                where k.word > asked.word
                    and k.word < asked.word || chr(1114111)
                order by k.word
                limit 100
            ) as few
            order by length(few.word), few.word
            limit 6
        )
    ) as near";

/// Words that share with another one what is left where a letter is missing.
const MISTYPED: &str = "
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

/// A statement of [`Sql`], ready for its parameters.
#[expect(clippy::disallowed_methods, reason = "the schema's name, a constant of ours, is part of the text")]
pub fn query<'q>(statement: &Arc<str>) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(AssertSqlSafe(Arc::clone(statement)))
}

/// The same, for rows read as `T`.
#[expect(clippy::disallowed_methods, reason = "the schema's name, a constant of ours, is part of the text")]
pub fn query_as<'q, T: for<'r> FromRow<'r, PgRow>>(statement: &Arc<str>) -> QueryAs<'q, Postgres, T, PgArguments> {
    sqlx::query_as(AssertSqlSafe(Arc::clone(statement)))
}
