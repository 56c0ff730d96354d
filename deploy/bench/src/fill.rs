//! Fills the tables of every schema from a world, by COPY: COPY passes by the facts, so the read models come along.

mod accounts;
mod copies;
mod feed;
mod graph;
mod profiles;
mod talks;

use anyhow::Context as _;
use sqlx::PgConnection;

use crate::world::World;

pub use accounts::PASSWORD;
pub use copies::HEARD;

/// Told a short line before each step.
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
    copies::fill(db, say).await?;
    talks::fill(db, world, say).await?;
    sqlx::raw_sql("reset session_replication_role; reset synchronous_commit").execute(&mut *db).await?;
    say("Sorting out the tables (vacuum analyze) ...");
    sqlx::raw_sql("vacuum (analyze)").execute(&mut *db).await?;
    Ok(())
}
