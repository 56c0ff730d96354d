//! The privacy settings of a member: get and update. Every statement that reads profiles contains the audience.

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::error::Error;

/// Who may see a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum ProfileAudience {
    Public,
    Members,
    Connections,
}

/// Who may start a conversation with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum MessageAudience {
    Everyone,
    Connections,
    RepliesOnly,
}

/// The settings of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivacySettings {
    pub profile_audience: ProfileAudience,
    pub message_audience: MessageAudience,
    /// Search engines may index a public profile.
    pub search_engines: bool,
    pub activity_shown: bool,
    pub read_receipts: bool,
}

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

/// Updates the settings and returns them.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn update(db: &mut PgConnection, id: Uuid, changes: PrivacyChanges) -> Result<PrivacySettings, Error> {
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
    settings.fetch_optional(db).await?.ok_or(Error::MemberNotFound)
}
