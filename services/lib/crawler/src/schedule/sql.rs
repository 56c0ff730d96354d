//! The statements, rendered once per schema: names cannot be parameters.

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

use super::Tables;

/// The statements of one schema.
#[derive(Debug)]
pub struct Sql {
    pub claim: Arc<str>,
    pub interrupt: Arc<str>,
    pub insert_crawl: Arc<str>,
    pub renew: Arc<str>,
    pub add_counts: Arc<str>,
    pub end_lease: Arc<str>,
    pub end_crawl: Arc<str>,
    pub prune: Arc<str>,
    pub release: Arc<str>,
    pub next_due: Arc<str>,
    pub list_successes: Arc<str>,
    pub begin_refresh: Arc<str>,
    pub get_progress: Arc<str>,
}

impl Sql {
    pub fn new(tables: &Tables) -> Self {
        let fill = |statement: &str| -> Arc<str> {
            statement
                .replace("{schema}", tables.schema)
                .replace("{held_until}", tables.held_until)
                .replace("{refreshable}", tables.refreshable)
                .replace("{claim_order}", tables.claim_order)
                .into()
        };
        Self {
            claim: fill(CLAIM),
            interrupt: fill(INTERRUPT),
            insert_crawl: fill(INSERT_CRAWL),
            renew: fill(RENEW),
            add_counts: fill(ADD_COUNTS),
            end_lease: fill(END_LEASE),
            end_crawl: fill(END_CRAWL),
            prune: fill(PRUNE),
            release: fill(RELEASE),
            next_due: fill(NEXT_DUE),
            list_successes: fill(LIST_SUCCESSES),
            begin_refresh: fill(BEGIN_REFRESH),
            get_progress: fill(GET_PROGRESS),
        }
    }
}

/// Leases the first due source without a valid lease.
const CLAIM: &str = "
    update {schema}.sources
    set
        leased_by = $1,
        leased_until = $3
    where id = (
        select id
        from {schema}.sources
        where is_on
            and due_at <= $2
            and (leased_until is null or leased_until <= $2)
        order by {claim_order}
        limit 1
        for no key update skip locked
    )
    returning id as source_id, leased_by as crawl_id, connector, address, name, etag, last_modified, failures";

/// Ends crawls whose process disappeared.
const INTERRUPT: &str = "
    update {schema}.crawls
    set
        ended_at = $2,
        failure = $3
    where source_id = $1
        and ended_at is null";

const INSERT_CRAWL: &str = "
    insert into {schema}.crawls (id, source_id, started_at)
    values ($1, $2, $3)";

const RENEW: &str = "
    update {schema}.sources
    set leased_until = $4
    where id = $1
        and leased_by = $2
        and leased_until > $3";

const ADD_COUNTS: &str = "
    update {schema}.crawls
    set
        found = found + $2,
        new_items = new_items + $3
    where id = $1";

const END_LEASE: &str = "
    update {schema}.sources s
    set
        leased_by = null,
        leased_until = null,
        due_at = $4,
        {held_until} = $5,
        failures = $6,
        failure = $7,
        last_run_at = $3,
        last_success_at = case when $7::text is null then $3 else s.last_success_at end,
        new_items = c.new_items,
        etag = case when $8 then $9 else s.etag end,
        last_modified = case when $8 then $10 else s.last_modified end
    from {schema}.crawls c
    where s.id = $1
        and s.leased_by = $2
        and s.leased_until > $3
        and c.id = $2
    returning c.found, c.new_items";

const END_CRAWL: &str = "
    update {schema}.crawls
    set
        ended_at = $2,
        unchanged = $3,
        failure = $4
    where id = $1";

/// Deletes all but the newest crawls of a source.
const PRUNE: &str = "
    delete from {schema}.crawls
    where id in (
        select id
        from {schema}.crawls
        where source_id = $1
        order by started_at desc, id desc
        offset $2
    )";

const RELEASE: &str = "
    update {schema}.sources
    set
        leased_by = null,
        leased_until = null
    where id = $1
        and leased_by = $2";

/// `greatest` ignores a missing lease.
const NEXT_DUE: &str = "
    select min(greatest(due_at, leased_until))
    from {schema}.sources
    where is_on";

const LIST_SUCCESSES: &str = "
    select name, last_success_at
    from {schema}.sources
    where is_on";

/// Begins a refresh unless one began within the cooldown, and returns its sources with the new items of their crawls that have
/// not ended. One statement, because a thousand requests may come at once. A source that sent `Retry-After` is left out.
const BEGIN_REFRESH: &str = "
    with begun as (
        update {schema}.refreshes
        set began_at = $1
        where id = 1
            and began_at <= $2
        returning id
    ),
    selected as (
        select id
        from {schema}.sources
        where is_on
            and {refreshable}
            and ({held_until} is null or {held_until} <= $1)
            and exists (select from begun)
    ),
    free as (
        select id
        from {schema}.sources
        where id in (select id from selected)
        order by id
        -- A locked source is being crawled now, and the refresh waits for that crawl instead of its lock.
        for no key update skip locked
    ),
    due as (
        update {schema}.sources s
        set due_at = least(s.due_at, $1)
        from free
        where s.id = free.id
    )
    select
        selected.id,
        (
            select coalesce(sum(c.new_items), 0)
            from {schema}.crawls c
            where c.source_id = selected.id
                and (c.ended_at is null or c.ended_at >= $1)
        )
    from selected";

/// Whether a source of a refresh is still due or being crawled, and the new items of their crawls since its start.
const GET_PROGRESS: &str = "
    select
        coalesce(bool_or(s.due_at <= $2 or s.leased_until > $3), false),
        (
            select coalesce(sum(c.new_items), 0)
            from {schema}.crawls c
            where c.source_id = any($1)
                and (c.ended_at is null or c.ended_at >= $2)
        )
    from {schema}.sources s
    where s.id = any($1)
        and s.is_on";

/// A query from a statement of [`Sql`].
#[expect(clippy::disallowed_methods, reason = "the names, constants of ours, are part of the text")]
pub fn query<'q>(statement: &Arc<str>) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(AssertSqlSafe(Arc::clone(statement)))
}

/// A query with rows of type `T`.
#[expect(clippy::disallowed_methods, reason = "the names, constants of ours, are part of the text")]
pub fn query_as<'q, T: for<'r> FromRow<'r, PgRow>>(statement: &Arc<str>) -> QueryAs<'q, Postgres, T, PgArguments> {
    sqlx::query_as(AssertSqlSafe(Arc::clone(statement)))
}
