//! Removed content and the appeals of its authors.

use chrono::{DateTime, Utc};
use portia_proto::{auth, feed as pb};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::{
    api::{
        members::{cache::MemberCards, views::Author},
        moderation::reasons::DecisionReason,
        reports::views::ReportedKind,
    },
    edge::timestamps::{moment, required_moment},
};

pub use crate::api::contract::feed::AppealOutcome;

/// A removed post or comment of the caller.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Removal {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// `post` or `comment`.
    pub kind: ReportedKind,
    /// The id of the content.
    #[schema(format = Uuid)]
    pub item_id: String,
    /// The text as it was reported.
    pub excerpt: String,
    /// The stated reason.
    #[schema(required)]
    pub reason: Option<DecisionReason>,
    /// The time of the removal.
    pub removed_at: DateTime<Utc>,
    /// The end of the time for an appeal.
    pub appeal_until: DateTime<Utc>,
    /// The appeal of the author.
    #[schema(required)]
    pub appeal: Option<String>,
    /// The time of the appeal.
    #[schema(required)]
    pub appealed_at: Option<DateTime<Utc>>,
    /// The decision on the appeal.
    #[schema(required)]
    pub appeal_outcome: Option<AppealOutcome>,
    /// The stated reason of that decision.
    #[schema(required)]
    pub appeal_reason: Option<DecisionReason>,
    /// The time of that decision.
    #[schema(required)]
    pub appeal_decided_at: Option<DateTime<Utc>>,
    /// Whether the content is visible again.
    pub restored: bool,
    /// Whether the content is still kept.
    pub restorable: bool,
}

impl From<pb::Removal> for Removal {
    fn from(removal: pb::Removal) -> Self {
        Self {
            kind: removal.kind().into(),
            reason: DecisionReason::of(removal.reason()),
            removed_at: required_moment(removal.removed_at),
            appeal_until: required_moment(removal.appeal_until),
            appealed_at: moment(removal.appealed_at),
            appeal_outcome: AppealOutcome::of(removal.appeal_outcome()),
            appeal_reason: DecisionReason::of(removal.appeal_reason()),
            appeal_decided_at: moment(removal.appeal_decided_at),
            restored: removal.restored,
            restorable: removal.restorable,
            id: removal.id,
            item_id: removal.item_id,
            excerpt: removal.excerpt,
            appeal: removal.appeal,
        }
    }
}

/// An appeal as moderators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeratedAppeal {
    /// The removed content.
    #[serde(flatten)]
    pub removal: Removal,
    /// The author.
    pub author: Author,
    /// The moderator who removed the content; null for an operator.
    #[schema(required)]
    pub removed_by: Option<Author>,
    /// The moderator who decided the appeal.
    #[schema(required)]
    pub appeal_decided_by: Option<Author>,
    /// The remark on that decision.
    #[schema(required)]
    pub appeal_note: Option<String>,
    /// Whether the caller may decide: it is open, and the caller neither wrote, reported nor removed the content, nor decided on it before.
    pub decidable: bool,
}

impl ModeratedAppeal {
    /// The members that it names.
    pub fn members(removal: &pb::Removal) -> impl Iterator<Item = &str> {
        let others = [removal.removed_by.as_deref(), removal.appeal_decided_by.as_deref()];
        [Some(removal.author_id.as_str())].into_iter().chain(others).flatten()
    }

    /// An appeal with the cards of its members.
    pub fn of(mut removal: pb::Removal, people: &MemberCards) -> Self {
        let author = |id: Option<String>| id.map(|id| people.author(&id));
        Self {
            author: people.author(&removal.author_id),
            removed_by: author(removal.removed_by.take()),
            appeal_decided_by: author(removal.appeal_decided_by.take()),
            appeal_note: removal.appeal_note.take(),
            decidable: removal.decidable,
            removal: removal.into(),
        }
    }
}

/// The appeal of an author.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewAppeal {
    /// Why the content should be visible again.
    #[schema(format = "text", min_length = 1, max_length = 1000)]
    pub text: String,
}

/// What a moderator decides about an appeal.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AppealDecision {
    /// The content stays removed, or the member suspended.
    Uphold,
    /// The removal was wrong: the content becomes visible again, if it is still kept. Or the suspension was wrong, and ends.
    Overturn,
}

/// A decision on an appeal.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecideAppeal {
    /// The decision.
    pub decision: AppealDecision,
    /// The reason, which the author learns.
    pub reason: DecisionReason,
    /// A remark for operators and moderators.
    #[schema(format = "text", max_length = 1000)]
    pub note: Option<String>,
}

impl DecideAppeal {
    /// The request to feed.
    pub fn of(self, removal_id: String) -> pb::DecideAppealRequest {
        let outcome = match self.decision {
            AppealDecision::Uphold => pb::AppealOutcome::Upheld,
            AppealDecision::Overturn => pb::AppealOutcome::Overturned,
        };
        let reason = pb::DecisionReason::from(self.reason).into();
        pb::DecideAppealRequest { removal_id, outcome: outcome.into(), reason, note: self.note }
    }

    /// The request to auth, for an appeal against a suspension.
    pub fn of_suspension(self, suspension_id: String) -> auth::DecideSuspensionAppealRequest {
        let outcome = match self.decision {
            AppealDecision::Uphold => auth::SuspensionAppealOutcome::Upheld,
            AppealDecision::Overturn => auth::SuspensionAppealOutcome::Overturned,
        };
        let reason = auth::ModerationReason::from(self.reason).into();
        auth::DecideSuspensionAppealRequest { suspension_id, outcome: outcome.into(), reason, note: self.note }
    }
}
