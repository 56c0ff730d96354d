//! The members of a school as its steward sees them, and the decisions about them.

use chrono::{DateTime, Utc};
use portia_proto::profile as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{api::members::views::Author, edge::timestamps::moment};

pub use crate::api::contract::profile::{VerificationCause, VerificationDecision, VerificationState};

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

/// The withdrawal of a verification.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawVerification {
    /// The reason, in one line.
    #[serde(default)]
    #[schema(format = "text", required, min_length = 1, max_length = 500)]
    pub reason: String,
}
