//! Verifications by the steward of a school. For stewards; valid requests of others get the response of an unknown route.

use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, Utc};
use portia_proto::profile as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::{ids::OfUser, members::views::Author, rate_limits, state::Gateway},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        problem::Problem,
        timestamps::moment,
    },
};

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

/// Withdraws a verification by the school of the signed-in steward.
#[utoipa::path(post, path = "/api/school/members/{id}/withdraw", operation_id = "withdrawVerification", tag = "school",
    request_body = WithdrawVerification,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "The member after the withdrawal; null when the steward may no longer see them.",
        body = Option<SchoolMember>)))]
pub async fn withdraw(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<WithdrawVerification>,
) -> Result<ApiResponse<Option<SchoolMember>>, Problem> {
    member.limit(&gateway.limits, rate_limits::VERIFICATIONS).await?;
    let request = pb::WithdrawVerificationRequest { member_id: id.0.to_string(), reason: body.reason };
    let withdrawn = gateway.clients.profile().withdraw_verification(member.call.request(request)?).await?.into_inner();
    gateway.members.forget(&id.0.to_string());
    Ok(ApiResponse::ok(withdrawn.member.map(Into::into)))
}
