//! The Postgres of the stack: a configured one, or a private one in the data folder.

mod supervisor;

use std::{
    collections::{HashMap, HashSet},
    str::FromStr as _,
    time::Duration,
};

use anyhow::Context as _;
use chassis::config::{Source as Config, field_name};
use portia_postgres::{BOOTSTRAP, Options, Postgres, Profile, Running, Source};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};

use self::supervisor::Supervisor;
use crate::{SERVICES, folder::Folder};

/// The database inside the private server.
pub(crate) const NAME: &str = "portia";
/// The delay after which a message names a Postgres that does not respond.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// The connection options of each service's schema.
pub struct Database {
    options: HashMap<&'static str, PgConnectOptions>,
    server: Option<Supervisor>,
}

impl Database {
    /// Opens the configured Postgres, or else the data folder's own: started, bootstrapped, with a role for each
    /// service.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub async fn open(config: &Config, folder: &Folder, progress: &(dyn Fn(&str) + Sync)) -> anyhow::Result<Self> {
        if config.text("database_url").is_some() {
            let options = SERVICES.iter().map(|service| Ok((*service, config.database(service)?)));
            let options: HashMap<_, _> = options.collect::<anyhow::Result<_>>()?;
            report_if_unavailable(&options, progress).await;
            return Ok(Self { options, server: None });
        }
        let server = Postgres::start(Options {
            data: folder.postgres(),
            profile: profile(config)?,
            source: Source::default(),
            progress: &|line| progress(line),
        })?;
        let options = bootstrap(&server).await.context("The private Postgres could not be prepared")?;
        Ok(Self { options, server: Some(Supervisor::start(server)) })
    }

    /// The connection options of a service.
    #[must_use]
    pub fn of(&self, service: &str) -> Option<PgConnectOptions> {
        self.options.get(service).cloned()
    }

    /// Whether the server is the data folder's own.
    #[must_use]
    pub const fn is_private(&self) -> bool {
        self.server.is_some()
    }

    /// Stops the private server, which is restarted until then; a configured one continues.
    ///
    /// # Errors
    /// When it does not stop.
    pub fn close(self) -> anyhow::Result<()> {
        self.server.map_or(Ok(()), |server| Ok(server.stop()?))
    }
}

/// The durability of the private server: that of real data, unless `PORTIA_DATABASE_SYNC` is `off`.
fn profile(config: &Config) -> anyhow::Result<Profile> {
    match config.text("database_sync").as_deref() {
        None | Some("on") => Ok(Profile::Durable),
        Some("off") => Ok(Profile::Unsynced),
        Some(other) => anyhow::bail!("PORTIA_DATABASE_SYNC is {other}; it is on or off."),
    }
}

/// The services wait for a Postgres that starts late; this prints a message about it.
async fn report_if_unavailable(options: &HashMap<&'static str, PgConnectOptions>, progress: &(dyn Fn(&str) + Sync)) {
    let mut reported = HashSet::new();
    for options in options.values() {
        let (host, port) = (options.get_host().to_owned(), options.get_port());
        if !reported.insert((host.clone(), port)) {
            continue;
        }
        let trouble = match tokio::time::timeout(REPORT_AFTER, options.connect()).await {
            Ok(Ok(connection)) => connection.close().await.err().map(|error| error.to_string()),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no answer".to_owned()),
        };
        if let Some(trouble) = trouble {
            progress(&format!("Waiting for the database at {host}:{port} ({trouble}) ..."));
        }
    }
}

/// Creates roles, schemas and extensions, and sets a password for every role, valid until the next start.
async fn bootstrap(server: &Running) -> anyhow::Result<HashMap<&'static str, PgConnectOptions>> {
    let mut admin = PgConnectOptions::from_str(&server.admin_url())?.connect().await?;
    let made: bool = sqlx::query_scalar("select exists (select from pg_catalog.pg_database where datname = $1)")
        .bind(NAME)
        .fetch_one(&mut admin)
        .await?;
    if !made {
        run(&mut admin, format!("create database {NAME}")).await?;
    }
    admin.close().await?;
    let inside = PgConnectOptions::from_str(&server.admin_url_of(NAME))?;
    let mut admin = inside.connect().await?;
    run(&mut admin, BOOTSTRAP.to_owned()).await?;
    let mut options = HashMap::new();
    for service in SERVICES {
        let role = format!("portia_{}", field_name(service));
        let password = crate::demo::random_password(32)?;
        run(&mut admin, format!("alter role {role} password '{password}'")).await?;
        options.insert(service, inside.clone().username(&role).password(&password));
    }
    admin.close().await?;
    Ok(options)
}

/// Executes a statement without parameters: names of databases and roles cannot be parameters.
async fn run(connection: &mut PgConnection, statements: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await?;
    Ok(())
}
