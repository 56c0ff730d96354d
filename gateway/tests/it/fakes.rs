//! Fake upstreams: one server that answers with `actors`, records its calls, and fails on request.

mod services;
mod table;

use std::{
    collections::{HashMap, HashSet},
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use chassis::lifecycle::Upstreams;
use outbox::proto::{
    Fact, GetPositionRequest, GetPositionResponse, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
    outbox_server::{Outbox, OutboxServer},
};
use portia_proto::{auth, feed, profile, social_graph};
use primitives::error::{ErrorKind, new_status};
use prost::{Message, Name};
use rpc::identity::{Actor, Signer};
use tokio::sync::broadcast;
use tokio_stream::{Stream, StreamExt as _, wrappers::BroadcastStream};
use tonic::{Request, Response, Status, service::Routes};
use uuid::Uuid;

use crate::actors;

/// The time after which a test that waits for an event fails.
pub const SOON: Duration = Duration::from_secs(5);

/// A call that a fake service received.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: &'static str,
    pub actor: Option<Uuid>,
    pub message: String,
}

/// The nth record of an export: section and JSON.
pub type ExportRecords = Arc<dyn Fn(usize) -> Option<Result<(String, String), Status>> + Send + Sync>;

/// Whether a viewer sees the picture with a hash. The viewer is the id of a member, `moderators` or absent.
pub type PictureAccess = Arc<dyn Fn(&str, Option<&str>) -> bool + Send + Sync>;

/// The state that the fakes share with the test.
pub struct FakeServices {
    pub members: Signer,
    /// The records of an export by service; one record by default.
    pub exports: Mutex<HashMap<&'static str, ExportRecords>>,
    /// Bytes exported so far.
    pub exported: AtomicUsize,
    /// The event, if a test overrides it.
    pub event: Mutex<Option<social_graph::Event>>,
    /// The member of every known session, if a test overrides it.
    pub member: Mutex<Option<profile::Member>>,
    /// The version of every profile, if a test sets one.
    pub profile_version: Mutex<Vec<u8>>,
    /// Whether every card depends on the caller.
    pub cards_vary: Mutex<bool>,
    /// The post, if a test overrides it.
    pub post: Mutex<Option<feed::Post>>,
    /// Whether a list also has the bodies of its posts.
    pub sends_bodies: AtomicBool,
    /// Session token -> member and session.
    pub sessions: Mutex<HashMap<String, (Uuid, Uuid)>>,
    /// Whether a viewer sees the picture with a hash: everyone, if a test does not override it.
    pub picture_access: Mutex<PictureAccess>,
    /// The number of communities in a list, each with the role of the caller.
    pub communities: Mutex<usize>,
    /// The members with the role.
    pub moderators: Mutex<HashSet<Uuid>>,
    seen: Mutex<Vec<Seen>>,
    failures: Mutex<HashMap<&'static str, Vec<Failure>>>,
    facts: HashMap<&'static str, broadcast::Sender<Result<Fact, Status>>>,
}

/// A failure of a call.
#[derive(Clone)]
pub enum Failure {
    With(Status),
    /// The response takes longer than every deadline.
    Hangs,
    /// The response takes this long and has this result.
    Takes(Duration, Result<(), Status>),
    Panics,
}

impl FakeServices {
    /// The post of every list.
    pub fn post(&self) -> feed::Post {
        self.post.lock().unwrap().clone().unwrap_or_else(actors::post)
    }

    pub fn new(members: Signer) -> Self {
        let everyone: PictureAccess = Arc::new(|_, _| true);
        Self {
            members,
            exports: Mutex::default(),
            exported: AtomicUsize::new(0),
            event: Mutex::default(),
            profile_version: Mutex::default(),
            cards_vary: Mutex::default(),
            post: Mutex::default(),
            sends_bodies: AtomicBool::default(),
            member: Mutex::default(),
            sessions: Mutex::default(),
            picture_access: Mutex::new(everyone),
            communities: Mutex::new(1),
            moderators: Mutex::new(HashSet::from([actors::MODERATOR])),
            seen: Mutex::default(),
            failures: Mutex::default(),
            facts: ["auth", "profile", "messaging", "social-graph", "feed", "jobs"]
                .map(|service| (service, broadcast::channel(16).0))
                .into(),
        }
    }

    /// From now on the viewers that `access` admits see a picture.
    pub fn show_pictures(&self, access: impl Fn(&str, Option<&str>) -> bool + Send + Sync + 'static) {
        *self.picture_access.lock().unwrap() = Arc::new(access);
    }

    fn is_visible(&self, hash: &str, viewer: Option<&str>) -> bool {
        let access = Arc::clone(&self.picture_access.lock().unwrap());
        access(hash, viewer)
    }

    /// From now on calls of `method` fail.
    pub fn fail(&self, method: &'static str, failure: Failure) {
        self.failures.lock().unwrap().insert(method, vec![failure; 1000]);
    }

    /// The next call of `method` fails, and no other.
    pub fn fail_once(&self, method: &'static str, failure: Failure) {
        self.failures.lock().unwrap().insert(method, vec![failure]);
    }

    pub fn heal(&self) {
        self.failures.lock().unwrap().clear();
    }

    pub fn unavailable() -> Failure {
        Failure::With(new_status(ErrorKind::Unavailable, "DATABASE", "unavailable"))
    }

    /// A refusal with a reason.
    pub fn refusal(kind: ErrorKind, reason: &'static str, message: &str) -> Failure {
        Failure::With(new_status(kind, reason, message))
    }

