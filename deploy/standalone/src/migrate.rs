//! The migrations of all services: `portia migrate` of a distributed installation, and the start of standalone.

use std::{sync::LazyLock, time::Duration};

use anyhow::Context as _;
use chassis::config::Source;
use db::{Limits, Settings};
use sqlx::{migrate::Migrator, postgres::PgConnectOptions};

/// The time that Postgres has to answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The service, its schema and its migrations.
static MIGRATIONS: [(&str, &str, &LazyLock<Migrator>); 7] = [
    ("auth", "auth", &auth::MIGRATOR),
    ("profile", "profile", &profile::MIGRATOR),
    ("social-graph", "social_graph", &social_graph::MIGRATOR),
    ("feed", "feed", &feed::MIGRATOR),
    ("jobs", "jobs", &jobs::MIGRATOR),
    ("news", "news", &news::MIGRATOR),
    ("messaging", "messaging", &messaging::MIGRATOR),
];

/// Migrates every schema. `progress` receives a line for each.
///
/// # Errors
/// One sentence for the operator. The schemas before it are migrated; another run continues.
pub async fn run(config: &Source, progress: &(dyn Fn(&str) + Sync)) -> anyhow::Result<()> {
    for (service, schema, migrator) in MIGRATIONS {
        migrate(service, schema, migrator, config.migration_database(service)?).await?;
        progress(&format!("{service} is migrated."));
    }
    Ok(())
}

/// Migrates all schemas at once, which takes less time. `options` are the connection options of a service's migrations.
///
/// # Errors
/// As [`run`].
pub(crate) async fn run_at_once(options: impl Fn(&str) -> anyhow::Result<PgConnectOptions>) -> anyhow::Result<()> {
    let migrations = MIGRATIONS.iter().map(|(service, schema, migrator)| {
        let options = options(service);
        async move { migrate(service, schema, migrator, options?).await }
    });
    futures::future::try_join_all(migrations).await.map(drop)
}

async fn migrate(
    service: &str,
    schema: &'static str,
    migrator: &Migrator,
    options: PgConnectOptions,
) -> anyhow::Result<()> {
    let settings = Settings { options, schema, limits: Limits::for_requests(0..=1) };
    db::migrate(&settings, migrator, TIMEOUT).await.with_context(|| format!("{service} is not migrated"))
}
