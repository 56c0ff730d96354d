//! The life cycle of a process: configuration, start, readiness, drain, stop. The same in production, tests and
//! standalone.

mod activity;
mod admin;
mod key_files;
mod standby;
mod tasks;
mod upstreams;

use std::{future::Future, path::PathBuf, pin::pin, sync::Arc, time::Duration};

use anyhow::Context as _;
use sqlx::{PgPool, migrate::Migrator, postgres::PgConnectOptions};
use tokio::net::TcpListener;
use tonic::service::Routes;

pub use activity::Activity;
pub use admin::Readiness;
pub use standby::Standby;
pub use tasks::{StopSignal, Tasks};
pub use upstreams::Upstreams;

use crate::config::{Process, Source};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::{Credentials, KeyPair, Keyring, Signer, read_public_set};

/// The time a start waits for the database.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(60);
/// The time a start waits for the minimum of open connections.
const POOL_TIMEOUT: Duration = Duration::from_secs(20);
/// The time running requests may take after the drain began.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// The context of a service in its process.
pub struct ServiceContext {
    /// The name of the service: `social-graph`.
    pub service: &'static str,
    /// The source of its settings.
    pub config: Source,
    /// The clock.
    pub clock: Clock,
    /// The generator of ids.
    pub ids: Ids,
    /// The public keys of auth and of every process.
    pub keyring: Arc<Keyring>,
    /// The private key of this process.
    pub signer: Arc<Signer>,
    /// The other services.
    pub upstreams: Upstreams,
    /// Background tasks.
    pub tasks: Tasks,
    /// The last event, for tasks that look for work.
    pub activity: Activity,
    /// The state behind `readyz`.
    pub readiness: Readiness,
    /// The Postgres of the service; `None` for a process without one.
    pub database: Option<PgConnectOptions>,
    /// The connections and timeouts of this process.
    pub database_limits: db::Limits,
    /// The standby of the Postgres of the service, once its connections are opened.
    pub standby: Standby,
}

impl ServiceContext {
    /// The identity of this process, for its calls.
    #[must_use]
    pub fn credentials(&self) -> Credentials {
        Credentials::of_process(Arc::clone(&self.signer), self.clock.clone())
    }

    /// Opens the pool, once the schema has the migrations of this version.
    ///
    /// # Errors
    /// When no database is configured, it does not answer within a minute, or the schema is not migrated within it.
    pub async fn database(&self, schema: &'static str, migrator: &Migrator) -> anyhow::Result<PgPool> {
        let options =
            self.database.clone().ok_or_else(|| anyhow::anyhow!("{} was started without a database", self.service))?;
        let settings = db::Settings { options, schema, limits: self.database_limits.clone() };
        let direct = self.config.direct_database(self.service)?;
        let is_pooled = direct.is_some();
        let checked = db::Settings { options: direct.unwrap_or_else(|| settings.options.clone()), ..settings.clone() };
        db::wait_until_migrated(&checked, migrator, DATABASE_TIMEOUT).await?;
        let pool = if is_pooled { db::pool_of_pooler(&settings) } else { db::pool(&settings) };
        db::warm(&pool, *settings.limits.connections.start(), POOL_TIMEOUT).await;
        self.readiness.watch(pool.clone());
        self.tasks.on_stop({
            let pool = pool.clone();
            async move { pool.close().await }
        });
        Ok(pool)
    }
}

impl ServiceContext {
    /// The connections of requests: to the pool of [`Self::database`], and to a standby, if one is configured, for what only reads.
    ///
    /// # Errors
    /// When the address of the standby cannot be used.
    pub fn connections(&self, schema: &'static str, pool: &PgPool) -> anyhow::Result<db::Pool> {
        let connections = db::Pool::of(pool);
        let Some(options) = self.config.standby_database(self.service)? else { return Ok(connections) };
        let settings = db::Settings { options, schema, limits: self.database_limits.clone() };
        let (standby, copies) = db::Standby::open(&settings, connections.clone());
        let standby = Arc::new(standby);
        self.standby.set(&standby);
        self.tasks.on_stop(async move { copies.close().await });
        self.tasks.spawn("standby", {
            let standby = Arc::clone(&standby);
            move |stopped| {
                let standby = Arc::clone(&standby);
                async move {
                    stopped.run_until_cancelled(standby.follow()).await;
                    Ok(())
                }
            }
        });
        Ok(connections.with_standby(standby))
    }

    /// Adds the layers of every service to the routes that it started with.
    #[must_use]
    pub fn wrap(&self, routes: Routes) -> Routes {
        rpc::wrap_with_standby(self.service, routes, Arc::clone(&self.keyring), self.standby.log())
    }
}

/// Runs a process: configuration, telemetry, `start`, sockets, signals. Returns after a clean stop. `contract` is the
/// encoded descriptor set for reflection.
///
/// # Errors
/// One sentence for the operator: a setting is missing or invalid, or an address is in use.
pub async fn run<Fut>(
    service: &'static str,
    contract: &'static [u8],
    start: impl FnOnce(Arc<ServiceContext>) -> Fut,
) -> anyhow::Result<()>
where
    Fut: Future<Output = anyhow::Result<Routes>>,
{
    let mut stop_signal = pin!(StopSignal::listen()?.received());
    let (context, process, telemetry) = prepare(service, true).await?;
    let encryption = context.upstreams.encryption();
    encryption.check_listen(process.listen)?;
    let context = Arc::new(context);
    let (health, health_service) = tonic_health::server::health_reporter();
    let started = tokio::select! {
        routes = start(Arc::clone(&context)) => routes?,
        () = &mut stop_signal => return Ok(()),
    };
    let mut routes = started.add_service(health_service);
    if process.reflection {
        routes = routes.add_service(rpc::reflection(contract)?);
    }
    let routes = context.wrap(routes);
    let listener = bind(process.listen, "PORTIA_LISTEN").await?;
    health.set_service_status("", tonic_health::ServingStatus::Serving).await;
    context.readiness.start();
    tracing::info!(service, address = %process.listen, "ready");
    let drained = context.tasks.draining();
    let served =
        context.tasks.track(rpc::serve(routes, listener, encryption.tls(), async move { drained.cancelled().await }));
    stop_signal.await;
    health.set_service_status("", tonic_health::ServingStatus::NotServing).await;
    stop(&context, process.drain()).await;
    drop(served);
    telemetry.shutdown().await;
    Ok(())
}

