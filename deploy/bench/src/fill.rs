//! Fills the tables of every schema from a world, by COPY: COPY passes by the facts, so the read models come along.

mod accounts;
mod conversations;
mod copies;
mod feed;
mod graph;
mod jobs;
mod news;
mod profiles;
mod search_index;

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::world::World;

pub use accounts::PASSWORD;
pub use copies::HEARD;

/// Receives a short line before each step.
pub type Say<'a> = &'a (dyn Fn(&str) + Sync);

/// Fills an empty, migrated database, as its superuser. What fails half way leaves a database to be thrown away.
///
/// # Errors
/// When it has members already, or a table is not what this was written for.
pub async fn fill(db: &mut PgConnection, world: &World, say: Say<'_>) -> anyhow::Result<()> {
    let inhabited: bool = sqlx::query_scalar(
        "select exists (select from auth.accounts)
            or exists (select from profile.members)
            or exists (select from feed.posts)",
    )
    .fetch_one(&mut *db)
    .await
    .context("This is no database of Portia's: its tables are not there")?;
    anyhow::ensure!(!inhabited, "This database has members already: only an empty one is filled.");
    // References are true by construction, and checking seven million of them one by one takes longer than all the rest;
    // the tests check each.
    sqlx::raw_sql("set session_replication_role = replica; set synchronous_commit = off").execute(&mut *db).await?;
    accounts::fill(db, world, say).await?;
    profiles::fill(db, world, say).await?;
    graph::fill(db, world, say).await?;
    feed::fill(db, world, say).await?;
    jobs::fill(db, world, say).await?;
    news::fill(db, world, say).await?;
    copies::fill(db, say).await?;
    conversations::fill(db, world, say).await?;
    search_index::fill(db, say).await?;
    sqlx::raw_sql("reset session_replication_role; reset synchronous_commit").execute(&mut *db).await?;
    say("Sorting out the tables (vacuum analyze) ...");
    sqlx::raw_sql("vacuum (analyze)").execute(&mut *db).await?;
    Ok(())
}

/// Drops a table's indexes over words, which are made in one go faster than they grow row by row; how to make them.
async fn set_aside(db: &mut PgConnection, schema: &str, table: &str) -> anyhow::Result<Vec<String>> {
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

/// Makes them again.
async fn again(db: &mut PgConnection, indexes: &[String]) -> anyhow::Result<()> {
    sqlx::raw_sql("set maintenance_work_mem = '512MB'").execute(&mut *db).await?;
    for definition in indexes {
        sqlx::raw_sql(AssertSqlSafe(definition.clone())).execute(&mut *db).await?;
    }
    sqlx::raw_sql("reset maintenance_work_mem").execute(&mut *db).await?;
    Ok(())
}
