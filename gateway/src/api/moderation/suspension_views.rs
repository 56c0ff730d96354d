//! Appeals against suspensions, as moderators see them.

use chrono::{DateTime, Utc};
use portia_proto::auth as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::moderation::removal_views::AppealOutcome,
    edge::timestamps::{moment, required_moment},
};

/// The appeal of a suspended member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppealSuspension {
    /// The token of the refused sign-in.
    pub token: String,
    /// Why the suspension should end.
    #[schema(format = "text", min_length = 1, max_length = 1000)]
    pub text: String,
}

/// A suspension and the appeal of its member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuspensionAppeal {
    /// The id of the suspension.
    #[schema(format = Uuid)]
    pub id: String,
    /// The suspended member.
    #[schema(format = Uuid)]
    pub user_id: String,
    /// Their username.
    pub username: String,
    /// The time of the suspension.
    pub suspended_at: DateTime<Utc>,
    /// The username of the moderator who suspended the member; null after the erasure of their account.
    #[schema(required)]
    pub suspended_by: Option<String>,
    /// The stated reason.
    #[schema(required)]
    pub reason: Option<String>,
    /// The remark on the suspension.
    #[schema(required)]
    pub note: Option<String>,
    /// The text of the member.
    pub appeal: String,
    /// The time of the appeal.
    pub appealed_at: DateTime<Utc>,
    /// The decision on the appeal.
    #[schema(required)]
    pub appeal_outcome: Option<AppealOutcome>,
    /// The stated reason of that decision.
    #[schema(required)]
    pub appeal_reason: Option<String>,
    /// The remark on that decision.
    #[schema(required)]
    pub appeal_note: Option<String>,
    /// The username of the moderator who decided the appeal.
    #[schema(required)]
    pub appeal_decided_by: Option<String>,
    /// The time of that decision.
    #[schema(required)]
    pub appeal_decided_at: Option<DateTime<Utc>>,
    /// Whether the caller may decide: the appeal waits, and the caller is no party of the case.
    pub decidable: bool,
}

impl From<pb::SuspensionAppeal> for SuspensionAppeal {
    fn from(appeal: pb::SuspensionAppeal) -> Self {
        Self {
            appeal_outcome: match appeal.outcome() {
                pb::SuspensionAppealOutcome::Unspecified => None,
                pb::SuspensionAppealOutcome::Upheld => Some(AppealOutcome::Upheld),
                pb::SuspensionAppealOutcome::Overturned => Some(AppealOutcome::Overturned),
            },
            suspended_at: required_moment(appeal.suspended_at),
            appealed_at: required_moment(appeal.appealed_at),
            appeal_decided_at: moment(appeal.decided_at),
            id: appeal.id,
            user_id: appeal.member_id,
            username: appeal.username,
            suspended_by: appeal.moderator,
            reason: appeal.reason,
            note: appeal.note,
            appeal: appeal.appeal,
            appeal_reason: appeal.decision_reason,
            appeal_note: appeal.decision_note,
            appeal_decided_by: appeal.decider,
            decidable: appeal.decidable,
        }
    }
}
