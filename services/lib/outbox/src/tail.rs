//! The stream of one consumer: facts in order from its position, then new ones, with heartbeats between them.

use std::{collections::HashSet, sync::Arc, time::Duration};

use sqlx::PgPool;
use tokio::{
    sync::{mpsc, watch},
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::{
    position::{Position, correct, format_history, observe, parse_history},
    proto::{TailRequest, TailResponse},
    publications::{OpenStream, following},
    recent_facts::{FactsOfHistory, RecentFacts},
    sql::{self, Sql},
    status::{RESTORED, database_unavailable, other_history, out_of_range, stopping},
};

/// The interval of heartbeats of an idle source.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream in progress.
pub(super) struct Tail {
    pub sql: Arc<Sql>,
    pub pool: PgPool,
    pub recent: RecentFacts,
    /// The newest position that this process knows.
    pub newest: watch::Sender<Position>,
    /// The kinds of the facts to send; empty for all.
    pub kinds: HashSet<String>,
    pub out: mpsc::Sender<Result<TailResponse, Status>>,
}

/// The reason why a stream ends.
enum End {
    /// The consumer closed the stream.
    Closed,
    /// The stream ends with a status.
    Failed(Status),
}

impl From<sqlx::Error> for End {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(database_unavailable(&error))
    }
}

impl Tail {
    /// Returns the position of the consumer in the present history, and the stream from there. Fails when its facts are
    /// not in this history.
    pub async fn start(&self, request: &TailRequest) -> Result<(Position, OpenStream), Status> {
        let asked = Position { history: parse_history(&request.history), seq: request.after_seq };
        let (now, shared) = locate(&self.sql, &self.pool, asked.history).await?;
        observe(&self.newest, now);
        if !request.from_now {
            check_shared(asked, shared)?;
        }
        let seq = if request.from_now { now.seq } else { asked.seq };
        Ok((Position { history: now.history, seq }, self.recent.open(now)))
    }

    /// Streams until the consumer closes the stream or the process drains.
    pub async fn run(self, (start, _open): (Position, OpenStream), draining: CancellationToken) {
        let end = tokio::select! {
            Err(end) = self.follow(start) => end,
            // An orderly end, without an error in the log: consumers reconnect.
            () = draining.cancelled() => End::Closed,
            () = self.out.closed() => End::Closed,
        };
        if let End::Failed(status) = end {
            self.out.send(Err(status)).await.ok();
        }
    }

    async fn follow(&self, mut position: Position) -> Result<std::convert::Infallible, End> {
        let mut newest = self.newest.subscribe();
        // The first heartbeat contains the position for a consumer that starts from now.
        self.send_heartbeat(position, position.seq).await?;
        // Only the table knows whether the first facts are pruned.
        let mut first = true;
        loop {
            let last = *newest.borrow_and_update();
            let is_same = last.history == position.history;
            // A process that has just started knows none yet.
            if !is_same && last.history.is_some() {
                return Err(End::Failed(other_history()));
            }
            if is_same && last.seq > position.seq {
                let read = if first {
                    self.recent.query(position.seq).await?
                } else {
                    self.recent.read(position.seq, last.seq).await?
                };
                position.seq = self.send_batch(read, position, last.seq).await?;
                first = false;
                continue;
            }
            tokio::select! {
                changed = newest.changed() => if changed.is_err() { return Err(End::Failed(stopping())) },
                () = sleep(HEARTBEAT) => self.send_heartbeat(position, last.seq).await?,
            }
        }
    }

    /// Sends the next facts that the consumer handles, and how far the facts go. Returns the number of the last one.
    async fn send_batch(&self, read: FactsOfHistory, position: Position, last: i64) -> Result<i64, End> {
        let FactsOfHistory { history, facts, log_position } = read;
        let facts = following(&facts, position.seq);
        if facts.first().is_none_or(|fact| fact.seq != position.seq + 1) {
            return self.explain_missing(position).await.map(|()| position.seq);
        }
        // Another replica may have numbered them on a restored database that this process does not know yet.
        if history != position.history {
            return Err(End::Failed(other_history()));
        }
        let (mut seq, mut passed_seq) = (position.seq, position.seq);
        let mut response = None;
        for fact in facts {
            let is_sent = self.kinds.is_empty() || self.kinds.contains(&fact.kind);
            let next = TailResponse { last_seq: last.max(fact.seq), passed_seq, ..TailResponse::default() };
            if is_sent {
                let log_position = log_position.0;
                self.send(TailResponse { fact: Some(fact.clone()), log_position, ..next }).await?;
            }
            // Not over a gap, which the consumer finds at its next fact.
            if fact.seq == passed_seq + 1 {
                passed_seq = fact.seq;
            }
            seq = fact.seq;
            response =
                (!is_sent).then(|| TailResponse { last_seq: last.max(seq), passed_seq, ..TailResponse::default() });
        }
        if let Some(response) = response {
            self.send(response).await?;
        }
        Ok(seq)
    }

    /// Explains why the next fact is missing although the newest known number is higher. Numbers have no gaps, so it
    /// was pruned, or the known number belongs to a lost history, which would otherwise be missed again and again.
    async fn explain_missing(&self, position: Position) -> Result<(), End> {
        let read = sql::query_as::<Position>(&self.sql.newest).fetch_one(&self.pool).await?;
        if read.history == position.history && read.seq > position.seq {
            let message = format!("The facts after {} are pruned: take a Snapshot.", position.seq);
            return Err(End::Failed(out_of_range("PRUNED", message)));
        }
        correct(&self.newest, read);
        // Behind the position without another history yet: the consumer finds it out at its next start.
        if read.seq < position.seq { Err(End::Failed(other_history())) } else { Ok(()) }
    }

    async fn send_heartbeat(&self, position: Position, last_seq: i64) -> Result<(), End> {
        let (history, log_position) = (format_history(position.history), self.recent.log_position().await?.0);
        self.send(TailResponse { last_seq, history, log_position, ..TailResponse::default() }).await
    }

    async fn send(&self, response: TailResponse) -> Result<(), End> {
        self.out.send(Ok(response)).await.map_err(|_| End::Closed)
    }
}

/// Returns the present position, and the last number that it shares with a history. Without a history, as from the
/// previous release, only a number ahead of the newest one reveals facts that this database lost.
pub(super) async fn locate(sql: &Sql, pool: &PgPool, history: Option<Uuid>) -> Result<(Position, i64), Status> {
    type Row = (Option<Uuid>, i64, Option<i64>);
    let located = sql::query_as::<Row>(&sql.locate).bind(history).fetch_one(pool).await;
    let (own, newest, shared) = located.map_err(|error| database_unavailable(&error))?;
    let shared = if history.is_none() { newest } else { shared.unwrap_or(-1).min(newest) };
    Ok((Position { history: own, seq: newest }, shared))
}

/// Refuses a position that is not in the present history.
pub(super) fn check_shared(asked: Position, shared: i64) -> Result<(), Status> {
    if (0..=shared).contains(&asked.seq) {
        return Ok(());
    }
    let message = format!("The fact {} is not in the history of this database: take a Snapshot.", asked.seq);
    Err(out_of_range(RESTORED, message))
}
