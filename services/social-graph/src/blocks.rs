//! Blocks: a block hides both members from each other and ends their connection and follows. Only its blocker can lift it.

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    communities::invitations::{self, EndedInvitation},
    connections::transitions::{self, Transition},
    error::Error,
    follows::{self, FollowPair},
    members,
    paging::PageRequest,
};

pub struct Block {
    pub blocked_id: Uuid,
    pub blocked_at: DateTime<Utc>,
}

/// A position in a list of blocks.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct BlockCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for BlockCursor {}

impl BlockCursor {
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

pub type ListBlocks = PageRequest<BlockCursor>;

pub struct BlockOutcome {
    /// False when the block existed.
    pub created: bool,
    /// The removal of a request or connection.
    pub removed: Option<Transition>,
    /// The follows that the block ended.
    pub unfollowed: Vec<FollowPair>,
    /// The invitations to communities that their member does not see any more.
    pub ended_invitations: Vec<EndedInvitation>,
}

pub async fn block(
    db: &mut PgConnection,
    member: Uuid,
    other: Uuid,
    now: DateTime<Utc>,
) -> Result<BlockOutcome, Error> {
    members::lock_pair(db, member, other, now).await?;
    let inserted = sqlx::query!(
        "insert into social_graph.blocks (blocker_id, blocked_id, blocked_at)
        values ($1, $2, $3)
        on conflict (blocker_id, blocked_id) do nothing",
        member,
        other,
        now,
    )
    .execute(&mut *db)
    .await?;
    let removed = transitions::remove_for_block(db, member, other).await?;
    let unfollowed = follows::remove_for_block(db, member, other).await?;
    let ended_invitations = invitations::remove_for_block(db, member, other).await?;
    Ok(BlockOutcome { created: inserted.rows_affected() == 1, removed, unfollowed, ended_invitations })
}

/// Lifts the member's own block. False when there was none.
pub async fn unblock(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from social_graph.blocks
        where blocker_id = $1
            and blocked_id = $2",
        member,
        other,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Lists the members blocked by `member`, newest first, without closed accounts.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListBlocks) -> Result<Page<Block>, Error> {
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
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |block| BlockCursor { at: block.blocked_at, id: block.blocked_id }))
}
