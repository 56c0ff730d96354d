//! What stays of a member's conversations when the account is gone for good. Each step takes a bite, and tells whether
//! there was one to take.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::erase::BATCH;

/// Leaves conversations: messages stay for the other side, and so do the ticks under theirs; a conversation nobody is left
/// in goes with all its messages.
pub async fn leave(db: &mut PgConnection, member: Uuid) -> Result<bool, sqlx::Error> {
    let bite = sqlx::query_scalar!(
        r#"select id as "id!"
        from (
            select id from messaging.conversations where lower_member_id = $1
            union all
            select id from messaging.conversations where upper_member_id = $1
        ) as theirs
        limit $2"#,
        member,
        BATCH,
    );
    let bite = bite.fetch_all(&mut *db).await?;
    if bite.is_empty() {
        return Ok(false);
    }
    // Whoever says something meanwhile is waited for, and whoever comes later finds nobody to say it to.
    sqlx::query_scalar!(
        "select id
        from messaging.conversations
        where id = any($1)
        order by id
        for no key update",
        &bite,
    )
    .fetch_all(&mut *db)
    .await?;
    if !drop_deserted(db, &bite, member).await? {
        part_from_blocked(db, &bite, member).await?;
        take_leave(db, &bite, member).await?;
    }
    Ok(true)
}

/// Drops conversations nobody but the member is in. One in which much was said loses its messages first: true while there
/// are any.
async fn drop_deserted(db: &mut PgConnection, bite: &[Uuid], member: Uuid) -> Result<bool, sqlx::Error> {
    let deserted = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.id = any($1)
            and not exists (
                select
                from messaging.participants p
                where p.conversation_id = c.id
                    and p.member_id <> $2
            )",
        bite,
        member,
    );
    let deserted = deserted.fetch_all(&mut *db).await?;
    if deserted.is_empty() {
        return Ok(false);
    }
    let unsaid = sqlx::query!(
        "delete from messaging.messages
        where id = any(array(
            select id
            from messaging.messages
            where conversation_id = any($1)
            limit $2
        ))",
        &deserted,
        BATCH,
    );
    if unsaid.execute(&mut *db).await?.rows_affected() > 0 {
        return Ok(true);
    }
    sqlx::query!("delete from messaging.conversations where id = any($1)", &deserted).execute(db).await?;
    Ok(false)
}

/// Whom the member blocked or was blocked by would find the thread again, once there is nobody to block.
async fn part_from_blocked(db: &mut PgConnection, bite: &[Uuid], member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update messaging.participants p
        set
            cleared_seq = c.last_seq,
            listed = false
        from messaging.participants own
        join messaging.conversations c on c.id = own.conversation_id
        where own.conversation_id = any($1)
            and own.member_id = $2
            and p.conversation_id = own.conversation_id
            and p.member_id = own.other_member_id
            and exists (
                select
                from messaging.blocks b
                where (b.blocker_id = $2 and b.blocked_id = p.member_id)
                    or (b.blocker_id = p.member_id and b.blocked_id = $2)
            )",
        bite,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn take_leave(db: &mut PgConnection, bite: &[Uuid], member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with gone as (
            delete from messaging.participants
            where conversation_id = any($1)
                and member_id = $2
            returning conversation_id, read_seq
        ),
        left_behind as (
            update messaging.participants
            set other_member_id = null
            where conversation_id = any($1)
                and member_id <> $2
        )
        update messaging.conversations c
        set
            former_read_seq = coalesce(
                (select g.read_seq from gone g where g.conversation_id = c.id), c.former_read_seq
            ),
            lower_member_id = nullif(c.lower_member_id, $2),
            upper_member_id = nullif(c.upper_member_id, $2),
            requested_by = null
        where c.id = any($1)",
        bite,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes the member's name off messages. After they have left every conversation, none comes.
pub async fn unsign(db: &mut PgConnection, member: Uuid) -> Result<bool, sqlx::Error> {
    let unsigned = sqlx::query!(
        "update messaging.messages
        set
            sender_id = null,
            idempotency_key = null
        where id = any(array(
            select id
            from messaging.messages
            where sender_id = $1
            limit $2
        ))",
        member,
        BATCH,
    );
    Ok(unsigned.execute(db).await?.rows_affected() > 0)
}

/// Forgets whom the member blocks and is blocked by: until they had left every conversation, that mattered.
pub async fn unblock(db: &mut PgConnection, member: Uuid) -> Result<bool, sqlx::Error> {
    let forgotten = sqlx::query!(
        "delete from messaging.blocks b
        using (
            select blocker_id, blocked_id
            from messaging.blocks
            where blocker_id = $1
                or blocked_id = $1
            limit $2
        ) as bite
        where b.blocker_id = bite.blocker_id
            and b.blocked_id = bite.blocked_id",
        member,
        BATCH,
    );
    Ok(forgotten.execute(db).await?.rows_affected() > 0)
}
