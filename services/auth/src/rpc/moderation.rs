//! The calls of moderators: standing of members, suspension, and the log.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{AuthService, RpcResult, pb, to_strings};
use crate::{
    audit,
    convert::{MemberChange, parse_decision, parse_log_page, parse_suspended_page},
    error::Error,
    moderators,
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
    let mut db = service.connection().await?;
    let ended = moderators::suspend(&mut db, &decision, &service.ids, &service.clock).await?;
    let standing = moderators::get_standing(&mut *db, by, decision.member).await?;
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
    let mut db = service.connection().await?;
    moderators::restore(&mut db, &decision, &service.ids, &service.clock).await?;
    let standing = moderators::get_standing(&mut *db, by, decision.member).await?;
    Ok(Response::new(pb::RestoreMemberResponse { standing: Some(standing.into()) }))
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
