//! What happens to a member's rows when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

/// Messages stay for the other side, from nobody; a conversation both have left goes with all its messages. What the
/// member was told goes, and what others were told about the member. Doing it twice does nothing more.
pub async fn member(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from messaging.participants where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("update messaging.messages set sender_id = null where sender_id = $1", member)
        .execute(&mut *db)
        .await?;
    sqlx::query!(
        "delete from messaging.conversations
        where (lower_member_id = $1 and upper_member_id is null)
            or (upper_member_id = $1 and lower_member_id is null)",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update messaging.conversations
        set lower_member_id = nullif(lower_member_id, $1), upper_member_id = nullif(upper_member_id, $1)
        where lower_member_id = $1
            or upper_member_id = $1",
        member,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("delete from messaging.notifications where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!(
        "with withdrawn as (
            delete from messaging.notification_causes
            where actor_id = $1
            returning notification_id
        )
        delete from messaging.notifications n
        using withdrawn w
        where n.id = w.notification_id
            -- Both parts see the rows as they were before: nobody else may be among the causes.
            and not exists (
                select
                from messaging.notification_causes c
                where c.notification_id = n.id
                    and c.actor_id <> $1
            )",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}
