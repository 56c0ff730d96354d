//! Removed content and the appeals of its authors.

use portia_proto::{auth, feed as pb};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::contract::Cards;
use crate::api::{
    contract::DecisionReason,
    members::{cache::MemberCards, views::Author},
};

pub use crate::api::contract::feed::{AppealOutcome, Removal};

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
