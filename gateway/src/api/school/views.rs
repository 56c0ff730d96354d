//! The members of a school as its steward sees them, and the decisions about them.

use chrono::{DateTime, Utc};
use portia_proto::profile as pb;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::members::views::Author,
    edge::{extract::unless_empty, timestamps::moment},
};

pub use crate::api::contract::profile::{VerificationCause, VerificationDecision, VerificationState};

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
