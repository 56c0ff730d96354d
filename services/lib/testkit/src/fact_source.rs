//! A fake upstream that publishes the facts of a test.

use std::sync::{Arc, Mutex, PoisonError};

use outbox::{
    Fact,
    proto::{
        GetPositionRequest, GetPositionResponse, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
        outbox_server::{Outbox, OutboxServer},
    },
};
use prost::{Message, Name};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, service::Routes};

/// Put it next to the service under test: `.upstream("auth", source.routes())`. Clones publish the same facts.
#[derive(Clone, Debug, Default)]
pub struct FactSource {
    published: Arc<watch::Sender<Vec<Fact>>>,
    state: Arc<Mutex<Vec<Fact>>>,
}

impl FactSource {
    /// The routes of the upstream.
    #[must_use]
    pub fn routes(&self) -> Routes {
        Routes::new(OutboxServer::new(self.clone()))
    }

    /// Publishes a fact after the earlier ones. Returns its seq, for [`crate::Harness::wait_until_applied`].
    pub fn publish<M: Message + Name>(&self, key: impl ToString, fact: &M) -> i64 {
        let mut seq = 0;
        self.published.send_modify(|published| {
            seq = i64::try_from(published.len() + 1).expect("few facts");
            published.push(row(seq, key, fact));
        });
        seq
    }

    /// Adds a row of state from before the first fact: every later snapshot contains it.
    pub fn add_to_snapshot<M: Message + Name>(&self, key: impl ToString, fact: &M) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).push(row(0, key, fact));
    }
}

fn row<M: Message + Name>(seq: i64, key: impl ToString, fact: &M) -> Fact {
    let (kind, key, payload) = (M::full_name(), key.to_string(), fact.encode_to_vec());
    Fact { seq, kind, key, payload, traceparent: String::new(), created_at: None }
}

#[tonic::async_trait]
impl Outbox for FactSource {
    type TailStream = ReceiverStream<Result<TailResponse, Status>>;
    type SnapshotStream = ReceiverStream<Result<SnapshotResponse, Status>>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        let mut sent = usize::try_from(request.into_inner().after_seq).unwrap_or_default();
        let mut published = self.published.subscribe();
        let (out, stream) = mpsc::channel(16);
        tokio::spawn(async move {
            loop {
                let facts = published.borrow_and_update().get(sent..).unwrap_or_default().to_vec();
                sent += facts.len();
                for fact in facts {
                    let last_seq = fact.seq;
                    if out
                        .send(Ok(TailResponse { fact: Some(fact), last_seq, ..TailResponse::default() }))
                        .await
                        .is_err()
                    {
                        return;
                    }
                }
                tokio::select! {
                    changed = published.changed() => if changed.is_err() { return },
                    () = out.closed() => return,
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn snapshot(&self, request: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        let kinds = request.into_inner().kinds;
        let mut rows = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
        rows.retain(|fact| kinds.is_empty() || kinds.contains(&fact.kind));
        let (out, stream) = mpsc::channel(rows.len() + 1);
        for fact in rows {
            out.try_send(Ok(SnapshotResponse { fact: Some(fact), ..SnapshotResponse::default() }))
                .expect("there is room");
        }
        out.try_send(Ok(SnapshotResponse { end_seq: Some(0), ..SnapshotResponse::default() })).expect("there is room");
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn get_position(&self, _: Request<GetPositionRequest>) -> Result<Response<GetPositionResponse>, Status> {
        let last_seq = i64::try_from(self.published.borrow().len()).expect("few facts");
        Ok(Response::new(GetPositionResponse { last_seq, unnumbered: 0, oldest_at: None }))
    }
}
