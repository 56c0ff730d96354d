//! The gateway under test: the real router on fake services, a fixed clock, and requests to it.

use std::{
    net::SocketAddr,
    sync::{Arc, LazyLock},
};

use axum::body::Body;
use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{Activity, Readiness, Standby, Tasks, Upstreams},
};
use db::Limits;
use gateway::{Connection, Server, edge::cache::Cache};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::{KeyPair, Keyring, Signer, public_set};
use serde_json::Value;
use tower::ServiceExt as _;
use uuid::Uuid;

use crate::{
    actors::{ANA, BEN, CARL, MODERATOR, TRUSTED, id, noon},
    fakes::FakeServices,
};

/// The host of the gateway.
pub const HERE: &str = "127.0.0.1:8080";

/// The secret of the addresses of pictures.
pub const PICTURE_KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/picture.key");

/// Trace ids need the telemetry of the process, which is started once.
static TELEMETRY: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    // Telemetry must outlive the runtime of a test.
    let started = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let quiet =
            telemetry::Settings { filter: "off,security=off".to_owned(), ..telemetry::Settings::new("gateway") };
        runtime.block_on(async { telemetry::start(quiet).unwrap() });
        runtime
    });
    started.join().unwrap()
});

/// A gateway on fake upstreams.
pub struct TestGateway {
    pub fakes: Arc<FakeServices>,
    pub clock: Clock,
    server: Server,
    tasks: Tasks,
}

impl TestGateway {
    /// A gateway with default settings, on a loopback.
    pub async fn start() -> Self {
        Self::start_with(|source| source).await
    }

    /// A gateway with settings.
    pub async fn start_with(settings: impl FnOnce(Source) -> Source) -> Self {
        Self::start_on(settings, Cache::in_process()).await
    }

    /// A gateway that shares its cache with another one.
    pub async fn start_sharing(cache: Cache) -> Self {
        Self::start_on(|source| source, cache).await
    }

    async fn start_on(settings: impl FnOnce(Source) -> Source, cache: Cache) -> Self {
        LazyLock::force(&TELEMETRY);
        let clock = Clock::fixed(noon());
        let members = KeyPair::generate("members/1").unwrap();
        let own = KeyPair::generate("services/gateway/1").unwrap();
        let keyring = Arc::new(Keyring::new(&public_set(&[&members, &own]), clock.clone()).unwrap());
        let fakes = Arc::new(FakeServices::new(Signer::new(&members).unwrap()));
        let upstreams = Upstreams::local();
        fakes.open(&upstreams, &keyring);
        for (member, session) in [(ANA, id(0x5a)), (BEN, id(0x5b)), (CARL, id(0x5c)), (MODERATOR, id(0x5d))] {
            fakes.sessions.lock().unwrap().insert(token(member), (member, session));
        }
        let tasks = Tasks::default();
        let context = ServiceContext {
            service: "gateway",
            config: settings(Source::default().with("pictures_url", "memory:///").with("picture_keys", PICTURE_KEY)),
            clock: clock.clone(),
            ids: Ids::seeded(clock.clone(), 1),
            keyring,
            signer: Arc::new(Signer::new(&own).unwrap()),
            upstreams,
            tasks: tasks.clone(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: None,
            database_limits: Limits::for_requests(0..=0),
        };
        let server = gateway::start(Arc::new(context), cache).await.unwrap();
        Self { fakes, clock, server, tasks }
    }

    /// The first stage of the shutdown.
    pub fn drain(&self) {
        self.tasks.draining().cancel();
    }

    /// Returns the server, to serve on a socket.
    pub fn server(&self) -> Server {
        self.server.clone()
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(TestRequest::new("GET", path)).await
    }

    pub async fn send(&self, ask: TestRequest) -> Reply {
        let (parts, body) = self.begin(ask).await.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Reply { status: parts.status, headers: parts.headers, bytes: bytes.to_vec() }
    }

    /// The response, with the body not yet read.
    pub async fn begin(&self, ask: TestRequest) -> Response<Body> {
        let mut request = ask.builder.body(ask.body).unwrap();
        let address = |raw: &str| raw.parse::<SocketAddr>().unwrap();
        request.extensions_mut().insert(Connection { peer: address(&ask.peer), local: address(HERE) });
        self.server.router.clone().oneshot(request).await.unwrap()
    }
}

impl Drop for TestGateway {
    fn drop(&mut self) {
        self.tasks.stopped().cancel();
    }
}

/// The token of the initial session of a member.
pub fn token(member: Uuid) -> String {
    format!("{:0>43}", member.simple().to_string())
}

/// A request under construction.
pub struct TestRequest {
    builder: http::request::Builder,
    body: Body,
    peer: String,
}

impl TestRequest {
    pub fn new(method: &str, path: &str) -> Self {
        let builder = Request::builder().method(method).uri(path).header("host", HERE);
        Self { builder, body: Body::empty(), peer: "192.0.2.7:50000".to_owned() }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.builder = self.builder.header(name, value);
        self
    }

    /// Adds the session cookie of a member.
    pub fn by_member(self, member: Uuid) -> Self {
        let cookie = format!("portia_session={}", token(member));
        self.header("cookie", &cookie)
    }

    /// Adds the cookie of a browser that Ana's account trusts.
    pub fn trusted(self) -> Self {
        self.header("cookie", &format!("portia_browser={TRUSTED}"))
    }

    pub fn json(self, body: &Value) -> Self {
        self.raw(body.to_string())
    }

    pub fn raw(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self.header("content-type", "application/json")
    }

    /// Sets a body without a content type.
    pub fn untyped(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    pub fn from(mut self, address: &str) -> Self {
        self.peer = SocketAddr::new(address.parse().unwrap(), 50_000).to_string();
        self
    }
}

/// A complete response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The `Set-Cookie` line of one cookie; empty when there is none.
    pub fn cookie(&self, name: &str) -> &str {
        let lines = self.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
        let mut of_name = lines.filter(|line| line.split('=').next() == Some(name));
        let found = of_name.next().unwrap_or_default();
        assert_eq!(of_name.next(), None, "{name} is set once");
        found
    }

    /// Checks the status and the form of a problem, and returns it.
    #[track_caller]
    pub fn refused(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert!(problem["error"].as_str().is_some_and(|error| !error.is_empty()), "{problem}");
        assert!(problem["code"].as_str().is_some_and(|code| !code.is_empty()), "{problem}");
        assert!(problem["fields"].is_object(), "{problem}");
        assert_eq!(problem["requestId"], self.header("x-request-id"));
        assert_eq!(self.header("x-request-id").len(), 32);
        problem
    }
}
