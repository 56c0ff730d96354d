//! A consumer's start: the source's whole state, in one transaction, so that a copy is the old one or the new one.

use std::collections::HashMap;

use super::{Consumer, FAILURES, Stop, apply::ApplyError};
use crate::{handlers::DeliveryKind, proto::SnapshotRequest};
use primitives::error::ErrorChain;

/// A kind nobody tells.
const NOTHING: &str = "portia.outbox.v1.Nothing";

impl Consumer {
    /// Applies the source's snapshot and returns where its facts go on. `from` is where the cursor stands, if it does.
    ///
    /// The cursor's row is taken first and held to the end: a twin that starts too waits, and then knows better than to
    /// write an older state over a newer one.
    pub(super) async fn take_snapshot(
        &self,
        from: Option<i64>,
        failures: &mut HashMap<(String, String), u32>,
    ) -> Result<i64, Stop> {
        let mut tx = db::begin_plain(&self.pool).await?;
        // The twin may hold the row for minutes, and so may we.
        sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
        if !self.cursor.take(&mut tx, from).await? {
            return Err(Stop::Twin);
        }
        self.handlers.clear(&mut tx).await.map_err(Stop::Effect)?;
        let request = self.request(SnapshotRequest { kinds: self.kinds() })?;
        let mut stream = self.client.clone().snapshot(request).await?.into_inner();
        let mut rows = 0_u64;
        while let Some(told) = stream.message().await? {
            if let Some(fact) = told.fact {
                let name = (fact.kind.clone(), fact.key.clone());
                if failures.get(&name).is_some_and(|failed| *failed >= FAILURES) {
                    self.bury(&mut tx, &fact, "it failed in ten snapshots").await?;
                    continue;
                }
                match self.effect(&mut tx, &fact, DeliveryKind::Snapshot).await {
                    Ok(()) => rows += 1,
                    Err(ApplyError::Stop(stop)) => return Err(stop),
                    // A failed statement spoils the transaction, so the snapshot starts anew; next time without this
                    // row, if it has failed often enough.
                    Err(ApplyError::Failed(failure)) => {
                        *failures.entry(name).or_default() += 1;
                        let error = ErrorChain(failure.as_ref());
                        tracing::warn!(source = self.source, kind = fact.kind, key = fact.key, %error, "an effect failed");
                        return Err(Stop::Effect(failure));
                    }
                }
            }
            if let Some(end) = told.end_seq {
                self.cursor.advance(&mut tx, from.unwrap_or(0), end).await?;
                tx.commit().await?;
                failures.clear();
                tracing::info!(source = self.source, rows, seq = end, "a snapshot is taken");
                return Ok(end);
            }
        }
        Err(tonic::Status::data_loss("the snapshot ended early").into())
    }

    /// What a snapshot is asked for. To name nothing is to ask for everything, so who wants none of it, only to know
    /// where the facts go on, names what nobody tells.
    fn kinds(&self) -> Vec<String> {
        let kinds = self.handlers.state_kinds();
        if kinds.is_empty() { vec![NOTHING.to_owned()] } else { kinds }
    }
}
