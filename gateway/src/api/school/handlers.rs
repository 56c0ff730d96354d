//! Verifications by stewards: withdraw.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::profile::WithdrawVerificationRequest;

use crate::{
    api::{
        ids::OfUser,
        rate_limits,
        school::views::{SchoolMember, WithdrawVerification},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        problem::Problem,
    },
};

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
    let request = WithdrawVerificationRequest { member_id: id.0.to_string(), reason: body.reason };
    let withdrawn = gateway.clients.profile().withdraw_verification(member.call.request(request)?).await?.into_inner();
    gateway.members.forget(&id.0.to_string());
    Ok(ApiResponse::ok(withdrawn.member.map(Into::into)))
}
