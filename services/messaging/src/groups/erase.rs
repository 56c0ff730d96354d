//! The erasure of a member from groups, and of groups without members, in batches. Each function returns false when nothing
//! was left.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{batches::BATCH, error::Error};

/// Removes the member from a batch of groups. Messages stay for the other members. If the member owned the group, the
/// longest other member becomes its owner.
pub async fn leave_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let batch = sqlx::query_scalar!(
        "select c.id
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id and c.is_group
        where p.other_member_id is null
            and p.member_id = $1
        limit $2",
        member,
        BATCH,
    );
    let batch = batch.fetch_all(&mut *db).await?;
    if batch.is_empty() {
        return Ok(false);
    }
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
    sqlx::query!(
        "with deleted as (
            delete from messaging.participants
            where conversation_id = any($1)
                and member_id = $2
            returning conversation_id
        )
        update messaging.conversations c
        set
            member_count = c.member_count - 1,
            owner_id = case
                when c.owner_id <> $2 then c.owner_id
                else (
                    select p.member_id
                    from messaging.participants p
                    where p.conversation_id = c.id
                        and p.member_id <> $2
                    order by
                        exists (select from messaging.closed_members g where g.member_id = p.member_id),
                        p.joined_seq,
                        p.member_id
                    limit 1
                )
            end
        from deleted
        where c.id = deleted.conversation_id",
        &batch,
        member,
    )
    .execute(db)
    .await?;
    Ok(true)
}

/// Deletes a batch of the messages of groups without members, and then the groups.
pub async fn delete_empty_batch(db: &mut PgConnection) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from messaging.messages
        where id = any(array(
            select m.id
            from messaging.conversations c
            join messaging.messages m on m.conversation_id = c.id
            where c.is_group
                and c.member_count = 0
            limit $1
        ))",
        BATCH,
    );
    if deleted.execute(&mut *db).await?.rows_affected() > 0 {
        return Ok(true);
    }
    let deleted = sqlx::query!(
        "delete from messaging.conversations
        where id = any(array(
            select id
            from messaging.conversations
            where is_group
                and member_count = 0
            limit $1
            for update skip locked
        ))",
        BATCH,
    );
    Ok(deleted.execute(db).await?.rows_affected() > 0)
}
