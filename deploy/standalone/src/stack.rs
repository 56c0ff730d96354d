//! The whole stack: eight contexts in one process, started in order, stopped in order.

use std::{future::Future, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use anyhow::Context as _;
use chassis::{ServiceContext, config::Source, lifecycle};
use gateway::edge::cache::Cache;
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::{
    SERVICES,
    contexts::Contexts,
    database::Database,
    demo::{self, SignIn},
    folder::Folder,
    keys,
};

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
        let contexts = Contexts::of_stack(database, folder, config, web)?;
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
