//! Dead facts that an operator wants to be applied again.

use std::slice;

use tonic::Status;
use tracing::Instrument as _;

use super::{Consumer, apply::ApplyError, lag::unavailable};
use crate::{Fact, handlers::DeliveryKind, sql};
use primitives::error::ErrorChain;

type Row = (i64, i64, String, String, Vec<u8>, String);

impl Consumer {
    /// Applies the requested dead facts. Each effect and the deletion of its row are one transaction, as with every fact.
    pub(super) async fn replay_requested(&self) -> Result<(), Status> {
        let (_, requested) = self.count_dead_facts().await?;
        for _ in 0..requested {
            self.replay_next().await.map_err(unavailable)?;
        }
        Ok(())
    }

    async fn replay_next(&self) -> Result<(), sqlx::Error> {
        let statements = self.cursor.sql();
        let mut tx = db::begin_plain(&self.pool).await?;
        let locked = sql::query_as::<Row>(&statements.lock_replay).bind(self.source).fetch_optional(&mut *tx).await?;
        let Some((id, seq, kind, key, payload, traceparent)) = locked else { return Ok(()) };
        let fact = Fact { seq, kind, key, payload, traceparent, created_at: None };
        let delivery = if seq == 0 { DeliveryKind::Snapshot } else { DeliveryKind::Live };
        let facts = slice::from_ref(&fact);
        let error = match self.apply(&mut tx, facts, delivery).instrument(self.span(facts)).await {
            Ok(()) => {
                sql::query(&statements.delete_dead_fact).bind(id).execute(&mut *tx).await?;
                match tx.commit().await {
                    Ok(()) => {
                        tracing::info!(source = self.source, seq, kind = fact.kind, "a dead fact is applied");
                        self.activity.record();
                        return Ok(());
                    }
                    // A deferred constraint.
                    Err(error) => ErrorChain(&error).to_string(),
                }
            }
            Err(ApplyError::Failed(failure)) => {
                tx.rollback().await?;
                ErrorChain(failure.as_ref()).to_string()
            }
            // The request remains for the next time.
            Err(ApplyError::Stop(stop)) => return Err(sqlx::Error::Io(std::io::Error::other(stop))),
        };
        tracing::warn!(source = self.source, seq, kind = fact.kind, error, "a dead fact failed again");
        sql::query(&statements.refuse_replay).bind(id).bind(error).execute(&self.pool).await?;
        Ok(())
    }
}
