//! The statements, rendered once per schema: names cannot be parameters.

use std::sync::Arc;

use sqlx::{
    AssertSqlSafe, FromRow, Postgres,
    postgres::{PgArguments, PgRow},
    query::{Query, QueryAs},
};

/// The statements of one schema.
#[derive(Debug)]
pub struct Sql {
    pub claim: Arc<str>,
    pub get: Arc<str>,
    pub purge: Arc<str>,
}

impl Sql {
    pub fn new(schema: &str) -> Self {
        let fill = |statement: &str| -> Arc<str> { statement.replace("{schema}", schema).into() };
        Self { claim: fill(CLAIM), get: fill(GET), purge: fill(PURGE) }
    }
}

/// Inserts a key, or takes over an expired one.
const CLAIM: &str = "
    insert into {schema}.idempotency_keys as k (member_id, route, key, body_hash, resource_id, created_at)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (member_id, route, key) do update
    set
        body_hash = excluded.body_hash,
        resource_id = excluded.resource_id,
        created_at = excluded.created_at
    where k.created_at <= $7";

const GET: &str = "
    select body_hash, resource_id
    from {schema}.idempotency_keys
    where member_id = $1
        and route = $2
        and key = $3";

const PURGE: &str = "
    delete from {schema}.idempotency_keys
    where (member_id, route, key) in (
        select member_id, route, key
        from {schema}.idempotency_keys
        where created_at <= $1
        order by created_at
        limit $2
        for update skip locked
    )";

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
