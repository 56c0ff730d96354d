//! `portia migrate`: the migrations of all services, before the processes of a distributed installation start.

use std::time::Duration;

use anyhow::Context as _;
use chassis::config::Source;
use db::{Limits, Settings};
use sqlx::migrate::Migrator;

/// The time that Postgres has to answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The service, its schema and its migrations.
static MIGRATIONS: [(&str, &str, &Migrator); 7] = [
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
        let options = config.migration_database(service)?;
        let settings = Settings { options, schema, limits: Limits::for_requests(0..=1) };
        db::migrate(&settings, migrator, TIMEOUT).await.with_context(|| format!("{service} is not migrated"))?;
        progress(&format!("{service} is migrated."));
    }
    Ok(())
}