/// Prepares a process up to its socket: settings, telemetry, keys, admin port.
///
/// # Errors
/// As [`run`].
pub async fn prepare(
    service: &'static str,
    with_database: bool,
) -> anyhow::Result<(ServiceContext, Process, telemetry::Telemetry)> {
    let config = Source::environment()?;
    let process: Process = config.extract()?;
    let database = with_database.then(|| config.database(service)).transpose()?;
    let is_pooled = config.direct_database(service)?.is_some();
    let upstreams = Upstreams::remote(&config)?;
    if let Some(endpoint) = &process.otlp_endpoint {
        upstreams.encryption().check_url("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint, "https")?;
    }
    let clock = Clock::system();
    let keyring =
        Arc::new(Keyring::new(&read_public_set(&process.public_keys).context("PORTIA_PUBLIC_KEYS")?, clock.clone())?);
    let signer = Arc::new(Signer::new(&KeyPair::read(&process.service_key)?)?);
    let telemetry = telemetry::start(telemetry_settings(service, &process, config.sampling()?))?;
    telemetry::log_panics();
    let context = ServiceContext {
        service,
        clock: clock.clone(),
        ids: Ids::random(clock),
        keyring: Arc::clone(&keyring),
        signer: Arc::clone(&signer),
        upstreams,
        tasks: Tasks::default(),
        activity: Activity::default(),
        readiness: Readiness::default(),
        database,
        database_limits: db::Limits::for_requests(process.connections(is_pooled)),
        standby: Standby::default(),
        config,
    };
    watch_public_keys(&context.tasks, process.public_keys.clone(), keyring);
    watch_service_key(&context.tasks, process.service_key.clone(), signer);
    if let Some(address) = process.admin_listen {
        let listener = bind(address, "PORTIA_ADMIN_LISTEN").await?;
        let telemetry = telemetry.clone();
        serve_admin(&context.tasks, listener, context.readiness.clone(), move || telemetry.render_metrics());
    }
    Ok((context, process, telemetry))
}

/// Verifies with the keys that the file of public keys contains from now on.
pub fn watch_public_keys(tasks: &Tasks, file: PathBuf, keyring: Arc<Keyring>) {
    tasks.watch_keys(vec![file.clone()], move || Ok(keyring.replace(&read_public_set(&file)?)?));
}

/// Signs with the key that comes first in the file of a process from now on.
pub fn watch_service_key(tasks: &Tasks, file: PathBuf, signer: Arc<Signer>) {
    tasks.watch_keys(vec![file.clone()], move || Ok(signer.replace(&KeyPair::read(&file)?)?));
}

/// Serves the admin port. It is no server of requests, whose end a stop awaits before it ends the background tasks.
fn serve_admin(
    tasks: &Tasks,
    listener: TcpListener,
    readiness: Readiness,
    metrics: impl Fn() -> String + Clone + Send + Sync + 'static,
) {
    tasks.track_background(admin::serve(listener, readiness, metrics, tasks.stopped()));
}

fn telemetry_settings(service: &str, process: &Process, sampling: telemetry::Sampling) -> telemetry::Settings {
    use std::io::IsTerminal as _;
    let json = match process.log_format.as_deref() {
        Some(format) => format == "json",
        None => !std::io::stderr().is_terminal(),
    };
    telemetry::Settings {
        json,
        filter: process.log.clone(),
        otlp_endpoint: process.otlp_endpoint.clone(),
        otlp_certificate: process.otlp_certificate.clone(),
        sampling,
        ..telemetry::Settings::new(service)
    }
}

/// Stops in two stages: readiness fails and running requests finish; then the background tasks stop.
pub async fn stop(context: &ServiceContext, drain: Duration) {
    context.readiness.drain();
    tracing::info!(service = context.service, "draining");
    tokio::time::sleep(drain).await;
    context.tasks.stop(FINISH_TIMEOUT).await;
    tracing::info!(service = context.service, "stopped");
}

/// Binds a socket.
///
/// # Errors
/// One sentence that names the setting.
pub async fn bind(address: std::net::SocketAddr, setting: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| anyhow::anyhow!("{setting}: cannot listen on {address}: {error}"))
}

/// The `main` of a service: a runtime, [`run`], and one sentence on standard error on failure.
pub fn main<Fut>(
    service: &'static str,
    contract: &'static [u8],
    start: impl FnOnce(Arc<ServiceContext>) -> Fut,
) -> std::process::ExitCode
where
    Fut: Future<Output = anyhow::Result<Routes>>,
{
    block_on(service, run(service, contract, start))
}

/// Runs the future of a process in a new runtime.
pub fn block_on(service: &str, process: impl Future<Output = anyhow::Result<()>>) -> std::process::ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{service}: the runtime cannot be created: {error}");
            return std::process::ExitCode::FAILURE;
        }
    };
    match runtime.block_on(process) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{service}: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
