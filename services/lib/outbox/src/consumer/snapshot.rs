//! The start of a consumer: applies the state of the source in one transaction, so that a copy is never half new.

use std::{collections::HashMap, slice};

use super::{Consumer, MAX_FAILURES, Stop, apply::ApplyError};
use crate::{
    handlers::DeliveryKind,
    position::{Position, parse_history},
    proto::SnapshotRequest,
};
use primitives::error::ErrorChain;

/// A kind that no service publishes.
const NO_KIND: &str = "portia.outbox.v1.Nothing";

impl Consumer {
    /// Applies the snapshot of the source and returns the position of the facts after it. `from` is the present cursor.
    ///
    /// The row of the cursor is locked first and until the end: a concurrent replica waits, and then does not overwrite
    /// a newer state.
    pub(super) async fn take_snapshot(
        &self,
        from: Option<Position>,
        failures: &mut HashMap<(String, String), u32>,
    ) -> Result<Position, Stop> {
        let mut tx = db::begin_plain(&self.pool).await?;
        // A snapshot can take minutes, and so can the wait for the lock.
        sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
        if !self.cursor.lock(&mut tx, from).await? {
            return Err(Stop::OtherReplica);
        }
        self.handlers.clear(&mut tx).await.map_err(Stop::Handler)?;
        let request = self.request(SnapshotRequest { kinds: self.kinds() })?;
        let mut stream = self.client.clone().snapshot(request).await?.into_inner();
        let mut rows = 0_u64;
        while let Some(response) = stream.message().await? {
            if let Some(fact) = response.fact {
                let name = (fact.kind.clone(), fact.key.clone());
                if failures.get(&name).is_some_and(|failed| *failed >= MAX_FAILURES) {
                    self.store_dead(&mut tx, &fact, "it failed in ten snapshots").await?;
                    continue;
                }
                match self.apply(&mut tx, slice::from_ref(&fact), DeliveryKind::Snapshot).await {
                    Ok(()) => rows += 1,
                    Err(ApplyError::Stop(stop)) => return Err(stop),
                    // A failed statement aborts the transaction, so the snapshot starts again; without this row after
                    // enough failures.
                    Err(ApplyError::Failed(failure)) => {
                        *failures.entry(name).or_default() += 1;
                        let error = ErrorChain(failure.as_ref());
                        tracing::warn!(source = self.source, kind = fact.kind, key = fact.key, %error, "a handler failed");
                        return Err(Stop::Handler(failure));
                    }
                }
            }
            if let Some(seq) = response.end_seq {
                let end = Position { history: parse_history(&response.history), seq };
                self.cursor.set(&mut tx, end).await?;
                tx.commit().await?;
                failures.clear();
                tracing::info!(source = self.source, rows, seq, "the snapshot is applied");
                return Ok(end);
            }
        }
        Err(tonic::Status::data_loss("the snapshot ended early").into())
    }

    /// The requested kinds. An empty list means all kinds, so a consumer that needs only the position requests a kind
    /// that does not exist.
    fn kinds(&self) -> Vec<String> {
        let kinds = self.handlers.state_kinds();
        if kinds.is_empty() { vec![NO_KIND.to_owned()] } else { kinds }
    }
}
