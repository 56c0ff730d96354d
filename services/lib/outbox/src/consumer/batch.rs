//! The stream of a source in batches: the facts that have arrived already are applied in one transaction.

use futures::FutureExt as _;
use tokio::time::timeout;
use tonic::{Status, Streaming};
use uuid::Uuid;

use super::MAX_SKIPPED;
use crate::{Fact, handlers::Handlers, position::parse_history, proto::TailResponse, tail::HEARTBEAT};

/// The maximum of facts in a batch.
const MAX_FACTS: usize = 64;

/// The facts that arrived since the previous batch.
pub(super) struct Batch {
    /// The facts with a handler, in order.
    pub facts: Vec<Fact>,
    /// The position after the batch.
    pub position: i64,
    /// The history of the stream, in the batches that contain a heartbeat.
    pub history: Option<Uuid>,
}

/// The batches of one stream.
pub(super) struct Batches {
    stream: Streaming<TailResponse>,
    position: i64,
    /// The end of the stream, which arrived behind the facts of a batch.
    end: Option<Result<(), Status>>,
}

impl Batches {
    pub fn new(stream: Streaming<TailResponse>, position: i64) -> Self {
        Self { stream, position, end: None }
    }

    /// Waits for one response, and takes further ones without waiting. `None` at the end of the stream. Cancel-safe:
    /// once a response is taken, nothing is awaited.
    pub async fn next(&mut self, handlers: &Handlers) -> Result<Option<Batch>, Status> {
        if let Some(end) = self.end.take() {
            return end.map(|()| None);
        }
        let response = timeout(HEARTBEAT * 3, self.stream.message()).await;
        let Some(response) = response.map_err(|_| Status::unavailable("no heartbeat"))?? else { return Ok(None) };
        let before = self.position;
        let mut batch = Batch { facts: Vec::new(), position: before, history: None };
        self.add(&mut batch, response, handlers)?;
        while batch.facts.len() < MAX_FACTS && batch.position - before < MAX_SKIPPED {
            match self.stream.message().now_or_never() {
                None => break,
                Some(Ok(Some(response))) => {
                    // The facts before a gap are applied.
                    if let Err(gap) = self.add(&mut batch, response, handlers) {
                        self.end = Some(Err(gap));
                        break;
                    }
                }
                Some(end) => {
                    self.end = Some(end.map(drop));
                    break;
                }
            }
        }
        Ok(Some(batch))
    }

    fn add(&mut self, batch: &mut Batch, response: TailResponse, handlers: &Handlers) -> Result<(), Status> {
        // The source does not send facts of other kinds. A source of the previous release sends them, and states
        // nothing here.
        self.position = self.position.max(response.passed_seq);
        batch.position = self.position;
        let Some(fact) = response.fact else {
            batch.history = parse_history(&response.history).or(batch.history);
            return Ok(());
        };
        if fact.seq != self.position + 1 {
            return Err(Status::data_loss(format!("{} follows {}", fact.seq, self.position)));
        }
        self.position = fact.seq;
        batch.position = fact.seq;
        if handlers.handles(&fact.kind) {
            batch.facts.push(fact);
        }
        Ok(())
    }
}
