//! Copies of other services' data: blocks, communities and events from social-graph, and privacy settings from profile.
//!
//! Every change is idempotent: facts may be repeated after a snapshot.

pub mod blocks;
pub mod communities;
pub mod events;
pub mod privacy;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Deletes all copies from social-graph. Runs before a snapshot of social-graph.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from messaging.blocks").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.communities").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.memberships").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.events").execute(&mut *db).await?;
    sqlx::query!("delete from messaging.attendances").execute(db).await?;
    Ok(())
}

/// Deletes the remaining rows of an erased member after the blocks.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.memberships where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.former_memberships where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from messaging.attendances where member_id = $1", member).execute(&mut *db).await?;
    privacy::delete(db, member).await?;
    sqlx::query!("update messaging.events set organiser_id = null where organiser_id = $1", member).execute(db).await?;
    Ok(())
}
