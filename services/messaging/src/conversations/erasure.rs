//! What stays of a member's conversations when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

/// Messages stay for the other side, from nobody, and so do the ticks under theirs; a conversation nobody is left in
/// goes with all its messages. Doing it twice does nothing more.
pub async fn member(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    // Whoever says something meanwhile is waited for, and whoever comes later finds nobody to say it to.
    sqlx::query_scalar!(
        "select id
        from messaging.conversations
        where lower_member_id = $1
            or upper_member_id = $1
        order by id
        for no key update",
        member,
    )
    .fetch_all(&mut *db)
    .await?;
    part_from_blocked(db, member).await?;
    leave(db, member).await?;
    sqlx::query!(
        "update messaging.messages
        set
            sender_id = null,
            idempotency_key = null
        where sender_id = $1",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("delete from messaging.blocks where blocker_id = $1 or blocked_id = $1", member).execute(db).await?;
    Ok(())
}

/// Whom the member blocked or was blocked by would find the thread again, once there is nobody to block.
async fn part_from_blocked(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update messaging.participants p
        set
            cleared_seq = c.last_seq,
            listed = false
        from messaging.participants own
        join messaging.conversations c on c.id = own.conversation_id
        where own.member_id = $1
            and p.conversation_id = own.conversation_id
            and p.member_id = own.other_member_id
            and exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $1 and b.blocked_id = p.member_id)
                    or (b.blocker_id = p.member_id and b.blocked_id = $1)
            )",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn leave(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with gone as (
            delete from messaging.participants
            where member_id = $1
            returning conversation_id, read_seq
        )
        update messaging.conversations c
        set former_read_seq = gone.read_seq
        from gone
        where c.id = gone.conversation_id",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "delete from messaging.conversations c
        where (c.lower_member_id = $1 or c.upper_member_id = $1)
            and not exists (select from messaging.participants p where p.conversation_id = c.id)",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update messaging.participants p
        set other_member_id = null
        from messaging.conversations c
        where (c.lower_member_id = $1 or c.upper_member_id = $1)
            and p.conversation_id = c.id",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update messaging.conversations
        set
            lower_member_id = nullif(lower_member_id, $1),
            upper_member_id = nullif(upper_member_id, $1),
            requested_by = null
        where lower_member_id = $1
            or upper_member_id = $1",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}
