//! One service alone: its real start, routes, identity and database, in process, with fake upstreams.

use std::{future::Future, io::Write as _, sync::Arc, time::Duration};

use chassis::{
    ServiceContext,
    config::{Source, field_name},
    lifecycle::{Activity, Readiness, Standby, Tasks, Upstreams},
};
use chrono::{DateTime, Utc};
use db::Limits;
use primitives::{clock::Clock, ids::Ids};
use rpc::Transport;
use sqlx::{PgPool, migrate::Migrator};
use tempfile::NamedTempFile;
use tonic::service::Routes;

use crate::{Actors, Database};

/// 2026-03-02 09:00 UTC, a Monday: the time of tests until they advance the clock.
const NOW: i64 = 1_772_442_000;
/// The time a service under test waits for its database.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A fixed clock with the time of all tests.
#[must_use]
pub fn clock() -> Clock {
    Clock::fixed(DateTime::from_timestamp(NOW, 0).expect("a moment in range"))
}

/// The environment of a service under test, before its start.
#[derive(Debug)]
pub struct Builder {
    service: &'static str,
    config: Source,
    clock: Clock,
    actors: Arc<Actors>,
    upstreams: Upstreams,
    database: Option<Database>,
    key_files: Vec<NamedTempFile>,
}

/// A running service, or (after [`Builder::context`]) only its context.
pub struct Harness {
    /// The clock, which tests advance.
    pub clock: Clock,
    /// The callers.
    pub actors: Arc<Actors>,
    /// The context of the service.
    pub context: Arc<ServiceContext>,
    database: Option<Database>,
    _key_files: Vec<NamedTempFile>,
}

impl Harness {
    /// Starts with a service's name (`social-graph`), a fixed clock and keys of its own.
    #[must_use]
    pub fn of(service: &'static str) -> Builder {
        let clock = clock();
        Builder {
            service,
            // A folder of pictures for this test only; tests of two services that share pictures set it. No external
            // sources.
            config: Source::default().with("pictures_url", "memory:///").with("crawl", "off"),
            actors: Arc::new(Actors::new(clock.clone())),
            clock,
            upstreams: Upstreams::local(),
            database: None,
            key_files: Vec::new(),
        }
    }

    /// A pool of connections to the service's database, with its role.
    #[must_use]
    pub fn pool(&self) -> &PgPool {
        self.database().pool()
    }

    /// The service's database.
    #[must_use]
    pub const fn database(&self) -> &Database {
        self.database.as_ref().expect("the harness was built without a database")
    }

    /// The transport to the service under test: `FeedServiceClient::new(harness.transport())`.
    #[must_use]
    pub fn transport(&self) -> Transport {
        self.context.upstreams.transport(self.context.service).expect("local transports need no address")
    }

    /// The context of another process, which calls the service under test.
    #[must_use]
    pub fn context_of(&self, process: &'static str) -> ServiceContext {
        let own = &self.context;
        ServiceContext {
            service: process,
            config: own.config.clone(),
            clock: own.clock.clone(),
            ids: own.ids.clone(),
            keyring: Arc::clone(&own.keyring),
            signer: self.actors.signer(process),
            upstreams: own.upstreams.clone(),
            tasks: own.tasks.clone(),
            activity: own.activity.clone(),
            readiness: own.readiness.clone(),
            standby: Standby::default(),
            database: None,
            database_limits: own.database_limits.clone(),
        }
    }

    /// Stops the service's background tasks, as its process would.
    pub async fn stop(&self) {
        self.context.tasks.stop(Duration::from_secs(10)).await;
    }
}

impl Builder {
    /// Uses a new database with these migrations.
    pub async fn database(mut self, migrator: &Migrator) -> Self {
        self.database = Some(Database::fresh(&field_name(self.service), migrator).await);
        self
    }

    /// Sets one of its settings: `.with("password_policy", "strict")`.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<serde_json::Value>) -> Self {
        self.config = self.config.with(field, value.into());
        self
    }

    /// Sets the time.
    #[must_use]
    pub fn at(self, moment: DateTime<Utc>) -> Self {
        self.clock.advance(moment - self.clock.now());
        self
    }

    /// Configures the private key of member tokens and the key of secrets, as for auth.
    #[must_use]
    pub fn with_member_key(mut self) -> Self {
        let mut file = NamedTempFile::new().expect("a temporary file");
        file.write_all(self.actors.member_key_pem().as_bytes()).expect("room for a key");
        let path = file.path().to_string_lossy().into_owned();
        let mut credentials = NamedTempFile::new().expect("a temporary file");
        credentials.write_all("c5".repeat(32).as_bytes()).expect("room for a key");
        let credentials_path = credentials.path().to_string_lossy().into_owned();
        self.key_files = vec![file, credentials];
        self.with("signing_keys", path).with("credential_keys", credentials_path)
    }

    /// Adds a fake upstream: `.upstream("profile", Routes::new(ProfileServiceServer::new(fake)))`. Its callers are
    /// verified as in production.
    #[must_use]
    pub fn upstream(self, service: &'static str, routes: Routes) -> Self {
        self.upstreams.slot(service).fill(rpc::wrap(service, routes, self.actors.keyring()));
        self
    }

    /// Only the context: for the gateway, which is no gRPC service, and for tests of the context itself.
    #[must_use]
    pub fn context(self) -> Harness {
        let context = ServiceContext {
            service: self.service,
            config: self.config,
            ids: Ids::seeded(self.clock.clone(), 1),
            clock: self.clock.clone(),
            keyring: self.actors.keyring(),
            signer: self.actors.signer(self.service),
            upstreams: self.upstreams,
            tasks: Tasks::default(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: self.database.as_ref().map(Database::options),
            database_limits: Limits {
                // No minimum: a test that ends while a connection is being opened would have to wait for it. Each connection
                // plans the statements again, which is much of the CPU time of Postgres: with ten, a tenth more than with four.
                connections: 0..=4,
                // The result of a test must not depend on the load of the machine.
                acquire_timeout: TIMEOUT,
                statement_timeout: TIMEOUT,
            },
        };
        Harness {
            clock: self.clock,
            actors: self.actors,
            context: Arc::new(context),
            database: self.database,
            _key_files: self.key_files,
        }
    }

    /// Starts the service as its process would, up to the socket.
    pub async fn start<Fut>(self, start: impl FnOnce(Arc<ServiceContext>) -> Fut) -> Harness
    where
        Fut: Future<Output = anyhow::Result<Routes>>,
    {
        let harness = self.context();
        let context = &harness.context;
        let started = start(Arc::clone(context)).await;
        let routes = started.unwrap_or_else(|error| panic!("{} does not start: {error:#}", context.service));
        context.upstreams.slot(context.service).fill(rpc::wrap(context.service, routes, Arc::clone(&context.keyring)));
        harness
    }
}
