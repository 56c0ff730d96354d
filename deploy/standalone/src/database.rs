//! Which Postgres the stack runs on: one that configuration names, or a private one in the data folder.

use std::{
    collections::{HashMap, HashSet},
    str::FromStr as _,
    time::Duration,
};

use anyhow::Context as _;
use chassis::config::{Source as Config, field_name};
use portia_postgres::{BOOTSTRAP, Options, Postgres, Profile, Running, Source};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, postgres::PgConnectOptions};

use crate::{SERVICES, folder::Folder};

/// The database inside the private server.
pub(crate) const NAME: &str = "portia";
/// A Postgres that has not answered by then is worth a line on the screen.
const ANSWER: Duration = Duration::from_secs(3);

/// Where each service's schema is.
pub struct Database {
    options: HashMap<&'static str, PgConnectOptions>,
    server: Option<Running>,
}

impl Database {
    /// The configured Postgres, or else the data folder's own: started, bootstrapped, each service with its role.
    ///
    /// # Errors
    /// One sentence for the person who started it.
    pub async fn open(config: &Config, folder: &Folder, progress: &(dyn Fn(&str) + Sync)) -> anyhow::Result<Self> {
        if config.text("database_url").is_some() {
            let options = SERVICES.iter().map(|service| Ok((*service, config.database(service)?)));
            let options: HashMap<_, _> = options.collect::<anyhow::Result<_>>()?;
            say_if_away(&options, progress).await;
            return Ok(Self { options, server: None });
        }
        let server = Postgres::start(Options {
            data: folder.postgres(),
            profile: Profile::Durable,
            source: Source::default(),
            progress: &|line| progress(line),
        })?;
        let options = bootstrap(&server).await.context("The private Postgres could not be prepared")?;
        Ok(Self { options, server: Some(server) })
    }

    /// How a service reaches its schema.
    #[must_use]
    pub fn of(&self, service: &str) -> Option<PgConnectOptions> {
        self.options.get(service).cloned()
    }

    /// Whether the server is the data folder's own.
    #[must_use]
    pub const fn is_private(&self) -> bool {
        self.server.is_some()
    }

    /// Stops the private server; leaves a configured one alone.
    ///
    /// # Errors
    /// When it does not stop.
    pub fn close(self) -> anyhow::Result<()> {
        self.server.map_or(Ok(()), |server| Ok(server.stop()?))
    }
}

/// The services wait for a Postgres that starts late: says so on the terminal.
async fn say_if_away(options: &HashMap<&'static str, PgConnectOptions>, progress: &(dyn Fn(&str) + Sync)) {
    let mut asked = HashSet::new();
    for options in options.values() {
        let (host, port) = (options.get_host().to_owned(), options.get_port());
        if !asked.insert((host.clone(), port)) {
            continue;
        }
        let trouble = match tokio::time::timeout(ANSWER, options.connect()).await {
            Ok(Ok(connection)) => connection.close().await.err().map(|error| error.to_string()),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("no answer".to_owned()),
        };
        if let Some(trouble) = trouble {
            progress(&format!("Waiting for the database at {host}:{port} ({trouble}) ..."));
        }
    }
}

/// Roles, schemas and extensions; and for every role a password that lives as long as this process.
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

/// Statements of ours that take no parameters: names of databases and roles cannot be any.
async fn run(connection: &mut PgConnection, statements: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(connection).await?;
    Ok(())
}
