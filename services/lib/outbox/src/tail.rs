//! One consumer's tail: facts in order from where it stands, then as they come, and signs of life between them.

use std::{collections::HashMap, sync::Arc, time::Duration};

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
    server::{database_away, leaving},
    sql::{self, Sql},
};

/// How often a quiet source says that it lives.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream under way.
pub(super) struct Tail {
    pub sql: Arc<Sql>,
    pub pool: PgPool,
    /// The newest seq this process knows of; a tail that looked itself may know first.
    pub newest: watch::Sender<i64>,
    pub out: mpsc::Sender<Result<TailResponse, Status>>,
}

/// Why a stream ends.
enum End {
    /// Nobody reads any more.
    Left,
    /// The reader is told why.
    Told(Status),
}

impl From<sqlx::Error> for End {
    fn from(error: sqlx::Error) -> Self {
        Self::Told(database_away(&error))
    }
}

impl Tail {
    /// Where the consumer starts, if facts are kept from there on.
    pub async fn start(&self, request: &TailRequest) -> Result<i64, Status> {
        let newest = sql::query_as::<(i64,)>(&self.sql.newest).fetch_one(&self.pool).await;
        let (newest,) = newest.map_err(|error| database_away(&error))?;
        advance(&self.newest, newest);
        if request.from_now {
            return Ok(newest);
        }
        // A cursor ahead of us stands in a history this database never had (it was restored from an older backup).
        if !(0..=newest).contains(&request.after_seq) {
            return Err(pruned(request.after_seq));
        }
        Ok(request.after_seq)
    }

    /// Streams until the consumer leaves or this process does.
    pub async fn run(self, start: i64, draining: CancellationToken) {
        let end = tokio::select! {
            Err(end) = self.follow(start) => end,
            // An orderly end, which is no error in anybody's log: consumers come back by themselves.
            () = draining.cancelled() => End::Left,
            () = self.out.closed() => End::Left,
        };
        if let End::Told(status) = end {
            self.out.send(Err(status)).await.ok();
        }
    }

    async fn follow(&self, mut position: i64) -> Result<std::convert::Infallible, End> {
        let mut newest = self.newest.subscribe();
        // The first sign of life tells a consumer that starts from now where that is.
        self.send(None, position).await?;
        loop {
            let last = *newest.borrow_and_update();
            if last > position {
                position = self.send_batch(position, last).await?;
                continue;
            }
            tokio::select! {
                changed = newest.changed() => if changed.is_err() { return Err(End::Told(leaving())) },
                () = sleep(HEARTBEAT) => self.send(None, last).await?,
            }
        }
    }

    /// Sends the next facts and returns the last one's seq.
    async fn send_batch(&self, position: i64, last: i64) -> Result<i64, End> {
        type Row = (i64, String, String, Vec<u8>, String);
        let rows = sql::query_as::<Row>(&self.sql.read).bind(position).fetch_all(&self.pool).await?;
        // Seqs have no gaps: when the next one is not here, it was pruned.
        if rows.first().is_none_or(|row| row.0 != position + 1) {
            return Err(End::Told(pruned(position)));
        }
        let mut position = position;
        for (seq, kind, key, payload, traceparent) in rows {
            self.send(Some(Fact { seq, kind, key, payload, traceparent }), last.max(seq)).await?;
            position = seq;
        }
        Ok(position)
    }

    async fn send(&self, fact: Option<Fact>, last_seq: i64) -> Result<(), End> {
        self.out.send(Ok(TailResponse { fact, last_seq })).await.map_err(|_| End::Left)
    }
}

fn pruned(after: i64) -> Status {
    let details = ErrorDetails::with_error_info("PRUNED", "chassis.portia", HashMap::<String, String>::new());
    let message = format!("The facts after {after} are not kept: take a Snapshot.");
    Status::with_error_details(Code::OutOfRange, message, details)
}
