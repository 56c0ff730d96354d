//! Every statement of the outbox, written out once for a schema: names cannot be parameters.

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

/// Facts numbered, read or pruned at a time.
pub const BATCH: i64 = 500;

/// The statements of one schema, and its NOTIFY channels.
#[derive(Debug)]
pub struct Sql {
    pub schema: &'static str,
    /// A fact was committed; the sequencers should look.
    pub published_channel: String,
    /// Facts were numbered, up to the payload; the tails should look.
    pub numbered_channel: String,
    pub publish: Arc<str>,
    pub publish_all: Arc<str>,
    pub newest: Arc<str>,
    pub pending: Arc<str>,
    pub lock_sequence: Arc<str>,
    pub number: Arc<str>,
    pub read: Arc<str>,
    pub prune: Arc<str>,
    pub cursor: Arc<str>,
    pub move_cursor: Arc<str>,
    pub new_cursor: Arc<str>,
    pub lock_cursor: Arc<str>,
    pub bury: Arc<str>,
}

impl Sql {
    pub fn new(schema: &'static str) -> Self {
        let published_channel = format!("{schema}_outbox_published");
        let numbered_channel = format!("{schema}_outbox_numbered");
        let fill = |statement: &str| -> Arc<str> {
            statement
                .replace("{schema}", schema)
                .replace("{published}", &published_channel)
                .replace("{numbered}", &numbered_channel)
                .replace("{batch}", &BATCH.to_string())
                .into()
        };
        Self {
            schema,
            publish: fill(PUBLISH),
            publish_all: fill(PUBLISH_ALL),
            newest: fill(NEWEST),
            pending: fill(PENDING),
            lock_sequence: fill(LOCK_SEQUENCE),
            number: fill(NUMBER),
            read: fill(READ),
            prune: fill(PRUNE),
            cursor: fill(CURSOR),
            move_cursor: fill(MOVE_CURSOR),
            new_cursor: fill(NEW_CURSOR),
            lock_cursor: fill(LOCK_CURSOR),
            bury: fill(BURY),
            published_channel,
            numbered_channel,
        }
    }
}

/// The row and its NOTIFY, which Postgres delivers at commit, in one round trip.
const PUBLISH: &str = "
    with told as (
        insert into {schema}.outbox (kind, key, payload, traceparent, at)
        values ($1, $2, $3, $4, $5)
        returning id
    )
    select pg_notify('{published}', '')
    from told";

const PUBLISH_ALL: &str = "
    with told as (
        insert into {schema}.outbox (kind, key, payload, traceparent, at)
        select $1, f.key, f.payload, $4, $5
        from unnest($2::text[], $3::bytea[]) with ordinality as f (key, payload, place)
        order by f.place
        returning id
    )
    select pg_notify('{published}', '')
    from told
    limit 1";

const NEWEST: &str = "
    select n
    from {schema}.outbox_sequence
    where id = 1";

const PENDING: &str = "
    select n, exists (select from {schema}.outbox where seq is null)
    from {schema}.outbox_sequence
    where id = 1";

/// A statement of its own: the next one must see what was committed while this one waited.
const LOCK_SEQUENCE: &str = "
    select n
    from {schema}.outbox_sequence
    where id = 1
    for update";

const NUMBER: &str = "
    with pending as (
        select id, row_number() over (order by id) as place
        from (
            select id
            from {schema}.outbox
            where seq is null
            order by id
            limit {batch}
        ) as oldest
    ),
    numbered as (
        update {schema}.outbox as o
        set seq = $1 + pending.place
        from pending
        where o.id = pending.id
        returning o.seq
    ),
    moved as (
        update {schema}.outbox_sequence
        set n = (select max(seq) from numbered)
        where id = 1
            and exists (select from numbered)
        returning n
    )
    select n, pg_notify('{numbered}', n::text) is null
    from moved";

const READ: &str = "
    select seq, kind, key, payload, coalesce(traceparent, '')
    from {schema}.outbox
    where seq > $1
    order by seq
    limit {batch}";

/// A prefix of the order only, so that what is left stays gapless even when the clocks of writers differ.
const PRUNE: &str = "
    with oldest as (
        select seq, at
        from {schema}.outbox
        where seq is not null
        order by seq
        limit {batch}
    ),
    kept as (
        select min(seq) as first
        from oldest
        where at >= $1
    )
    delete from {schema}.outbox as o
    using oldest, kept
    where o.seq = oldest.seq
        and (kept.first is null or oldest.seq < kept.first)";

const CURSOR: &str = "
    select seq
    from {schema}.cursors
    where source = $1";

const MOVE_CURSOR: &str = "
    update {schema}.cursors
    set seq = $3
    where source = $1
        and seq = $2";

const NEW_CURSOR: &str = "
    insert into {schema}.cursors (source, seq)
    values ($1, 0)
    on conflict (source) do nothing";

const LOCK_CURSOR: &str = "
    select seq
    from {schema}.cursors
    where source = $1
        and seq = $2
    for update";

const BURY: &str = "
    insert into {schema}.dead_facts (source, seq, kind, key, payload, traceparent, error, at)
    values ($1, $2, $3, $4, $5, nullif($6, ''), $7, $8)";

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
