//! Where a consumer stands, in the schema of its effects: every move is a compare-and-set in the effect's transaction.

use std::sync::Arc;

use sqlx::{PgConnection, PgPool};

use crate::{
    Fact, Outbox,
    sql::{self, Sql},
};
use primitives::clock::Clock;

/// The cursor of one source.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    sql: Arc<Sql>,
    source: &'static str,
    clock: Clock,
}

impl Cursor {
    pub fn new(outbox: &Outbox, source: &'static str, clock: Clock) -> Self {
        Self { sql: Arc::clone(&outbox.sql), source, clock }
    }

    /// The schema that hears.
    pub fn schema(&self) -> &'static str {
        self.sql.schema
    }

    /// How far the source was heard; `None` when it never was.
    pub async fn read(&self, pool: &PgPool) -> Result<Option<i64>, sqlx::Error> {
        let row = sql::query_as::<(i64,)>(&self.sql.cursor).bind(self.source).fetch_optional(pool).await?;
        Ok(row.map(|(seq,)| seq))
    }

    /// Moves from `from` to `to`. False when it does not stand at `from`: a twin was here, and the transaction must not
    /// commit. The row stays locked, so of two that try at once the second learns of the first.
    pub async fn advance(&self, conn: &mut PgConnection, from: i64, to: i64) -> Result<bool, sqlx::Error> {
        let moved = sql::query(&self.sql.move_cursor).bind(self.source).bind(from).bind(to).execute(conn).await?;
        Ok(moved.rows_affected() == 1)
    }

    /// Takes the cursor for a snapshot that starts from `from`; false when a twin has it or had it.
    pub async fn take(&self, conn: &mut PgConnection, from: Option<i64>) -> Result<bool, sqlx::Error> {
        let taken = match from {
            None => sql::query(&self.sql.new_cursor).bind(self.source).execute(conn).await?,
            Some(seq) => sql::query(&self.sql.lock_cursor).bind(self.source).bind(seq).execute(conn).await?,
        };
        Ok(taken.rows_affected() == 1)
    }

    /// Puts a fact nobody could digest aside, with the reason.
    pub async fn bury(&self, conn: &mut PgConnection, fact: &Fact, why: &str) -> Result<(), sqlx::Error> {
        sql::query(&self.sql.bury)
            .bind(self.source)
            .bind(fact.seq)
            .bind(&fact.kind)
            .bind(&fact.key)
            .bind(&fact.payload)
            .bind(&fact.traceparent)
            .bind(why)
            .bind(self.clock.now())
            .execute(conn)
            .await?;
        Ok(())
    }
}
