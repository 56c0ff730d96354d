//! Fills the tables of every schema from a world, by COPY. COPY publishes no facts, so the read models are filled too.

mod accounts;
mod conversations;
mod feed;
mod graph;
mod jobs;
mod news;
mod profiles;
mod read_models;
mod search_index;

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::world::World;

pub use accounts::PASSWORD;
pub use search_index::order_of;

/// Receives a short line before each step.
pub type Progress<'a> = &'a (dyn Fn(&str) + Sync);

/// Fills an empty, migrated database, as its superuser. After an error the database is unusable.
///
/// # Errors
/// When it has members already, or a table has an unexpected definition.
pub async fn fill(db: &mut PgConnection, world: &World, progress: Progress<'_>) -> anyhow::Result<()> {
    let inhabited: bool = sqlx::query_scalar(
        "select exists (select from auth.accounts)
            or exists (select from profile.members)
            or exists (select from feed.posts)",
    )
    .fetch_one(&mut *db)
    .await
    .context("This is not a Portia database: its tables are missing")?;
    anyhow::ensure!(!inhabited, "This database has members already: only an empty one can be filled.");
    // The generated references are correct. Postgres would check seven million of them one by one, which takes longer
    // than everything else; the tests check each.
    sqlx::raw_sql("set session_replication_role = replica; set synchronous_commit = off").execute(&mut *db).await?;
    accounts::fill(db, world, progress).await?;
    profiles::fill(db, world, progress).await?;
    graph::fill(db, world, progress).await?;
    feed::fill(db, world, progress).await?;
    jobs::fill(db, world, progress).await?;
    news::fill(db, world, progress).await?;
    read_models::fill(db, progress).await?;
    conversations::fill(db, world, progress).await?;
    search_index::fill(db, progress).await?;
    accounts::seal_audit(db, progress).await?;
    sqlx::raw_sql("reset session_replication_role; reset synchronous_commit").execute(&mut *db).await?;
    progress("Optimising the tables (vacuum analyze) ...");
    sqlx::raw_sql("vacuum (analyze)").execute(&mut *db).await?;
    Ok(())
}

/// Drops a table's word indexes, which are built faster at once than row by row, and returns their definitions.
async fn drop_word_indexes(db: &mut PgConnection, schema: &str, table: &str) -> anyhow::Result<Vec<String>> {
    let of = |what: &str| {
        AssertSqlSafe(format!(
            "select {what}
            from pg_indexes
            where schemaname = '{schema}' and tablename = '{table}' and indexdef like '% USING gin %'
            order by indexname"
        ))
    };
    let made = sqlx::query_scalar(of("indexdef")).fetch_all(&mut *db).await?;
    let drops: Vec<String> =
        sqlx::query_scalar(of("format('drop index %I.%I', schemaname, indexname)")).fetch_all(&mut *db).await?;
    for drop in drops {
        sqlx::raw_sql(AssertSqlSafe(drop)).execute(&mut *db).await?;
    }
    Ok(made)
}

/// Builds them again.
async fn recreate_indexes(db: &mut PgConnection, indexes: &[String]) -> anyhow::Result<()> {
    sqlx::raw_sql("set maintenance_work_mem = '512MB'").execute(&mut *db).await?;
    for definition in indexes {
        sqlx::raw_sql(AssertSqlSafe(definition.clone())).execute(&mut *db).await?;
    }
    sqlx::raw_sql("reset maintenance_work_mem").execute(&mut *db).await?;
    Ok(())
}
