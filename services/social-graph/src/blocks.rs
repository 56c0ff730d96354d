//! Blocks: neither is shown to the other, and what was between the two goes. Each lifts only their own.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    connections::steps::{self, Step},
    convert::BrowseBlocks,
    error::Error,
    members,
};

/// Whom a member blocks.
pub struct Block {
    pub blocked_id: Uuid,
    pub blocked_at: DateTime<Utc>,
}

/// A place in a list of blocks.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Latest {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Latest {}

impl Latest {
    /// Before every block.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// What a block changed.
pub struct Blocked {
    /// False when it stood already.
    pub new: bool,
    /// The request or connection that went.
    pub severed: Option<Step>,
}

/// Blocks `other`.
pub async fn put(db: &mut PgConnection, member: Uuid, other: Uuid, now: DateTime<Utc>) -> Result<Blocked, Error> {
    members::lock_pair(db, member, other, now).await?;
    let put = sqlx::query!(
        "insert into social_graph.blocks (blocker_id, blocked_id, blocked_at)
        values ($1, $2, $3)
        on conflict (blocker_id, blocked_id) do nothing",
        member,
        other,
        now,
    )
    .execute(&mut *db)
    .await?;
    let severed = steps::sever(db, member, other).await?;
    Ok(Blocked { new: put.rows_affected() == 1, severed })
}

/// Lifts the member's own block. False when there was none.
pub async fn lift(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<bool, Error> {
    let lifted = sqlx::query!(
        "delete from social_graph.blocks
        where blocker_id = $1
            and blocked_id = $2",
        member,
        other,
    )
    .execute(db)
    .await?;
    Ok(lifted.rows_affected() == 1)
}

/// Whom a member blocks, newest first, without closed accounts.
pub async fn list(db: &mut PgConnection, member: Uuid, browse: &BrowseBlocks) -> Result<Page<Block>, Error> {
    let rows = sqlx::query_as!(
        Block,
        "select b.blocked_id, b.blocked_at
        from social_graph.blocks b
        where b.blocker_id = $1
            and (b.blocked_at, b.blocked_id) < ($2, $3)
            and not exists (
                select
                from social_graph.members m
                where m.member_id = b.blocked_id
                    and m.hidden
            )
        order by b.blocked_at desc, b.blocked_id desc
        limit $4",
        member,
        browse.after.at,
        browse.after.id,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, browse.size, |block| Latest { at: block.blocked_at, id: block.blocked_id }))
}
