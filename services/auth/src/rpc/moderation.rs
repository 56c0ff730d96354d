//! The calls of moderators: standing of members, suspension, appeals, and the log; and the appeal of a suspended member.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{AuthService, RpcResult, commit, pb, require_gateway, to_strings};
use crate::{
    audit,
    convert::{
        MemberChange, parse_appeal, parse_appeal_decision, parse_appeals_page, parse_decision, parse_log_page,
        parse_suspended_page,
    },
    error::Error,
    moderators,
    sessions::Browser,
    suspension::{appeals, decisions},
};

pub(super) async fn get_standing(
    service: &AuthService,
    request: Request<pb::GetMemberStandingRequest>,
) -> RpcResult<pb::GetMemberStandingResponse> {
    let moderator = Actor::moderator(&request)?;
    let member = primitives::ids::parse("memberId", &request.get_ref().member_id).map_err(Error::from)?;
    let standing = moderators::get_standing(&mut *service.connection().await?, moderator, member).await?;
    Ok(Response::new(pb::GetMemberStandingResponse { standing: Some(standing.into()) }))
}

pub(super) async fn list_suspended(
    service: &AuthService,
    request: Request<pb::ListSuspendedMembersRequest>,
) -> RpcResult<pb::ListSuspendedMembersResponse> {
    let moderator = Actor::moderator(&request)?;
    let (size, after) = parse_suspended_page(request.get_ref()).map_err(Error::from)?;
    let page = moderators::list_suspended(&mut *service.connection().await?, moderator, size, after).await?;
    let (members, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListSuspendedMembersResponse { members, next_page_token }))
}

pub(super) async fn suspend(
    service: &AuthService,
    request: Request<pb::SuspendMemberRequest>,
) -> RpcResult<pb::SuspendMemberResponse> {
    let by = Actor::moderator(&request)?;
    let body = request.get_ref();
    let decision = parse_decision(by, &body.member_id, body.reason(), body.note.as_deref(), MemberChange::Suspend)
        .map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let ended = decisions::suspend(&mut service.work(&mut tx), &decision).await?;
    let standing = moderators::get_standing(&mut *tx, by, decision.member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SuspendMemberResponse {
        standing: Some(standing.into()),
        ended_session_ids: to_strings(&ended),
    }))
}

pub(super) async fn restore(
    service: &AuthService,
    request: Request<pb::RestoreMemberRequest>,
) -> RpcResult<pb::RestoreMemberResponse> {
    let by = Actor::moderator(&request)?;
    let body = request.get_ref();
    let decision = parse_decision(by, &body.member_id, body.reason(), body.note.as_deref(), MemberChange::Restore)
        .map_err(Error::from)?;
    let mut tx = service.begin().await?;
    decisions::restore(&mut service.work(&mut tx), &decision).await?;
    let standing = moderators::get_standing(&mut *tx, by, decision.member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RestoreMemberResponse { standing: Some(standing.into()) }))
}

/// Appeals with the token of a refused sign-in. The member has no session, so the gateway calls.
pub(super) async fn appeal(
    service: &AuthService,
    request: Request<pb::AppealSuspensionRequest>,
) -> RpcResult<pb::AppealSuspensionResponse> {
    require_gateway(&request)?;
    let request = request.into_inner();
    let (token, text) = parse_appeal(&request)?;
    let browser = Browser::from(request.browser);
    let mut tx = service.begin().await?;
    appeals::create(&mut service.work(&mut tx), &token, &text, &browser).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AppealSuspensionResponse {}))
}

pub(super) async fn list_appeals(
    service: &AuthService,
    request: Request<pb::ListSuspensionAppealsRequest>,
) -> RpcResult<pb::ListSuspensionAppealsResponse> {
    let moderator = Actor::moderator(&request)?;
    let request = request.get_ref();
    let page = if request.decided {
        let (size, after) = parse_appeals_page(request).map_err(Error::from)?;
        appeals::list_decided(&mut *service.connection().await?, moderator, size, after).await?
    } else {
        let (size, after) = parse_appeals_page(request).map_err(Error::from)?;
        appeals::list_open(&mut *service.connection().await?, moderator, size, after).await?
    };
    let (appeals, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListSuspensionAppealsResponse { appeals, next_page_token }))
}

pub(super) async fn decide_appeal(
    service: &AuthService,
    request: Request<pb::DecideSuspensionAppealRequest>,
) -> RpcResult<pb::DecideSuspensionAppealResponse> {
    let by = Actor::moderator(&request)?;
    let decision = parse_appeal_decision(by, request.get_ref()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let appeal = appeals::decide(&mut service.work(&mut tx), &decision).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DecideSuspensionAppealResponse { appeal: Some(appeal.into()) }))
}

pub(super) async fn list_log(
    service: &AuthService,
    request: Request<pb::ListModerationLogRequest>,
) -> RpcResult<pb::ListModerationLogResponse> {
    let moderator = Actor::moderator(&request)?;
    let (size, after) = parse_log_page(request.get_ref()).map_err(Error::from)?;
    let page = audit::list_log(&mut *service.connection().await?, moderator, size, after).await?;
    let (entries, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListModerationLogResponse { entries, next_page_token }))
}
