//! Erasure of the attachments of members and of groups without members, in batches. Each function returns false when nothing was
//! left.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{conversations::effects::Effects, error::Error, messages::unread};

/// The number of attachments that one transaction deletes: each may have megabytes.
const BATCH: i64 = 20;

/// Deletes a batch of the attachments and uploads of a member. A message without a text becomes a deleted one. The
/// unread counts of others change with it.
pub async fn erase_batch(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<bool, Error> {
    let batch = sqlx::query!(
        r#"select a.id, m.conversation_id as "conversation?"
        from messaging.attachments a
        left join messaging.messages m on m.id = a.message_id
        where a.member_id = $1
        limit $2"#,
        member,
        BATCH,
    );
    let batch = batch.fetch_all(&mut *work.db).await?;
    if batch.is_empty() {
        return Ok(false);
    }
    let conversations: Vec<Uuid> = batch.iter().filter_map(|row| row.conversation).collect();
    // Every transaction locks a conversation before its messages.
    sqlx::query_scalar!(
        "select id
        from messaging.conversations
        where id = any($1)
        order by id
        for no key update",
        &conversations,
    )
    .fetch_all(&mut *work.db)
    .await?;
    let attachments: Vec<Uuid> = batch.iter().map(|row| row.id).collect();
    let deleted = sqlx::query_scalar!(
        "with deleted as (
            delete from messaging.attachments
            where id = any($1)
            returning message_id
        ),
        messages as (
            update messaging.messages m
            set
                attachments = null,
                deleted_at = case
                    when m.content <> '' then m.deleted_at
                    else coalesce((select requested_at from messaging.erasures where member_id = $2), m.sent_at)
                end,
                edited_at = case when m.content <> '' then m.edited_at end,
                reaction_count = case when m.content <> '' then m.reaction_count else 0 end
            where m.id in (select message_id from deleted)
                and m.attachments is not null
            returning m.id, m.conversation_id, m.seq, m.content
        ),
        newest as (
            update messaging.conversations c
            set last_attachments = null
            from messages
            where c.id = messages.conversation_id
                and c.last_seq = messages.seq
        ),
        reactions as (
            delete from messaging.message_reactions r
            using messages
            where r.message_id = messages.id
                and messages.content = ''
        )
        select id
        from messages
        where content = ''",
        &attachments,
        member,
    );
    let deleted = deleted.fetch_all(&mut *work.db).await?;
    let mut effects = Effects::default();
    unread::subtract_deleted(work.db, &deleted, &mut effects).await?;
    effects.apply(work).await?;
    Ok(true)
}

/// Deletes a batch of the attachments of groups without members.
pub async fn delete_of_empty_groups(db: &mut PgConnection) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from messaging.attachments
        where id = any(array(
            select a.id
            from messaging.conversations c
            join messaging.messages m on m.conversation_id = c.id
            join messaging.attachments a on a.message_id = m.id
            where c.is_group
                and c.member_count = 0
            limit $1
        ))",
        BATCH,
    );
    Ok(deleted.execute(db).await?.rows_affected() > 0)
}
