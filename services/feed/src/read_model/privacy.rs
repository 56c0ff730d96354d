//! Copies from profile the members' privacy settings for activity and for the school of posts. Members with the
//! defaults have no row.

use portia_proto::profile::{PrivacySettings, ProfileAudience};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Sets the settings of a member; an erased one has none. An audience that this version does not know counts as the
/// narrowest.
pub async fn set(db: &mut PgConnection, member_id: Uuid, settings: Option<PrivacySettings>) -> Result<(), Error> {
    let Some(settings) = settings else { return delete(db, member_id).await };
    let audience = match settings.profile_audience() {
        ProfileAudience::Public if settings.activity_shown => return delete(db, member_id).await,
        ProfileAudience::Public => "public",
        ProfileAudience::Members => "members",
        ProfileAudience::Connections | ProfileAudience::Unspecified => "connections",
    };
    sqlx::query!(
        "insert into feed.privacy_settings (member_id, profile_audience, activity_shown)
        values ($1, $2, $3)
        on conflict (member_id) do update
        set profile_audience = excluded.profile_audience,
            activity_shown = excluded.activity_shown",
        member_id,
        audience,
        settings.activity_shown,
    )
    .execute(&mut *db)
    .await?;
    if audience == "connections" {
        forget_school(db, member_id).await?;
    }
    Ok(())
}

/// Removes the school from the posts of a member whose profile only connections see: the feed of the school, the rank
/// and the reason would reveal it. Also changes the version of closed accounts, because other replicas have the posts
/// in memory.
async fn forget_school(db: &mut PgConnection, member_id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "with forgotten as (
            update feed.posts
            set school_key = null
            where author_id = $1
                and school_key is not null
            returning id
        )
        update feed.hidden_members_changes
        set n = n + 1
        where exists (select from forgotten)",
        member_id,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the settings of a member, who then has the defaults.
pub async fn delete(db: &mut PgConnection, member_id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from feed.privacy_settings where member_id = $1", member_id).execute(db).await?;
    Ok(())
}

/// Deletes all settings. Runs before a snapshot of profile.
pub async fn clear(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from feed.privacy_settings").execute(db).await?;
    Ok(())
}
