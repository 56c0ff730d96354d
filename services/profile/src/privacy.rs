//! The privacy settings of a member: get and update. Every statement that reads profiles contains the audience.

use outbox::UnitOfWork;
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::{
    error::Error,
    publishing,
    settings::{MessageAudience, PrivacySettings, ProfileAudience},
};

/// Valid changes: `None` leaves a setting unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrivacyChanges {
    pub profile_audience: Option<ProfileAudience>,
    pub message_audience: Option<MessageAudience>,
    pub search_engines: Option<bool>,
    pub activity_shown: Option<bool>,
    pub read_receipts: Option<bool>,
}

/// The settings of a member who is not hidden.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn get(db: impl PgExecutor<'_>, id: Uuid) -> Result<PrivacySettings, Error> {
    let settings = sqlx::query_as!(
        PrivacySettings,
        r#"select profile_audience as "profile_audience: ProfileAudience",
            message_audience as "message_audience: MessageAudience", search_engines, activity_shown, read_receipts
        from profile.members
        where id = $1
            and not hidden"#,
        id,
    );
    settings.fetch_optional(db).await?.ok_or(Error::MemberNotFound)
}

/// Updates the settings and returns them. Caches of the card and of the link preview drop theirs.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn update(work: &mut UnitOfWork<'_>, id: Uuid, changes: PrivacyChanges) -> Result<PrivacySettings, Error> {
    let settings = sqlx::query_as!(
        PrivacySettings,
        r#"update profile.members
        set profile_audience = coalesce($2, profile_audience),
            message_audience = coalesce($3, message_audience),
            search_engines = coalesce($4, search_engines),
            activity_shown = coalesce($5, activity_shown),
            read_receipts = coalesce($6, read_receipts)
        where id = $1
            and not hidden
        returning profile_audience as "profile_audience: ProfileAudience",
            message_audience as "message_audience: MessageAudience", search_engines, activity_shown, read_receipts"#,
        id,
        changes.profile_audience as Option<ProfileAudience>,
        changes.message_audience as Option<MessageAudience>,
        changes.search_engines,
        changes.activity_shown,
        changes.read_receipts,
    );
    let settings = settings.fetch_optional(&mut *work.db).await?.ok_or(Error::MemberNotFound)?;
    publishing::publish_privacy_changed(work, id, Some(settings)).await?;
    publishing::publish_member_changed(work, id).await?;
    Ok(settings)
}
