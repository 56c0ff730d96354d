//! The lag of a consumer, read from both databases: also when it applies nothing, and in a replica on standby.

use std::time::Duration;

use chrono::{DateTime, Utc};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use tonic::Status;

use super::Consumer;
use crate::{
    Fact,
    position::Position,
    proto::{GetPositionRequest, GetPositionResponse},
    sql,
};
use rpc::Call;

/// The timeout of a request for the position of the source.
const TIMEOUT: Duration = Duration::from_secs(2);

const RESTORED: &str = "outbox_restored_sources_total";
const DELIVERY: &str = "outbox_delivery_duration_seconds";

/// How far a consumer is behind its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// The number of facts that it has not applied, including facts without a number.
    pub facts: i64,
    /// The age of the oldest one.
    pub age: Duration,
}

/// Describes the metrics, and starts the counter: a series that appears with the first dead fact has no rate for an alert.
pub(super) fn describe(source: &'static str, consumer: &'static str) {
    describe_gauge!("outbox_lag_facts", "Facts of a source that the consumer has not applied");
    describe_gauge!("outbox_lag_seconds", "Age of the oldest fact of a source that the consumer has not applied");
    describe_gauge!("outbox_dead_facts", "Facts in dead_facts");
    describe_histogram!(DELIVERY, "Seconds from a change to the end of its effect in the consumer");
    describe_counter!("outbox_dead_facts_total", "Facts moved to dead_facts after ten failures");
    counter!("outbox_dead_facts_total", "source" => source, "consumer" => consumer).increment(0);
    describe_counter!(RESTORED, "Snapshots taken because the source lost facts that the consumer had applied");
    counter!(RESTORED, "source" => source, "consumer" => consumer).increment(0);
}

impl Consumer {
    /// Returns the present lag.
    ///
    /// # Errors
    /// When the source or the database is unavailable.
    pub async fn lag(&self) -> Result<Lag, Status> {
        let position = self.position().await?;
        let source = self.source_position(position).await?;
        Ok(self.lag_at(position, &source))
    }

    /// Reports the lag and the number of dead facts. The position of a source that does not respond is the `known` one, so that
    /// the lag of its facts continues to age.
    pub(super) async fn report(&self, known: &mut Option<GetPositionResponse>) -> Result<(), Status> {
        let position = self.position().await?;
        match self.source_position(position).await {
            Ok(source) => *known = Some(source),
            Err(status) => tracing::debug!(source = self.source, code = ?status.code(), "the position is unknown"),
        }
        if let Some(source) = known {
            let lag = self.lag_at(position, source);
            self.set("outbox_lag_facts", lag.facts);
            gauge!("outbox_lag_seconds", "source" => self.source, "consumer" => self.cursor.schema())
                .set(lag.age.as_secs_f64());
        }
        let (dead, _) = self.count_dead_facts().await?;
        self.set("outbox_dead_facts", dead);
        Ok(())
    }

    /// Reports that the cursor is of no use for the source, so that a snapshot follows.
    pub(super) fn report_snapshot(&self, cursor: Option<Position>, restored: bool) {
        let cursor = cursor.map(|position| position.seq);
        if restored {
            counter!(RESTORED, "source" => self.source, "consumer" => self.cursor.schema()).increment(1);
            tracing::warn!(
                source = self.source,
                cursor,
                "the source has lost facts before the cursor: its database was restored"
            );
        } else {
            tracing::warn!(source = self.source, cursor, "the source has pruned the facts after the cursor");
        }
    }

    /// Counts the dead facts, and the ones to apply again.
    pub(super) async fn count_dead_facts(&self) -> Result<(i64, i64), Status> {
        let statement = &self.cursor.sql().count_dead_facts;
        sql::query_as::<(i64, i64)>(statement).bind(self.source).fetch_one(&self.pool).await.map_err(unavailable)
    }

    async fn position(&self) -> Result<i64, Status> {
        Ok(self.cursor.read(&self.pool).await.map_err(unavailable)?.unwrap_or_default().seq)
    }

    async fn source_position(&self, after_seq: i64) -> Result<GetPositionResponse, Status> {
        let request = Call::new(self.credentials.clone(), TIMEOUT).request(GetPositionRequest { after_seq })?;
        Ok(self.client.clone().get_position(request).await?.into_inner())
    }

    /// Records how long ago the changes of facts were made, now that their effects are committed.
    pub(super) fn record_delivery(&self, facts: &[Fact]) {
        let now = self.clock.now();
        let delivery = histogram!(DELIVERY, "source" => self.source, "consumer" => self.cursor.schema());
        for at in facts.iter().filter_map(|fact| fact.created_at.as_ref()) {
            let at = DateTime::<Utc>::from_timestamp(at.seconds, at.nanos.unsigned_abs());
            // Zero when the clocks of the two machines differ by more.
            let took = at.map(|at| (now - at).to_std().unwrap_or_default());
            took.into_iter().for_each(|took| delivery.record(took));
        }
    }

    fn lag_at(&self, position: i64, source: &GetPositionResponse) -> Lag {
        let facts = (source.last_seq - position).max(0) + source.unnumbered;
        let oldest =
            source.oldest_at.and_then(|at| DateTime::<Utc>::from_timestamp(at.seconds, at.nanos.unsigned_abs()));
        let age = oldest.filter(|_| facts > 0).and_then(|at| (self.clock.now() - at).to_std().ok());
        Lag { facts, age: age.unwrap_or_default() }
    }

    fn set(&self, name: &'static str, count: i64) {
        // Exact up to 2^53 facts.
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        let count = count as f64;
        gauge!(name, "source" => self.source, "consumer" => self.cursor.schema()).set(count);
    }
}

pub(super) fn unavailable(error: sqlx::Error) -> Status {
    Status::unavailable(error.to_string())
}
