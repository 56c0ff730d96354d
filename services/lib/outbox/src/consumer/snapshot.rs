//! The start of a consumer: applies the state of the source in one transaction, so that a copy is never half new.

use std::{collections::HashMap, slice};

use sqlx::{Connection as _, PgConnection};

use super::{Consumer, MAX_FAILURES, Stop, apply::ApplyError};
use crate::{
    Fact,
    handlers::DeliveryKind,
    position::Position,
    sql::{self, CHUNK},
};
use primitives::error::ErrorChain;

/// The failures of rows, by kind and key.
pub(super) type Failures = HashMap<(String, String), u32>;

impl Consumer {
    /// Applies the snapshot of the source and returns the position of the facts after it. `from` is the present cursor.
    ///
    /// The rows are stored first, without an open transaction: a snapshot of each source at once must not wait for connections that the
    /// others hold. Then a lock is held until the end: a concurrent replica waits, and does not overwrite a newer state.
    pub(super) async fn take_snapshot(
        &self,
        from: Option<Position>,
        failures: &mut Failures,
    ) -> Result<Position, Stop> {
        self.stage(from).await?;
        let statements = self.cursor.sql();
        let mut tx = db::begin_plain(&self.pool).await?;
        // A snapshot can take minutes, and so can the wait for the lock.
        sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
        sql::query(&statements.lock_snapshot).bind(self.source).execute(&mut *tx).await?;
        if self.cursor.read(&mut *tx).await? != from {
            // Another replica has applied its rows, and nothing would use these.
            sql::query(&statements.delete_snapshot).bind(self.source).execute(&mut *tx).await?;
            tx.commit().await?;
            return Err(Stop::OtherReplica);
        }
        let Some(end) = self.staged_end(&mut tx).await? else { return Err(Stop::OtherReplica) };
        if !self.cursor.lock(&mut tx, from).await? {
            return Err(Stop::OtherReplica);
        }
        self.handlers.clear(&mut tx).await.map_err(Stop::Handler)?;
        let rows = self.apply_staged(&mut tx, failures).await?;
        self.cursor.set(&mut tx, end).await?;
        sql::query(&statements.delete_snapshot).bind(self.source).execute(&mut *tx).await?;
        tx.commit().await?;
        failures.clear();
        tracing::info!(source = self.source, rows, seq = end.seq, "the snapshot is applied");
        Ok(end)
    }

    /// Applies the stored rows in their order. Returns their number.
    async fn apply_staged(&self, conn: &mut PgConnection, failures: &mut Failures) -> Result<u64, Stop> {
        type Row = (i64, String, String, Vec<u8>);
        let (mut place, mut applied) = (0, 0);
        loop {
            let read = sql::query_as::<Row>(&self.cursor.sql().read_rows).bind(self.source).bind(place);
            let rows = read.fetch_all(&mut *conn).await?;
            let full = i64::try_from(rows.len()).is_ok_and(|read| read == CHUNK);
            place = rows.last().map_or(place, |row| row.0);
            let fact = |(_, kind, key, payload)| Fact { kind, key, payload, ..Fact::default() };
            let facts: Vec<Fact> = rows.into_iter().map(fact).collect();
            for kind in facts.chunk_by(|one, next| one.kind == next.kind) {
                applied += self.apply_rows(conn, kind, failures).await?;
            }
            if !full {
                return Ok(applied);
            }
        }
    }

    /// Applies rows of one kind together if its handlers can, and one by one otherwise. Returns the number of applied ones.
    async fn apply_rows(&self, conn: &mut PgConnection, rows: &[Fact], failures: &mut Failures) -> Result<u64, Stop> {
        let takes_several = |kind: &str| self.handlers.takes_together(DeliveryKind::Snapshot, kind, kind);
        let takes_batches = rows.first().is_some_and(|fact| takes_several(&fact.kind));
        if takes_batches && rows.len() > 1 {
            let mut part = conn.begin().await?;
            match self.apply(&mut part, rows, DeliveryKind::Snapshot).await {
                Ok(()) => {
                    part.commit().await?;
                    return Ok(rows.len() as u64);
                }
                Err(ApplyError::Stop(stop)) => return Err(stop),
                // Which one of them failed is not known.
                Err(ApplyError::Failed(_)) => part.rollback().await?,
            }
        }
        let mut applied = 0;
        for fact in rows {
            let name = (fact.kind.clone(), fact.key.clone());
            if failures.get(&name).is_some_and(|failed| *failed >= MAX_FAILURES) {
                self.store_dead(conn, fact, "it failed in ten snapshots").await?;
                continue;
            }
            match self.apply(conn, slice::from_ref(fact), DeliveryKind::Snapshot).await {
                Ok(()) => applied += 1,
                Err(ApplyError::Stop(stop)) => return Err(stop),
                // A failed statement aborts the transaction, so the rows are applied again from the first; without this one
                // after enough failures.
                Err(ApplyError::Failed(failure)) => {
                    *failures.entry(name).or_default() += 1;
                    let error = ErrorChain(failure.as_ref());
                    tracing::warn!(source = self.source, kind = fact.kind, key = fact.key, %error, "a handler failed");
                    return Err(Stop::Handler(failure));
                }
            }
        }
        Ok(applied)
    }
}
