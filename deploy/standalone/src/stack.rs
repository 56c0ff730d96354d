//! The whole stack: eight contexts in one process, started in order, stopped in order.

use std::{
    collections::HashMap, future::Future, net::SocketAddr, ops::RangeInclusive, path::PathBuf, sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use chassis::{
    ServiceContext,
    config::Source,
    lifecycle::{self, Activity, Readiness, Standby, Tasks, Upstreams},
};
use db::Limits;
use gateway::edge::cache::Cache;
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::{KeyPair, Keyring, Signer, read_public_set};
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::{
    SERVICES,
    database::Database,
    demo::{self, SignIn},
    folder::Folder,
    keys,
};

/// The maximum number of connections of one service to the private Postgres, which allows a hundred in total.
const CONNECTIONS: u32 = 10;

/// Options of a start.
#[derive(Clone, Debug)]
pub struct Options {
    /// The gateway's address; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// Start without the demo.
    pub empty: bool,
    /// The build of the web client; without it only /api is served.
    pub web: Option<PathBuf>,
}

/// The contexts of one stack, by service.
pub struct Contexts(HashMap<&'static str, Arc<ServiceContext>>);

impl Contexts {
    /// A service's context.
    ///
    /// # Errors
    /// When there is no such service.
    pub fn of(&self, service: &str) -> anyhow::Result<&Arc<ServiceContext>> {
        self.0.get(service).with_context(|| format!("there is no service {service}"))
    }
}

/// A running stack.
pub struct Stack {
    /// The gateway's address.
    pub address: SocketAddr,
    /// The demo's sign-ins; none without a demo.
    pub sign_ins: Vec<SignIn>,
    /// The gateway's cache.
    pub cache: Cache,
    contexts: Contexts,
    database: Database,
}

impl Stack {
    /// Starts everything. `progress` receives a short line before each step that takes time.
    ///
    /// # Errors
    /// One sentence for the operator: a taken port, a damaged folder, a database that does not answer or belongs to
    /// another version.
    pub async fn start(options: Options, config: Source, progress: &(dyn Fn(&str) + Sync)) -> anyhow::Result<Self> {
        // The port first: a taken port is the most frequent error, and checking it is cheap.
        let listener = TcpListener::bind(options.listen).await.map_err(|error| taken(options.listen, &error))?;
        let address = listener.local_addr()?;
        let folder = Folder::open(options.data)?;
        let database = Database::open(&config, &folder, progress).await?;
        let cache = Cache::open(&config)?;
        let started =
            Self::start_on(&database, &folder, listener, &config, &cache, options.empty, options.web, progress);
        match started.await {
            Ok((contexts, sign_ins)) => Ok(Self { address, sign_ins, cache, contexts, database }),
            Err(error) => {
                database.close()?;
                Err(error)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "called once, by `start`")]
    async fn start_on(
        database: &Database,
        folder: &Folder,
        listener: TcpListener,
        config: &Source,
        cache: &Cache,
        empty: bool,
        web: Option<PathBuf>,
        progress: &(dyn Fn(&str) + Sync),
    ) -> anyhow::Result<(Contexts, Vec<SignIn>)> {
        keys::ensure(&folder.keys())?;
        progress("Starting the services ...");
        database.migrate().await?;
        let contexts = contexts(database, folder, config, web).await?;
        start_services(&contexts).await?;
        let sign_ins = first_start(&contexts, folder, config, empty, database.is_private(), progress).await?;
        let gateway = contexts.of("gateway")?;
        let server = gateway::start(Arc::clone(gateway), cache.clone()).await?;
        let draining = gateway.tasks.draining();
        gateway.tasks.track(server.serve(listener, async move { draining.cancelled().await }));
        Ok((contexts, sign_ins))
    }

    /// A service's context, for tests.
    ///
    /// # Errors
    /// When there is no such service.
    pub fn context(&self, service: &str) -> anyhow::Result<&Arc<ServiceContext>> {
        self.contexts.of(service)
    }

    /// The database, for tests.
    #[must_use]
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// Stops it: the gateway first, so that no request fails; then the services; then Postgres.
    ///
    /// # Errors
    /// When Postgres does not stop.
    pub async fn stop(self) -> anyhow::Result<()> {
        let Self { contexts, database, .. } = self;
        lifecycle::stop(contexts.of("gateway")?, Duration::ZERO).await;
        futures::future::join_all(SERVICES.iter().filter_map(|service| contexts.of(service).ok()).map(
            |context| async move {
                lifecycle::stop(context, Duration::ZERO).await;
            },
        ))
        .await;
        tokio::task::spawn_blocking(move || database.close()).await?
    }
}

fn taken(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            anyhow::anyhow!("Port {} is taken by another program. Choose another one with --port.", address.port())
        }
        _ => anyhow::anyhow!("Cannot listen on {address}: {error}."),
    }
}

/// The contexts of the distributed installation, with in-process transports and keys.
async fn contexts(
    database: &Database,
    folder: &Folder,
    config: &Source,
    web: Option<PathBuf>,
) -> anyhow::Result<Contexts> {
    let clock = Clock::system();
    let keys = folder.keys();
    let public = keys.join(keys::PUBLIC);
    let keyring = Arc::new(Keyring::new(&read_public_set(&public)?, clock.clone())?);
    let upstreams = Upstreams::local();
    let config = if config.is_set("pictures_url") {
        config.clone()
    } else {
        config.clone().with("pictures_url", std::path::absolute(folder.pictures())?)
    };
    let mut contexts = HashMap::new();
    for service in SERVICES.into_iter().chain(["gateway"]) {
        let own = match service {
            "auth" => {
                let config = config.clone().with("signing_keys", keys.join(keys::MEMBERS));
                config.with("credential_keys", keys.join(keys::CREDENTIALS))
            }
            "gateway" => {
                let config = config.clone().with("picture_keys", keys.join(keys::PICTURES));
                match &web {
                    Some(web) => config.with("web_dir", web),
                    None => config,
                }
            }
            _ => config.clone(),
        };
        let own_key = keys.join(keys::own(service));
        let signer = Arc::new(Signer::new(&KeyPair::read(&own_key)?)?);
        let tasks = Tasks::default();
        lifecycle::watch_service_key(&tasks, own_key, Arc::clone(&signer));
        if service == "gateway" {
            lifecycle::watch_public_keys(&tasks, public.clone(), Arc::clone(&keyring));
        }
        let context = ServiceContext {
            service,
            config: own,
            ids: Ids::random(clock.clone()),
            clock: clock.clone(),
            keyring: Arc::clone(&keyring),
            signer,
            upstreams: upstreams.clone(),
            tasks,
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: database.of(service),
            database_limits: Limits::for_requests(connections(&config, service)?),
        };
        contexts.insert(service, Arc::new(context));
    }
    Ok(Contexts(contexts))
}

/// The connections of a service: fewer of an idle one through a connection pooler.
fn connections(config: &Source, service: &str) -> anyhow::Result<RangeInclusive<u32>> {
    let is_pooled = config.direct_database(service)?.is_some();
    Ok(if is_pooled { 2..=CONNECTIONS } else { CONNECTIONS..=CONNECTIONS })
}

/// Starts the seven services; each becomes reachable for its upstreams as soon as it is ready.
async fn start_services(contexts: &Contexts) -> anyhow::Result<()> {
    async fn open<F>(
        contexts: &Contexts,
        service: &'static str,
        start: impl FnOnce(Arc<ServiceContext>) -> F,
    ) -> anyhow::Result<()>
    where
        F: Future<Output = anyhow::Result<Routes>>,
    {
        let context = contexts.of(service)?;
        let routes =
            start(Arc::clone(context)).await.with_context(|| format!("The service {service} does not start"))?;
        context.upstreams.slot(service).fill(context.wrap(routes));
        Ok(())
    }
    futures::try_join!(
        open(contexts, "auth", auth::start),
        open(contexts, "profile", profile::start),
        open(contexts, "social-graph", social_graph::start),
        open(contexts, "feed", feed::start),
        open(contexts, "jobs", jobs::start),
        open(contexts, "news", news::start),
        open(contexts, "messaging", messaging::start),
    )?;
    Ok(())
}

/// Loads the demo on the first start, if only this machine can connect.
async fn first_start(
    contexts: &Contexts,
    folder: &Folder,
    config: &Source,
    empty: bool,
    private: bool,
    progress: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<Vec<SignIn>> {
    match demo::remembered(folder)? {
        Some(demo) if demo.complete => Ok(demo.sign_ins),
        // A public Portia and a configured database get no demo members.
        _ if empty || !private || config.text("public_origin").is_some() => {
            demo::decline(folder)?;
            Ok(vec![])
        }
        begun => {
            progress("Loading the demo: 60 members and what they wrote ...");
            demo::load(contexts, folder, begun).await
        }
    }
}