    /// The calls since the last query.
    pub fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }

    /// The number of calls of a method since the last query.
    pub fn count(&self, method: &str) -> usize {
        self.seen().iter().filter(|seen| seen.method == method).count()
    }

    /// Publishes a fact, once the gateway is subscribed.
    pub async fn publish<M: Message + Name>(&self, service: &'static str, fact: &M) {
        let fact = Fact { seq: 1, kind: M::full_name(), payload: fact.encode_to_vec(), ..Fact::default() };
        self.subscribed(service).await.send(Ok(fact)).unwrap();
    }

    /// Breaks the stream of facts of a service, with a gap.
    pub async fn lose_facts(&self, service: &'static str) {
        self.subscribed(service).await.send(Err(Status::out_of_range("pruned"))).unwrap();
    }

    async fn subscribed(&self, service: &'static str) -> &broadcast::Sender<Result<Fact, Status>> {
        let channel = &self.facts[service];
        while channel.receiver_count() == 0 {
            tokio::task::yield_now().await;
        }
        channel
    }

    /// The export stream of `service`, generated on demand.
    fn export(self: &Arc<Self>, service: &'static str) -> impl Stream<Item = Result<(String, String), Status>> + use<> {
        let default: ExportRecords =
            Arc::new(move |n| (n == 0).then(|| Ok(("records".to_owned(), format!("{{\"of\":\"{service}\"}}")))));
        let records = self.exports.lock().unwrap().get(service).cloned().unwrap_or(default);
        let fakes = Arc::clone(self);
        tokio_stream::iter((0..).map_while(move |n| records(n)).inspect(move |record| {
            let bytes = record.as_ref().map_or(0, |(_, json)| json.len());
            fakes.exported.fetch_add(bytes, Ordering::Relaxed);
        }))
    }

    /// Connects every service to the gateway.
    pub fn open(self: &Arc<Self>, upstreams: &Upstreams, keyring: &Arc<rpc::identity::Keyring>) {
        for service in ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging"] {
            let outbox = self.facts.get(service).map(|facts| OutboxServer::new(Facts(facts.clone())));
            let routes = outbox.map_or_else(Routes::default, Routes::new);
            let fakes = Arc::clone(self);
            let answers = routes.into_axum_router().fallback(move |request| table::answer(Arc::clone(&fakes), request));
            upstreams.slot(service).fill(rpc::wrap(service, answers.into(), Arc::clone(keyring)));
        }
    }

    /// The trusted browser after a sign-in.
    fn trust(shared_computer: bool) -> Option<auth::TrustedBrowser> {
        let token = format!("{:0>43}", "trusted-anew");
        (!shared_computer).then(|| auth::TrustedBrowser { token, expires_at: actors::in_an_hour() })
    }

    /// The remaining session of a member, with another token.
    fn renew_session(&self, member: Uuid) -> Option<auth::Session> {
        let mut sessions = self.sessions.lock().unwrap();
        let kept = sessions.values().find(|(of, _)| *of == member).copied()?;
        let token = format!("{:0>43}", "renewed");
        sessions.insert(token.clone(), kept);
        Some(auth::Session { token, expires_at: actors::in_an_hour() })
    }

    fn session(&self, member: Uuid) -> Option<auth::Session> {
        let mut sessions = self.sessions.lock().unwrap();
        let token = format!("{:0>43}", format!("fresh-{}", sessions.len()));
        let session = actors::id(0x5e55_0000 + sessions.len() as u128);
        sessions.insert(token.clone(), (member, session));
        Some(auth::Session { token, expires_at: actors::in_an_hour() })
    }

    /// Ends the sessions of a member that `keep` does not select, and returns their ids.
    fn end(&self, member: Option<Uuid>, keep: impl Fn(Uuid) -> bool) -> Vec<String> {
        let mut sessions = self.sessions.lock().unwrap();
        let mut ended = Vec::new();
        sessions.retain(|_, (of, id)| {
            let is_kept = Some(*of) != member || keep(*id);
            ended.extend((!is_kept).then(|| id.to_string()));
            is_kept
        });
        ended
    }

    /// Records a call, and fails it if the test says so.
    async fn enter(&self, method: &'static str, actor: Option<Uuid>, message: String) -> Result<(), Status> {
        self.seen.lock().unwrap().push(Seen { method, actor, message });
        let failure = self.failures.lock().unwrap().get_mut(method).and_then(Vec::pop);
        match failure {
            None => Ok(()),
            Some(Failure::With(status)) => Err(status),
            Some(Failure::Hangs) => std::future::pending().await,
            Some(Failure::Takes(time, end)) => {
                tokio::time::sleep(time).await;
                end
            }
            Some(Failure::Panics) => panic!("a fake service panics"),
        }
    }
}

struct Facts(broadcast::Sender<Result<Fact, Status>>);

type Tail = Pin<Box<dyn Stream<Item = Result<TailResponse, Status>> + Send>>;

#[tonic::async_trait]
impl Outbox for Facts {
    type TailStream = Tail;
    type SnapshotStream = Pin<Box<dyn Stream<Item = Result<SnapshotResponse, Status>> + Send>>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Tail>, Status> {
        Actor::require_service(&request, "gateway")?;
        let facts = BroadcastStream::new(self.0.subscribe());
        let first = tokio_stream::once(Ok(TailResponse::default()));
        let responses = facts.filter_map(|fact| {
            Some(fact.ok()?.map(|fact| TailResponse { fact: Some(fact), last_seq: 1, ..TailResponse::default() }))
        });
        Ok(Response::new(Box::pin(first.chain(responses))))
    }

    async fn snapshot(&self, _: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        Err(Status::unimplemented("caches take no snapshot"))
    }

    async fn get_position(&self, _: Request<GetPositionRequest>) -> Result<Response<GetPositionResponse>, Status> {
        Err(Status::unimplemented("caches have no cursor"))
    }
}
