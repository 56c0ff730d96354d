//! One fact: the move of the cursor and the handlers in one transaction, at most ten attempts, then `dead_facts`.

use metrics::counter;
use tokio::time::sleep;
use tracing::Instrument as _;

use super::{Consumer, MAX_FAILURES, Stop};
use crate::{
    Fact,
    backoff::Backoff,
    handlers::{DeliveryKind, is_unavailable},
};
use primitives::error::ErrorChain;

/// The failure of one attempt.
pub(super) enum ApplyError {
    /// The consumer must stop.
    Stop(Stop),
    /// A handler failed.
    Failed(super::Failure),
}

impl From<sqlx::Error> for ApplyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Stop(Stop::Database(error))
    }
}

impl Consumer {
    /// Applies a fact, or moves it to `dead_facts`.
    pub(super) async fn process(&self, from: i64, fact: &Fact) -> Result<(), Stop> {
        // Continues the trace of the request that caused the fact.
        let span = tracing::info_span!(
            "consume",
            "otel.name" = format!("consume {}", fact.kind),
            "otel.kind" = "consumer",
            "portia.service" = self.cursor.schema(),
            "messaging.operation.type" = "process",
            "messaging.destination.name" = self.source,
            "messaging.message.id" = fact.seq,
        );
        telemetry::set_parent(&span, telemetry::parse_traceparent(&fact.traceparent));
        self.process_traced(from, fact).instrument(span).await
    }

    async fn process_traced(&self, from: i64, fact: &Fact) -> Result<(), Stop> {
        let mut backoff = Backoff::default();
        for attempt in 1.. {
            let error = match self.attempt(from, fact).await {
                Ok(()) => break,
                Err(ApplyError::Stop(stop)) => return Err(stop),
                Err(ApplyError::Failed(failure)) => ErrorChain(failure.as_ref()).to_string(),
            };
            if attempt == MAX_FAILURES {
                return self.give_up(from, fact, &error).await;
            }
            tracing::warn!(source = self.source, seq = fact.seq, kind = fact.kind, attempt, error, "a handler failed");
            sleep(backoff.next_delay()).await;
        }
        Ok(())
    }

    async fn attempt(&self, from: i64, fact: &Fact) -> Result<(), ApplyError> {
        let mut tx = db::begin_plain(&self.pool).await?;
        if !self.cursor.advance(&mut tx, from, fact.seq).await? {
            return Err(ApplyError::Stop(Stop::OtherReplica));
        }
        self.apply(&mut tx, fact, DeliveryKind::Live).await?;
        // A deferred constraint fails here: that is a failure of the handler too.
        tx.commit()
            .await
            .map_err(|error| if is_unavailable(&error) { error.into() } else { ApplyError::Failed(error.into()) })
    }

    /// Runs the handlers in the transaction of `db`.
    pub(super) async fn apply(
        &self,
        conn: &mut sqlx::PgConnection,
        fact: &Fact,
        delivery: DeliveryKind,
    ) -> Result<(), ApplyError> {
        self.handlers.apply(conn, fact, delivery).await.map_err(|failure| {
            if is_unavailable(failure.as_ref()) {
                let unavailable = sqlx::Error::Io(std::io::Error::other(failure));
                return ApplyError::Stop(Stop::Database(unavailable));
            }
            ApplyError::Failed(failure)
        })
    }

    async fn give_up(&self, from: i64, fact: &Fact, why: &str) -> Result<(), Stop> {
        let mut tx = db::begin_plain(&self.pool).await?;
        if !self.cursor.advance(&mut tx, from, fact.seq).await? {
            return Err(Stop::OtherReplica);
        }
        self.store_dead(&mut tx, fact, why).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Stores a fact in `dead_facts`, with a log event and a metric.
    pub(super) async fn store_dead(
        &self,
        conn: &mut sqlx::PgConnection,
        fact: &Fact,
        why: &str,
    ) -> Result<(), sqlx::Error> {
        self.cursor.store_dead(conn, fact, why).await?;
        tracing::error!(
            source = self.source,
            seq = fact.seq,
            kind = fact.kind,
            error = why,
            "a fact is moved to dead_facts"
        );
        counter!("outbox_dead_facts_total", "source" => self.source, "consumer" => self.cursor.schema()).increment(1);
        Ok(())
    }

    /// Moves the cursor over facts without a handler.
    pub(super) async fn skip(&self, from: i64, to: i64) -> Result<(), Stop> {
        let mut conn = self.pool.acquire().await?;
        if self.cursor.advance(&mut conn, from, to).await? { Ok(()) } else { Err(Stop::OtherReplica) }
    }
}
