//! Copies from profile the members' privacy settings for messages. Members with the defaults have no row.

use portia_proto::profile::{MessageAudience, PrivacySettings};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Sets the settings of a member; an erased one has none. An audience that this version does not know counts as the
/// narrowest.
pub async fn set(db: &mut PgConnection, member: Uuid, settings: Option<PrivacySettings>) -> Result<(), Error> {
    let Some(settings) = settings else { return delete(db, member).await };
    let audience = match settings.message_audience() {
        MessageAudience::Everyone if settings.read_receipts => return delete(db, member).await,
        MessageAudience::Everyone => "everyone",
        MessageAudience::Connections => "connections",
        MessageAudience::RepliesOnly | MessageAudience::Unspecified => "replies_only",
    };
    sqlx::query!(
        "insert into messaging.privacy_settings (member_id, message_audience, read_receipts)
        values ($1, $2, $3)
        on conflict (member_id) do update
        set message_audience = excluded.message_audience,
            read_receipts = excluded.read_receipts",
        member,
        audience,
        settings.read_receipts,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the settings of a member, who then has the defaults.
pub async fn delete(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.privacy_settings where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Deletes all settings. Runs before a snapshot of profile.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from messaging.privacy_settings").execute(db).await?;
    Ok(())
}

/// Returns whether the settings of `other` refuse a new conversation with the member. False when a block separates
/// them: the refusal would reveal that the member exists.
pub async fn refuses_new(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<bool, Error> {
    let refuses = sqlx::query_scalar!(
        r#"select exists (
            select
            from messaging.privacy_settings s
            where s.member_id = $2
                and s.message_audience <> 'everyone'
        ) and not exists (
            select
            from messaging.blocks b
            where (b.blocker_id = $1 and b.blocked_id = $2)
                or (b.blocker_id = $2 and b.blocked_id = $1)
        ) as "refuses!""#,
        member,
        other,
    );
    Ok(refuses.fetch_one(db).await?)
}
