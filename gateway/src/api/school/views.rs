//! The members of a school as its steward sees them, and the decisions about them.

use chrono::{DateTime, Utc};
use portia_proto::profile as pb;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::members::{cache::MemberCards, views::Author},
    edge::{
        extract::unless_empty,
        timestamps::{moment, required_moment},
    },
};

/// The filter by verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerificationState {
    /// Without a verification.
    Unverified,
    /// With one.
    Verified,
}

impl From<VerificationState> for pb::VerificationState {
    fn from(state: VerificationState) -> Self {
        match state {
            VerificationState::Unverified => Self::Unverified,
            VerificationState::Verified => Self::Verified,
        }
    }
}

/// The filters of the list of members.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListSchoolMembersQuery {
    /// Only members whose name contains words that start with these words. At most 100 characters.
    #[serde(default)]
    #[param(required = false, max_length = 100)]
    pub search: String,
    /// All members when absent.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline, nullable = false)]
    pub state: Option<VerificationState>,
}

/// A member of the school.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchoolMember {
    /// The member.
    pub user: Author,
    /// The username; empty outside the audience of the profile.
    pub username: String,
    /// The year of graduation, as text.
    #[schema(required)]
    pub graduation_year: Option<String>,
    /// The time of the verification.
    #[schema(required)]
    pub verified_at: Option<DateTime<Utc>>,
    /// Whether the caller may verify the member, or withdraw the verification.
    pub decidable: bool,
}

impl From<pb::SchoolMember> for SchoolMember {
    fn from(member: pb::SchoolMember) -> Self {
        Self {
            user: member.card.unwrap_or_default().into(),
            username: member.username,
            graduation_year: member.graduation_year,
            verified_at: moment(member.verified_at),
            decidable: member.decidable,
        }
    }
}

/// A verification.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyMember {
    /// The name that the caller saw. 409 when the member has changed it.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 100)]
    pub full_name: String,
    /// The reason, in one line.
    #[serde(default)]
    #[schema(format = "text", required, min_length = 1, max_length = 500)]
    pub reason: String,
}

/// The withdrawal of a verification.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawVerification {
    /// The reason, in one line.
    #[serde(default)]
    #[schema(format = "text", required, min_length = 1, max_length = 500)]
    pub reason: String,
}

/// What caused a decision about a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerificationCause {
    /// An operator decided.
    Operator,
    /// A steward decided.
    Steward,
    /// The member changed the name.
    NameChanged,
    /// The member changed the school.
    SchoolChanged,
    /// The account was closed or suspended.
    AccountClosed,
}

impl From<pb::VerificationCause> for VerificationCause {
    fn from(cause: pb::VerificationCause) -> Self {
        match cause {
            pb::VerificationCause::Steward => Self::Steward,
            pb::VerificationCause::NameChanged => Self::NameChanged,
            pb::VerificationCause::SchoolChanged => Self::SchoolChanged,
            pb::VerificationCause::AccountClosed => Self::AccountClosed,
            pb::VerificationCause::Operator | pb::VerificationCause::Unspecified => Self::Operator,
        }
    }
}

/// A decision about a verification.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationDecision {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The member concerned.
    pub user: Author,
    /// False: the verification ended.
    pub verified: bool,
    /// What caused it.
    pub cause: VerificationCause,
    /// The steward who decided; null for other causes and an erased account.
    #[schema(required)]
    pub steward: Option<Author>,
    /// The reason of a steward or an operator.
    #[schema(required)]
    pub reason: Option<String>,
    /// The time.
    pub at: DateTime<Utc>,
}

impl VerificationDecision {
    /// The members that it names.
    pub fn members(decision: &pb::VerificationDecision) -> impl Iterator<Item = &str> {
        [Some(decision.member_id.as_str()), decision.steward_id.as_deref()].into_iter().flatten()
    }

    /// A decision with the cards of its members.
    pub fn of(decision: pb::VerificationDecision, people: &MemberCards) -> Self {
        Self {
            user: people.author(&decision.member_id),
            verified: decision.verified,
            cause: decision.cause().into(),
            steward: decision.steward_id.as_deref().map(|id| people.author(id)),
            id: decision.id,
            reason: decision.reason,
            at: required_moment(decision.at),
        }
    }
}
