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
use crate::{SERVICES, folder::Folder, migrate, passwords::random_password};

/// The database inside the private server.
pub(crate) const NAME: &str = "portia";
/// The delay after which a message names a Postgres that does not respond.
const REPORT_AFTER: Duration = Duration::from_secs(3);

/// The connection options of each service's schema.
pub struct Database {
    /// The options with the role that serves.
    options: HashMap<&'static str, PgConnectOptions>,
    /// The options with the role that migrates, by service.
    migrations: HashMap<&'static str, PgConnectOptions>,
    server: Option<Supervisor>,
}

/// The connection options of the private server.
struct Prepared {
    options: HashMap<&'static str, PgConnectOptions>,
    migrations: HashMap<&'static str, PgConnectOptions>,
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
            let migrations = SERVICES.iter().map(|service| Ok((*service, config.migration_database(service)?)));
            let migrations = migrations.collect::<anyhow::Result<_>>()?;
            report_if_unavailable(&options, progress).await;
            return Ok(Self { options, migrations, server: None });
        }
        let server = Postgres::start(Options {
            data: folder.postgres(),
            profile: profile(config)?,
            source: Source::default(),
            progress: &|line| progress(line),
        })?;
        let Prepared { options, migrations } =
            bootstrap(&server).await.context("The private Postgres could not be prepared")?;
        Ok(Self { options, migrations, server: Some(Supervisor::start(server)) })
    }

    /// Migrates the schemas of all services, which serve with another role.
    ///
    /// # Errors
    /// When a migration fails, or the database belongs to another version.
    pub async fn migrate(&self) -> anyhow::Result<()> {
        migrate::run_at_once(|service| {
            self.of_migrations(service).with_context(|| format!("there is no service {service}"))
        })
        .await
    }

    /// The connection options of a service.
    #[must_use]
    pub fn of(&self, service: &str) -> Option<PgConnectOptions> {
        self.options.get(service).cloned()
    }

    /// Returns the connection options of a service's migrations, whose role assumes the role of the schema's owner.
    #[must_use]
    pub fn of_migrations(&self, service: &str) -> Option<PgConnectOptions> {
        self.migrations.get(service).cloned()
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

/// Returns the durability of the private server: durable unless `PORTIA_DATABASE_SYNC` is `off`.
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

/// Creates roles, schemas and extensions, and sets a password for every role that signs in, valid until the next start. The superuser
/// does nothing else.
async fn bootstrap(server: &Running) -> anyhow::Result<Prepared> {
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
    let reached = match server.socket_folder() {
        Some(folder) => inside.clone().socket(folder),
        None => inside.clone(),
    };
    let mut roles = HashMap::new();
    for role in SERVICES.into_iter().chain(["migrate"]) {
        let name = format!("portia_{}", field_name(role));
        let password = random_password(32)?;
        run(&mut admin, format!("alter role {name} password '{password}'")).await?;
        roles.insert(role, reached.clone().username(&name).password(&password));
    }
    admin.close().await?;
    let migrate = roles.remove("migrate").context("the role of migrations was just prepared")?;
    let migrations = SERVICES.into_iter().map(|service| (service, migrate.clone())).collect();
    Ok(Prepared { options: roles, migrations })
}

/// Executes a statement without parameters: names of databases and roles cannot be parameters.
async fn run(connection: &mut PgConnection, statements: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await?;
    Ok(())
}
