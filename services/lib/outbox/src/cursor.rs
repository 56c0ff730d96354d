//! The position of a consumer, in its own schema. Every move is a compare-and-set in the transaction of the effect.

use std::sync::Arc;

use sqlx::{PgConnection, PgExecutor};

use uuid::Uuid;

use crate::{
    Fact, Outbox,
    position::Position,
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

    /// The statements of the consumer's schema.
    pub fn sql(&self) -> &Sql {
        &self.sql
    }

    /// The schema of the consumer.
    pub fn schema(&self) -> &'static str {
        self.sql.schema
    }

    /// The position; `None` before the first snapshot.
    pub async fn read(&self, db: impl PgExecutor<'_>) -> Result<Option<Position>, sqlx::Error> {
        sql::query_as::<Position>(&self.sql.cursor).bind(self.source).fetch_optional(db).await
    }

    /// Moves the cursor from `from` to `to`. False when it is not at `from`: another replica moved it, and the
    /// transaction must not commit. The row stays locked, so the second of two concurrent moves sees the first.
    pub async fn advance(&self, conn: &mut PgConnection, from: Position, to: i64) -> Result<bool, sqlx::Error> {
        let moved = sql::query(&self.sql.move_cursor).bind(self.source).bind(from.seq).bind(to).bind(from.history);
        Ok(moved.execute(conn).await?.rows_affected() == 1)
    }

    /// Moves the cursor to the same number of another history; false as in [`Self::advance`].
    pub async fn adopt(&self, conn: &mut PgConnection, from: Position, history: Uuid) -> Result<bool, sqlx::Error> {
        let adopted = sql::query(&self.sql.adopt_history).bind(self.source).bind(from.seq).bind(from.history);
        Ok(adopted.bind(history).execute(conn).await?.rows_affected() == 1)
    }

    /// Sets the cursor, which the transaction has locked.
    pub async fn set(&self, conn: &mut PgConnection, to: Position) -> Result<(), sqlx::Error> {
        sql::query(&self.sql.set_cursor).bind(self.source).bind(to.seq).bind(to.history).execute(conn).await?;
        Ok(())
    }

    /// Locks the cursor for a snapshot that starts from `from`; false when another replica moved it.
    pub async fn lock(&self, conn: &mut PgConnection, from: Option<Position>) -> Result<bool, sqlx::Error> {
        let locked = match from {
            None => sql::query(&self.sql.new_cursor).bind(self.source).execute(conn).await?,
            Some(Position { history, seq }) => {
                let lock = sql::query(&self.sql.lock_cursor).bind(self.source).bind(seq).bind(history);
                lock.execute(conn).await?
            }
        };
        Ok(locked.rows_affected() == 1)
    }

    /// Stores a fact that could not be applied, with the reason.
    pub async fn store_dead(&self, conn: &mut PgConnection, fact: &Fact, error: &str) -> Result<(), sqlx::Error> {
        sql::query(&self.sql.insert_dead_fact)
            .bind(self.source)
            .bind(fact.seq)
            .bind(&fact.kind)
            .bind(&fact.key)
            .bind(&fact.payload)
            .bind(&fact.traceparent)
            .bind(error)
            .bind(self.clock.now())
            .execute(conn)
            .await?;
        Ok(())
    }
}
