//! One fact: the cursor's move and the effect in one transaction, tried ten times, then put aside.

use metrics::counter;
use tokio::time::sleep;
use tracing::Instrument as _;

use super::{Consumer, FAILURES, Stop};
use crate::{
    Fact,
    backoff::Backoff,
    handlers::{DeliveryKind, is_away},
};
use primitives::error::ErrorChain;

/// How one try ended, when it did not succeed.
pub(super) enum ApplyError {
    /// The consumer has to stop.
    Stop(Stop),
    /// The effect itself failed.
    Failed(super::Failure),
}

impl From<sqlx::Error> for ApplyError {
    fn from(error: sqlx::Error) -> Self {
        Self::Stop(Stop::Database(error))
    }
}

impl Consumer {
    /// Does what is to be done about a fact, or puts it aside.
    pub(super) async fn digest(&self, from: i64, fact: &Fact) -> Result<(), Stop> {
        // The trace of the request that caused the fact goes on here.
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
        self.digest_traced(from, fact).instrument(span).await
    }

    async fn digest_traced(&self, from: i64, fact: &Fact) -> Result<(), Stop> {
        let mut backoff = Backoff::default();
        for attempt in 1.. {
            let error = match self.attempt(from, fact).await {
                Ok(()) => break,
                Err(ApplyError::Stop(stop)) => return Err(stop),
                Err(ApplyError::Failed(failure)) => ErrorChain(failure.as_ref()).to_string(),
            };
            if attempt == FAILURES {
                return self.put_aside(from, fact, &error).await;
            }
            tracing::warn!(source = self.source, seq = fact.seq, kind = fact.kind, attempt, error, "an effect failed");
            sleep(backoff.next_delay()).await;
        }
        Ok(())
    }

    async fn attempt(&self, from: i64, fact: &Fact) -> Result<(), ApplyError> {
        let mut tx = db::begin_plain(&self.pool).await?;
        if !self.cursor.advance(&mut tx, from, fact.seq).await? {
            return Err(ApplyError::Stop(Stop::Twin));
        }
        self.effect(&mut tx, fact, DeliveryKind::Live).await?;
        // A deferred constraint speaks up here: that is the effect's failure too.
        tx.commit().await.map_err(|error| if is_away(&error) { error.into() } else { ApplyError::Failed(error.into()) })
    }

    /// The effect alone, in somebody's transaction.
    pub(super) async fn effect(
        &self,
        conn: &mut sqlx::PgConnection,
        fact: &Fact,
        told: DeliveryKind,
    ) -> Result<(), ApplyError> {
        self.handlers.apply(conn, fact, told).await.map_err(|failure| {
            if is_away(failure.as_ref()) {
                let away = sqlx::Error::Io(std::io::Error::other(failure));
                return ApplyError::Stop(Stop::Database(away));
            }
            ApplyError::Failed(failure)
        })
    }

    async fn put_aside(&self, from: i64, fact: &Fact, why: &str) -> Result<(), Stop> {
        let mut tx = db::begin_plain(&self.pool).await?;
        if !self.cursor.advance(&mut tx, from, fact.seq).await? {
            return Err(Stop::Twin);
        }
        self.bury(&mut tx, fact, why).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Puts a fact aside, and says so.
    pub(super) async fn bury(&self, conn: &mut sqlx::PgConnection, fact: &Fact, why: &str) -> Result<(), sqlx::Error> {
        self.cursor.bury(conn, fact, why).await?;
        tracing::error!(source = self.source, seq = fact.seq, kind = fact.kind, error = why, "a fact is put aside");
        counter!("outbox_dead_facts_total", "source" => self.source, "consumer" => self.cursor.schema()).increment(1);
        Ok(())
    }

    /// Moves the cursor over facts nobody cares about.
    pub(super) async fn skip(&self, from: i64, to: i64) -> Result<(), Stop> {
        let mut conn = self.pool.acquire().await?;
        if self.cursor.advance(&mut conn, from, to).await? { Ok(()) } else { Err(Stop::Twin) }
    }
}
