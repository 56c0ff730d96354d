//! The suspension of members.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::auth as pb;

use crate::{
    api::{
        contract::auth::{DecideMember, MemberStanding},
        ids::OfUser,
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Moderator,
        extract::{Body, Id},
        problem::Problem,
    },
};

/// Suspends a member, for moderators: every session ends, sign-ins are refused, and the member is hidden.
#[utoipa::path(post, path = "/api/moderation/members/{id}/suspend", operation_id = "suspendMember", tag = "moderation",
    request_body = DecideMember,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "The account after the suspension.", body = MemberStanding)))]
pub async fn suspend(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    id: Id<OfUser>,
    Body(body): Body<DecideMember>,
) -> Result<ApiResponse<MemberStanding>, Problem> {
    member.limit(&gateway.limits, rate_limits::MODERATION).await?;
    let reason = pb::ModerationReason::from(body.reason).into();
    let request = pb::SuspendMemberRequest { member_id: id.0.to_string(), reason, note: body.note };
    let suspended = gateway.clients.auth().suspend_member(member.call.request(request)?).await?.into_inner();
    gateway.authentication.sessions.end_all(&suspended.ended_session_ids);
    suspended.standing.map(|standing| ApiResponse::ok(standing.into())).ok_or(Problem::internal())
}
