//! The stream of one consumer: facts in order from its position, then new ones, with heartbeats between them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use tokio::{
    sync::{mpsc, watch},
    time::sleep,
};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::{
    proto::{Fact, TailRequest, TailResponse},
    sequencer::advance,
    server::{database_unavailable, stopping, timestamp},
    sql::{self, Sql},
};

/// The interval of heartbeats of an idle source.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream in progress.
pub(super) struct Tail {
    pub sql: Arc<Sql>,
    pub pool: PgPool,
    /// The newest number that this process knows.
    pub newest: watch::Sender<i64>,
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
    /// The position of the consumer, unless the facts after it are pruned.
    pub async fn start(&self, request: &TailRequest) -> Result<i64, Status> {
        let newest = sql::query_as::<(i64,)>(&self.sql.newest).fetch_one(&self.pool).await;
        let (newest,) = newest.map_err(|error| database_unavailable(&error))?;
        advance(&self.newest, newest);
        if request.from_now {
            return Ok(newest);
        }
        // A cursor ahead of the newest number is from a history that this database lost (restored from an older
        // backup).
        if !(0..=newest).contains(&request.after_seq) {
            return Err(pruned(request.after_seq));
        }
        Ok(request.after_seq)
    }

    /// Streams until the consumer closes the stream or the process drains.
    pub async fn run(self, start: i64, draining: CancellationToken) {
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

    async fn follow(&self, mut position: i64) -> Result<std::convert::Infallible, End> {
        let mut newest = self.newest.subscribe();
        // The first heartbeat contains the position for a consumer that starts from now.
        self.send(None, position).await?;
        loop {
            let last = *newest.borrow_and_update();
            if last > position {
                position = self.send_batch(position, last).await?;
                continue;
            }
            tokio::select! {
                changed = newest.changed() => if changed.is_err() { return Err(End::Failed(stopping())) },
                () = sleep(HEARTBEAT) => self.send(None, last).await?,
            }
        }
    }

    /// Sends the next facts and returns the number of the last one.
    async fn send_batch(&self, position: i64, last: i64) -> Result<i64, End> {
        type Row = (i64, String, String, Vec<u8>, String, DateTime<Utc>);
        let rows = sql::query_as::<Row>(&self.sql.read).bind(position).fetch_all(&self.pool).await?;
        // Numbers have no gaps: a missing next one was pruned.
        if rows.first().is_none_or(|row| row.0 != position + 1) {
            return Err(End::Failed(pruned(position)));
        }
        let mut position = position;
        for (seq, kind, key, payload, traceparent, at) in rows {
            let created_at = Some(timestamp(at));
            self.send(Some(Fact { seq, kind, key, payload, traceparent, created_at }), last.max(seq)).await?;
            position = seq;
        }
        Ok(position)
    }

    async fn send(&self, fact: Option<Fact>, last_seq: i64) -> Result<(), End> {
        self.out.send(Ok(TailResponse { fact, last_seq })).await.map_err(|_| End::Closed)
    }
}

fn pruned(after: i64) -> Status {
    let details = ErrorDetails::with_error_info("PRUNED", "chassis.portia", HashMap::<String, String>::new());
    let message = format!("The facts after {after} are pruned: take a Snapshot.");
    Status::with_error_details(Code::OutOfRange, message, details)
}
