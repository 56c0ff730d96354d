//! Privacy settings, and their changes.

use portia_proto::profile as pb;
use prost_types::FieldMask;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who may see a profile. Other members see the name only; visitors get 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProfileAudience {
    /// Everyone.
    Public,
    /// Members.
    Members,
    /// Connections of the member.
    Connections,
}

/// Who may start a conversation with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MessageAudience {
    /// Every member. Conversations of members who are not connected begin as requests.
    Everyone,
    /// Connections of the member.
    Connections,
    /// Only members that the member has written to.
    RepliesOnly,
}

/// The privacy settings of the signed-in member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrivacySettings {
    /// Who may see the profile.
    pub profile_audience: ProfileAudience,
    /// Who may start a conversation.
    pub message_audience: MessageAudience,
    /// Whether search engines may index the profile, while it is public.
    pub search_engines: bool,
    /// Whether others see the activity.
    pub activity_shown: bool,
    /// Whether the member and their partners see each other's read marks.
    pub read_receipts: bool,
}

/// Changes of the privacy settings. An absent setting keeps its value.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdatePrivacySettings {
    /// Who may see the profile.
    profile_audience: Option<ProfileAudience>,
    /// Who may start a conversation.
    message_audience: Option<MessageAudience>,
    /// Whether search engines may index the profile, while it is public.
    search_engines: Option<bool>,
    /// Whether others see the activity.
    activity_shown: Option<bool>,
    /// Whether the member and their partners see each other's read marks.
    read_receipts: Option<bool>,
}

impl From<UpdatePrivacySettings> for pb::UpdatePrivacySettingsRequest {
    fn from(body: UpdatePrivacySettings) -> Self {
        let named = [
            ("profile_audience", body.profile_audience.is_some()),
            ("message_audience", body.message_audience.is_some()),
            ("search_engines", body.search_engines.is_some()),
            ("activity_shown", body.activity_shown.is_some()),
            ("read_receipts", body.read_receipts.is_some()),
        ];
        let paths = named.into_iter().filter(|(_, is_named)| *is_named).map(|(path, _)| path.to_owned()).collect();
        let profile_audience =
            body.profile_audience.map_or(pb::ProfileAudience::Unspecified, |audience| match audience {
                ProfileAudience::Public => pb::ProfileAudience::Public,
                ProfileAudience::Members => pb::ProfileAudience::Members,
                ProfileAudience::Connections => pb::ProfileAudience::Connections,
            });
        let message_audience =
            body.message_audience.map_or(pb::MessageAudience::Unspecified, |audience| match audience {
                MessageAudience::Everyone => pb::MessageAudience::Everyone,
                MessageAudience::Connections => pb::MessageAudience::Connections,
                MessageAudience::RepliesOnly => pb::MessageAudience::RepliesOnly,
            });
        let settings = pb::PrivacySettings {
            profile_audience: profile_audience.into(),
            message_audience: message_audience.into(),
            search_engines: body.search_engines.unwrap_or_default(),
            activity_shown: body.activity_shown.unwrap_or_default(),
            read_receipts: body.read_receipts.unwrap_or_default(),
        };
        Self { update_mask: Some(FieldMask { paths }), settings: Some(settings) }
    }
}

impl From<pb::PrivacySettings> for PrivacySettings {
    fn from(settings: pb::PrivacySettings) -> Self {
        Self {
            // An audience that this version does not know is shown as the narrowest.
            profile_audience: match settings.profile_audience() {
                pb::ProfileAudience::Public => ProfileAudience::Public,
                pb::ProfileAudience::Members => ProfileAudience::Members,
                pb::ProfileAudience::Connections | pb::ProfileAudience::Unspecified => ProfileAudience::Connections,
            },
            message_audience: match settings.message_audience() {
                pb::MessageAudience::Everyone => MessageAudience::Everyone,
                pb::MessageAudience::Connections => MessageAudience::Connections,
                pb::MessageAudience::RepliesOnly | pb::MessageAudience::Unspecified => MessageAudience::RepliesOnly,
            },
            search_engines: settings.search_engines,
            activity_shown: settings.activity_shown,
            read_receipts: settings.read_receipts,
        }
    }
}
