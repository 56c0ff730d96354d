//! Privacy settings, and their changes.

use portia_proto::profile as pb;
use prost_types::FieldMask;
use serde::Deserialize;
use utoipa::ToSchema;

pub use crate::api::contract::profile::{MessageAudience, PrivacySettings, ProfileAudience};

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
