//! The privacy settings of a member.

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

impl UpdatePrivacySettings {
    /// The request to profile.
    pub fn of(self) -> pb::UpdatePrivacySettingsRequest {
        let named = [
            ("profile_audience", self.profile_audience.is_some()),
            ("message_audience", self.message_audience.is_some()),
            ("search_engines", self.search_engines.is_some()),
            ("activity_shown", self.activity_shown.is_some()),
            ("read_receipts", self.read_receipts.is_some()),
        ];
        let paths = named.into_iter().filter(|(_, is_named)| *is_named).map(|(path, _)| path.to_owned()).collect();
        let settings = pb::PrivacySettings {
            profile_audience: ProfileAudience::requested(self.profile_audience),
            message_audience: MessageAudience::requested(self.message_audience),
            search_engines: self.search_engines.unwrap_or_default(),
            activity_shown: self.activity_shown.unwrap_or_default(),
            read_receipts: self.read_receipts.unwrap_or_default(),
        };
        pb::UpdatePrivacySettingsRequest { update_mask: Some(FieldMask { paths }), settings: Some(settings) }
    }
}
