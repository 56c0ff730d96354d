//! Facts: the move of the cursor and the handlers in one transaction. Several facts share one, until one of them fails: then
//! each has its own, with at most ten attempts before it moves to `dead_facts`.

use std::slice;

use metrics::counter;
use tokio::time::sleep;
use tracing::{Instrument as _, Span, field::Empty};

use super::{Consumer, MAX_FAILURES, Stop};
use crate::{
    Fact,
    backoff::Backoff,
    handlers::{DeliveryKind, is_unavailable},
    position::Position,
};
use primitives::error::ErrorChain;

/// The maximum of calls of handlers in one transaction. Its locks delay requests for as long as the effects take.
const MAX_CALLS: usize = 16;

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

/// Converts the error of a statement of the consumer itself. A deferred constraint that fails at the commit is a
/// failure of a handler, and so is a lock that was not granted in time.
fn of_statement(error: sqlx::Error) -> ApplyError {
    if is_unavailable(&error) { error.into() } else { ApplyError::Failed(error.into()) }
}

impl Consumer {
    /// Applies facts, and moves failing ones to `dead_facts`.
    pub(super) async fn process_all(&self, mut from: Position, mut facts: &[Fact]) -> Result<(), Stop> {
        while !facts.is_empty() {
            let (together, later) = facts.split_at(self.calls(facts).take(MAX_CALLS).map(<[Fact]>::len).sum());
            self.process_together(from, together).await?;
            from.seq = together.last().map_or(from.seq, |fact| fact.seq);
            facts = later;
        }
        Ok(())
    }

    /// Splits facts into the calls of handlers.
    fn calls<'a>(&self, facts: &'a [Fact]) -> impl Iterator<Item = &'a [Fact]> {
        facts.chunk_by(|one, next| self.handlers.takes_together(DeliveryKind::Live, &one.kind, &next.kind))
    }

    /// Applies facts in one transaction, or one by one if that fails.
    async fn process_together(&self, mut from: Position, facts: &[Fact]) -> Result<(), Stop> {
        let mut failed = None;
        if facts.len() > 1 {
            match self.attempt_all(from, facts).await {
                Ok(()) => {
                    self.record_delivery(facts);
                    return Ok(());
                }
                Err((_, ApplyError::Stop(stop))) => return Err(stop),
                Err((seq, ApplyError::Failed(failure))) => {
                    let error = ErrorChain(failure.as_ref());
                    tracing::debug!(source = self.source, seq, %error, "facts are applied one by one");
                    failed = seq;
                }
            }
        }
        for fact in facts {
            let attempts = u32::from(failed == Some(fact.seq));
            let alone = slice::from_ref(fact);
            self.process(from, fact, attempts).instrument(self.span(alone)).await?;
            self.record_delivery(alone);
            from.seq = fact.seq;
        }
        Ok(())
    }

    /// Creates the span of the facts of one call, with the kind of the first. It continues the trace of the request
    /// that caused the first fact, and links to the traces of the others.
    pub(super) fn span(&self, facts: &[Fact]) -> Span {
        let Some((fact, others)) = facts.split_first() else { return Span::none() };
        let span = tracing::info_span!(
            "consume",
            "otel.name" = format!("consume {}", fact.kind),
            "otel.kind" = "consumer",
            "portia.service" = self.cursor.schema(),
            "otel.status_code" = Empty,
            "error.type" = Empty,
            "messaging.system" = "portia_outbox",
            "messaging.operation.name" = "consume",
            "messaging.operation.type" = "process",
            "messaging.destination.name" = self.source,
            "messaging.message.id" = fact.seq,
            "messaging.batch.message_count" = facts.len(),
        );
        telemetry::set_parent(&span, telemetry::parse_traceparent(&fact.traceparent));
        for other in others {
            telemetry::add_link(&span, &telemetry::parse_traceparent(&other.traceparent));
        }
        span
    }

    /// Applies facts in one transaction. The error has the fact that failed, if it is known. A request that waits for a
    /// row of this transaction can hold a row that a later fact needs: this transaction gives up first.
    async fn attempt_all(&self, from: Position, facts: &[Fact]) -> Result<(), (Option<i64>, ApplyError)> {
        let Some(last) = facts.last() else { return Ok(()) };
        let mut tx = db::begin_yielding(&self.pool).await.map_err(|error| (None, error.into()))?;
        match self.cursor.advance(&mut tx, from, last.seq).await {
            Ok(true) => {}
            Ok(false) => return Err((None, ApplyError::Stop(Stop::OtherReplica))),
            Err(error) => return Err((None, of_statement(error))),
        }
        for facts in self.calls(facts) {
            let applied = self.apply(&mut tx, facts, DeliveryKind::Live).instrument(self.span(facts)).await;
            // Which one of several failed is not known.
            let failed = if let [fact] = facts { Some(fact.seq) } else { None };
            applied.map_err(|error| (failed, error))?;
        }
        tx.commit().await.map_err(|error| (None, of_statement(error)))
    }

    /// Applies a fact that failed `attempts` times, or moves it to `dead_facts`.
    async fn process(&self, from: Position, fact: &Fact, attempts: u32) -> Result<(), Stop> {
        let mut backoff = Backoff::default();
        for attempt in attempts + 1.. {
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

    async fn attempt(&self, from: Position, fact: &Fact) -> Result<(), ApplyError> {
        let mut tx = db::begin_plain(&self.pool).await?;
        if !self.cursor.advance(&mut tx, from, fact.seq).await? {
            return Err(ApplyError::Stop(Stop::OtherReplica));
        }
        self.apply(&mut tx, slice::from_ref(fact), DeliveryKind::Live).await?;
        tx.commit().await.map_err(of_statement)
    }

    /// Runs the handlers in the transaction of `db`, within [`Self::span`].
    pub(super) async fn apply(
        &self,
        conn: &mut sqlx::PgConnection,
        facts: &[Fact],
        delivery: DeliveryKind,
    ) -> Result<(), ApplyError> {
        self.handlers.apply(conn, facts, delivery).await.map_err(|failure| {
            let span = Span::current();
            span.record("otel.status_code", "ERROR");
            span.record("error.type", if is_unavailable(failure.as_ref()) { "unavailable" } else { "handler" });
            if is_unavailable(failure.as_ref()) {
                let unavailable = sqlx::Error::Io(std::io::Error::other(failure));
                return ApplyError::Stop(Stop::Database(unavailable));
            }
            ApplyError::Failed(failure)
        })
    }

    async fn give_up(&self, from: Position, fact: &Fact, why: &str) -> Result<(), Stop> {
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
    pub(super) async fn skip(&self, from: Position, to: i64) -> Result<(), Stop> {
        let mut conn = self.pool.acquire().await?;
        if self.cursor.advance(&mut conn, from, to).await? { Ok(()) } else { Err(Stop::OtherReplica) }
    }
}
