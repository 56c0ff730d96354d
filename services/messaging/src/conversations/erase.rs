//! Erasure of a member's conversations and messages, in batches. Each function returns false when nothing was left.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{batches::BATCH, error::Error};

/// Removes the member from a batch of conversations. Messages and read receipts stay for the other participant. A
/// conversation without participants is deleted with its messages.
pub async fn leave_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let batch = sqlx::query_scalar!(
        r#"select id as "id!"
        from (
            select id from messaging.conversations where lower_member_id = $1
            union all
            select id from messaging.conversations where upper_member_id = $1
        ) as own
        limit $2"#,
        member,
        BATCH,
    );
    let batch = batch.fetch_all(&mut *db).await?;
    if batch.is_empty() {
        return Ok(false);
    }
    // Waits for concurrent messages. Later messages find no recipient.
    sqlx::query_scalar!(
        "select id
        from messaging.conversations
        where id = any($1)
        order by id
        for no key update",
        &batch,
    )
    .fetch_all(&mut *db)
    .await?;
    if !delete_abandoned(db, &batch, member).await? {
        hide_from_blocked(db, &batch, member).await?;
        leave(db, &batch, member).await?;
    }
    Ok(true)
}

/// Deletes conversations without another participant, and first their messages in batches. True while messages are left.
async fn delete_abandoned(db: &mut PgConnection, batch: &[Uuid], member: Uuid) -> Result<bool, Error> {
    let abandoned = sqlx::query_scalar!(
        "select c.id
        from messaging.conversations c
        where c.id = any($1)
            and not exists (
                select
                from messaging.participants p
                where p.conversation_id = c.id
                    and p.member_id <> $2
            )",
        batch,
        member,
    );
    let abandoned = abandoned.fetch_all(&mut *db).await?;
    if abandoned.is_empty() {
        return Ok(false);
    }
    let deleted = sqlx::query!(
        "delete from messaging.messages
        where id = any(array(
            select id
            from messaging.messages
            where conversation_id = any($1)
            limit $2
        ))",
        &abandoned,
        BATCH,
    );
    if deleted.execute(&mut *db).await?.rows_affected() > 0 {
        return Ok(true);
    }
    sqlx::query!("delete from messaging.conversations where id = any($1)", &abandoned).execute(db).await?;
    Ok(false)
}

/// Clears the conversations of members who block the erased member or are blocked. Otherwise they would appear again
/// when the blocks are deleted.
async fn hide_from_blocked(db: &mut PgConnection, batch: &[Uuid], member: Uuid) -> Result<(), Error> {
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
        batch,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn leave(db: &mut PgConnection, batch: &[Uuid], member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "with deleted as (
            delete from messaging.participants
            where conversation_id = any($1)
                and member_id = $2
            returning conversation_id, read_seq
        ),
        other_participants as (
            update messaging.participants
            set other_member_id = null
            where conversation_id = any($1)
                and member_id <> $2
        )
        update messaging.conversations c
        set
            former_read_seq = coalesce(
                (select d.read_seq from deleted d where d.conversation_id = c.id), c.former_read_seq
            ),
            lower_member_id = nullif(c.lower_member_id, $2),
            upper_member_id = nullif(c.upper_member_id, $2),
            requested_by = null
        where c.id = any($1)",
        batch,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Removes the member, as the sender and from the audience, from a batch of messages. The member has left every conversation,
/// so there are no new ones. Members separated by a block leave the audience of what the member sent: a message without a
/// sender is hidden from all others, also after the blocks are deleted. A member named by a system line stays in its audience,
/// by which the erasure of that member finds the line.
pub async fn anonymise_messages_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let anonymised = sqlx::query!(
        "update messaging.messages
        set
            sender_id = nullif(sender_id, $1),
            idempotency_key = case when sender_id <> $1 then idempotency_key end,
            audience = case
                when sender_id = $1 then array(
                    select a
                    from unnest(audience) as a
                    where a <> $1
                        and (
                            coalesce(a = any (subject_ids), false)
                            or a <> all (array(
                                select blocked_id from messaging.blocks where blocker_id = $1
                                union all
                                select blocker_id from messaging.blocks where blocked_id = $1
                            ))
                        )
                )
                else array_remove(audience, $1)
            end,
            subject_ids = array_replace(subject_ids, $1, null)
        where id = any(array(
            select id
            from messaging.messages
            where sender_id = $1
                or audience @> array[$1::uuid]
            limit $2
        ))",
        member,
        BATCH,
    );
    Ok(anonymised.execute(db).await?.rows_affected() > 0)
}
