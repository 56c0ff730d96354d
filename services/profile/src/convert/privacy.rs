//! Requests about privacy settings.

use portia_proto::profile as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest},
};

use crate::{
    privacy::PrivacyChanges,
    settings::{MessageAudience, ProfileAudience},
};

impl TryFrom<pb::UpdatePrivacySettingsRequest> for PrivacyChanges {
    type Error = InvalidRequest;

    fn try_from(request: pb::UpdatePrivacySettingsRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let mut changes = Self::default();
        let settings = request.settings.unwrap_or_default();
        for path in request.update_mask.iter().flat_map(|mask| &mask.paths) {
            match path.as_str() {
                "profile_audience" => {
                    changes.profile_audience = form.take(parse_profile_audience(settings.profile_audience()));
                }
                "message_audience" => {
                    changes.message_audience = form.take(parse_message_audience(settings.message_audience()));
                }
                "search_engines" => changes.search_engines = Some(settings.search_engines),
                "activity_shown" => changes.activity_shown = Some(settings.activity_shown),
                "read_receipts" => changes.read_receipts = Some(settings.read_receipts),
                // One violation is enough for a mask with many unknown fields.
                _ => {
                    form.refuse(Violation::new("updateMask", "This names a field that cannot be changed."));
                    break;
                }
            }
        }
        form.finish(Some(changes))
    }
}

fn parse_profile_audience(raw: pb::ProfileAudience) -> Result<ProfileAudience, Violation> {
    match raw {
        pb::ProfileAudience::Public => Ok(ProfileAudience::Public),
        pb::ProfileAudience::Members => Ok(ProfileAudience::Members),
        pb::ProfileAudience::Connections => Ok(ProfileAudience::Connections),
        pb::ProfileAudience::Unspecified => Err(Violation::new("profileAudience", "Choose an audience.")),
    }
}

fn parse_message_audience(raw: pb::MessageAudience) -> Result<MessageAudience, Violation> {
    match raw {
        pb::MessageAudience::Everyone => Ok(MessageAudience::Everyone),
        pb::MessageAudience::Connections => Ok(MessageAudience::Connections),
        pb::MessageAudience::RepliesOnly => Ok(MessageAudience::RepliesOnly),
        pb::MessageAudience::Unspecified => Err(Violation::new("messageAudience", "Choose an audience.")),
    }
}

#[cfg(test)]
mod tests {
    use prost_types::FieldMask;

    use super::*;

    fn request(paths: &[&str], settings: pb::PrivacySettings) -> pb::UpdatePrivacySettingsRequest {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        pb::UpdatePrivacySettingsRequest { update_mask: Some(FieldMask { paths }), settings: Some(settings) }
    }

    #[test]
    fn only_the_fields_of_the_mask_change() {
        let settings = pb::PrivacySettings {
            profile_audience: pb::ProfileAudience::Members.into(),
            read_receipts: false,
            ..Default::default()
        };
        let changes = PrivacyChanges::try_from(request(&["profile_audience"], settings)).unwrap();
        assert_eq!(changes.profile_audience, Some(ProfileAudience::Members));
        assert_eq!((changes.message_audience, changes.read_receipts), (None, None));
        let changes = PrivacyChanges::try_from(request(&["read_receipts"], settings)).unwrap();
        assert_eq!((changes.profile_audience, changes.read_receipts), (None, Some(false)));
    }

    #[test]
    fn unknown_audiences_and_fields_are_refused() {
        let unknown = pb::PrivacySettings { profile_audience: 99, message_audience: -1, ..Default::default() };
        let error = PrivacyChanges::try_from(request(&["profile_audience", "message_audience"], unknown)).unwrap_err();
        let fields: Vec<&str> = error.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["profileAudience", "messageAudience"]);
        let error = PrivacyChanges::try_from(request(&["member_id"], unknown)).unwrap_err();
        assert_eq!(error.0[0].field, "updateMask");
    }
}
