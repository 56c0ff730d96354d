//! The members of the school of a steward: list, verify, withdraw, and the log.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::profile::{
    ListSchoolMembersRequest, ListVerificationDecisionsRequest, VerificationState as StateMessage, VerifyMemberRequest,
    WithdrawVerificationRequest,
};

use crate::{
    api::{
        ids::OfUser,
        rate_limits,
        school::views::{
            ListSchoolMembersQuery, SchoolMember, VerificationDecision, VerifyMember, WithdrawVerification,
        },
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the members who state the school of the signed-in steward, by name.
#[utoipa::path(get, path = "/api/school/members", operation_id = "listSchoolMembers", tag = "school",
    security(("session" = [])),
    params(ListSchoolMembersQuery, Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [SchoolMember])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(query): Params<ListSchoolMembersQuery>,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<SchoolMember>>, Problem> {
    let state = query.state.map_or(StateMessage::Unspecified, Into::into);
    let request = ListSchoolMembersRequest {
        query: query.search,
        state: state.into(),
        page_size: paging.limit,
        page_token: paging.cursor,
    };
    let page = gateway.clients.profile().list_school_members(member.call.request(request)?).await;
    let page = page.map_err(|status| Problem::from(status).renamed("query", "search"))?.into_inner();
    let members = page.members.into_iter().map(Into::into).collect();
    Ok(ApiResponse::ok(members).next_page(&uri, &page.next_page_token))
}

/// Verifies a member who states the school of the signed-in steward. Portia stores no document.
#[utoipa::path(post, path = "/api/school/members/{id}/verify", operation_id = "verifyMember", tag = "school",
    request_body = VerifyMember,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "The member after the verification.", body = SchoolMember)))]
pub async fn verify(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<VerifyMember>,
) -> Result<ApiResponse<SchoolMember>, Problem> {
    member.limit(&gateway.limits, rate_limits::VERIFICATIONS).await?;
    let VerifyMember { full_name, reason } = body;
    let request = VerifyMemberRequest { member_id: id.0.to_string(), full_name, reason };
    let verified = gateway.clients.profile().verify_member(member.call.request(request)?).await?.into_inner();
    gateway.members.forget(&id.0.to_string());
    verified.member.map(|member| ApiResponse::ok(member.into())).ok_or(Problem::internal())
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
    let request = WithdrawVerificationRequest { member_id: id.0.to_string(), reason: body.reason };
    let withdrawn = gateway.clients.profile().withdraw_verification(member.call.request(request)?).await?.into_inner();
    gateway.members.forget(&id.0.to_string());
    Ok(ApiResponse::ok(withdrawn.member.map(Into::into)))
}

/// Lists the decisions about verifications by the school of the signed-in steward, newest first.
#[utoipa::path(get, path = "/api/school/decisions", operation_id = "listVerificationDecisions", tag = "school",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [VerificationDecision])))]
pub async fn decisions(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<VerificationDecision>>, Problem> {
    let request = ListVerificationDecisionsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.clients.profile().list_verification_decisions(member.call.request(request)?).await?.into_inner();
    let people = page.decisions.iter().flat_map(VerificationDecision::members);
    let people = gateway.members.cards(&member.call, people).await;
    let decisions = page.decisions.into_iter().map(|decision| VerificationDecision::of(decision, &people)).collect();
    Ok(ApiResponse::ok(decisions).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}
