//! Suspended members, their suspension and restoration.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::auth as pb;

use crate::{
    api::{
        ids::OfUser,
        moderation::views::{DecideMember, MemberStanding},
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Moderator,
        extract::{Body, Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the suspended members, for moderators, the last suspended first.
#[utoipa::path(get, path = "/api/moderation/suspensions", operation_id = "listSuspendedMembers", tag = "moderation",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [MemberStanding])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<MemberStanding>>, Problem> {
    let request = pb::ListSuspendedMembersRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.clients.auth().list_suspended_members(member.call.request(request)?).await?.into_inner();
    let members = page.members.into_iter().map(Into::into).collect();
    Ok(ApiResponse::ok(members).next_page(&uri, &page.next_page_token))
}

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

/// Restores a suspended member, for moderators. The member must sign in again.
#[utoipa::path(post, path = "/api/moderation/members/{id}/restore", operation_id = "restoreMember", tag = "moderation",
    request_body = DecideMember,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "The account after the restoration.", body = MemberStanding)))]
pub async fn restore(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    id: Id<OfUser>,
    Body(body): Body<DecideMember>,
) -> Result<ApiResponse<MemberStanding>, Problem> {
    member.limit(&gateway.limits, rate_limits::MODERATION).await?;
    let reason = pb::ModerationReason::from(body.reason).into();
    let request = pb::RestoreMemberRequest { member_id: id.0.to_string(), reason, note: body.note };
    let restored = gateway.clients.auth().restore_member(member.call.request(request)?).await?.into_inner();
    restored.standing.map(|standing| ApiResponse::ok(standing.into())).ok_or(Problem::internal())
}
