//! The privacy settings of a member, which facts and responses contain.

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
