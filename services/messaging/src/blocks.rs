//! Who blocks whom, copied from what social-graph tells: a conversation of the two is not there for either, and nothing
//! of it counts. Lifted, it is back, and read.
//!
//! Each effect can be repeated: a fact may come again after a snapshot.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    conversations::Folder,
    error::Error,
    standing::{self, Effects},
};

/// Whoever blocks waits for whoever opens a conversation with the other at this moment, and the other way round: one
/// that is just being opened has no row to lock yet.
pub async fn lock_pair(db: &mut PgConnection, one: Uuid, other: Uuid) -> Result<(), Error> {
    let pair = format!("messaging.pair {} {}", one.min(other), one.max(other));
    sqlx::query!("select from pg_advisory_xact_lock(hashtextextended($1, 0))", pair).execute(db).await?;
    Ok(())
}

/// A member blocks another: both have read their conversation, so that the totals need not know of blocks.
pub async fn put(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<Effects, Error> {
    lock_pair(db, blocker, blocked).await?;
    let conversation = standing::lock_of(db, blocker, blocked).await?;
    let put = sqlx::query!(
        "insert into messaging.blocks (blocker_id, blocked_id)
        values ($1, $2)
        on conflict (blocker_id, blocked_id) do nothing",
        blocker,
        blocked,
    )
    .execute(&mut *db)
    .await?;
    let mut effects = Effects::default();
    let Some(id) = conversation.filter(|_| put.rows_affected() == 1) else { return Ok(effects) };
    let sides = sqlx::query!(
        r#"update messaging.participants p
        set
            read_seq = before.last_seq,
            unread_count = 0
        from (
            select c.last_seq, s.member_id, s.unread_count
            from messaging.conversations c
            join messaging.participants s on s.conversation_id = c.id
            where c.id = $1
        ) before
        where p.conversation_id = $1
            and p.member_id = before.member_id
        returning p.member_id, p.folder as "folder: Folder", p.listed, before.unread_count"#,
        id,
    )
    .fetch_all(db)
    .await?;
    for side in sides {
        effects.count(side.member_id, side.folder, side.unread_count, 0);
        if side.listed {
            effects.changed(id, side.member_id);
        }
    }
    Ok(effects)
}

/// A member lifted their block; the other's own stands.
pub async fn lift(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<Effects, Error> {
    lock_pair(db, blocker, blocked).await?;
    let lifted = sqlx::query!(
        "delete from messaging.blocks
        where blocker_id = $1
            and blocked_id = $2",
        blocker,
        blocked,
    )
    .execute(&mut *db)
    .await?;
    let mut effects = Effects::default();
    if lifted.rows_affected() == 0 {
        return Ok(effects);
    }
    let back = sqlx::query!(
        "select p.conversation_id, p.member_id
        from messaging.participants p
        where ((p.member_id = $1 and p.other_member_id = $2) or (p.member_id = $2 and p.other_member_id = $1))
            and p.listed
            and not exists (
                select
                from messaging.blocks b
                where b.blocker_id = $2
                    and b.blocked_id = $1
            )
        order by p.member_id",
        blocker,
        blocked,
    )
    .fetch_all(db)
    .await?;
    for side in back {
        effects.changed(side.conversation_id, side.member_id);
    }
    Ok(effects)
}

/// Forgets who blocks whom, because social-graph is about to tell anew.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from messaging.blocks").execute(db).await?;
    Ok(())
}
