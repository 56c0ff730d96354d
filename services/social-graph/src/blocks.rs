//! Blocks: a block hides both members from each other and ends their connection and follows. Only its blocker can lift it.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    communities::invitations, connections::transitions, error::Error, follows, members, paging::PageRequest, publishing,
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

pub async fn block(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid) -> Result<(), Error> {
    members::lock_pair(work, member, other).await?;
    let inserted = sqlx::query!(
        "insert into social_graph.blocks (blocker_id, blocked_id, blocked_at)
        values ($1, $2, $3)
        on conflict (blocker_id, blocked_id) do nothing",
        member,
        other,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    transitions::remove_for_block(work, member, other).await?;
    follows::remove_for_block(work, member, other).await?;
    invitations::remove_for_block(work, member, other).await?;
    if inserted.rows_affected() == 1 { publishing::publish_blocked(work, member, other).await } else { Ok(()) }
}

/// Lifts the member's own block.
pub async fn unblock(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid) -> Result<(), Error> {
    let deleted = sqlx::query!(
        "delete from social_graph.blocks
        where blocker_id = $1
            and blocked_id = $2",
        member,
        other,
    )
    .execute(&mut *work.db)
    .await?;
    if deleted.rows_affected() == 1 { publishing::publish_unblocked(work, member, other).await } else { Ok(()) }
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
