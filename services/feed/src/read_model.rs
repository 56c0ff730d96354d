//! Copies of data that social-graph and profile own, for visibility and relevance.
//!
//! Every change is idempotent: facts may be repeated after a snapshot.

pub mod blocks;
pub mod communities;
pub mod connections;
pub mod follows;
pub mod privacy;
pub mod schools;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Deletes all copies from social-graph. Runs before its snapshot.
pub async fn clear_social_graph(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from feed.connections").execute(&mut *db).await?;
    sqlx::query!("delete from feed.follows").execute(&mut *db).await?;
    sqlx::query!("delete from feed.communities").execute(&mut *db).await?;
    sqlx::query!("delete from feed.memberships").execute(&mut *db).await?;
    sqlx::query!("delete from feed.blocks").execute(db).await?;
    Ok(())
}

/// Deletes what is left of an erased member after their connections.
pub async fn erase(db: &mut PgConnection, member_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.privacy_settings where member_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.memberships where member_id = $1", member_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.blocks where blocker_id = $1 or blocked_id = $1", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from feed.follows where member_id = $1 or followed_id = $1", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!("delete from feed.members where member_id = $1", member_id).execute(db).await?;
    Ok(())
}
