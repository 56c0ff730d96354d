//! Verifications by stewards, and members with equal names.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    convert::{parse_decision_page, parse_member_id, parse_requester_ids},
    decisions,
    error::Error,
    namesakes,
    verifications::{
        VerificationRequest, WithdrawalRequest,
        list::{self, SchoolMemberQuery},
        stewards,
    },
};

pub(super) async fn list_namesakes(
    service: &ProfileService,
    request: Request<pb::ListNamesakesRequest>,
) -> RpcResult<pb::ListNamesakesResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = parse_member_id(&request.get_ref().member_id).map_err(Error::from)?;
    let cards = namesakes::list(&mut *service.connection().await?, id, viewer).await?;
    Ok(Response::new(pb::ListNamesakesResponse { members: cards.into_iter().map(Into::into).collect() }))
}

pub(super) async fn match_connection_names(
    service: &ProfileService,
    request: Request<pb::MatchConnectionNamesRequest>,
) -> RpcResult<pb::MatchConnectionNamesResponse> {
    let viewer = Actor::member(&request)?;
    let ids = parse_requester_ids(&request.get_ref().member_ids).map_err(Error::from)?;
    let names = namesakes::match_connections(&mut *service.connection().await?, &ids, viewer).await?;
    Ok(Response::new(pb::MatchConnectionNamesResponse { names: names.into_iter().map(Into::into).collect() }))
}

pub(super) async fn list_members(
    service: &ProfileService,
    request: Request<pb::ListSchoolMembersRequest>,
) -> RpcResult<pb::ListSchoolMembersResponse> {
    let actor = Actor::member(&request)?;
    let query = SchoolMemberQuery::try_from(request.into_inner()).map_err(Error::from)?;
    let mut connection = service.connection().await?;
    let school = stewards::school_of(&mut *connection, actor).await?;
    let (members, next_page_token) = list::list_members(&mut *connection, actor, &school, &query).await?.into_wire();
    Ok(Response::new(pb::ListSchoolMembersResponse { members, next_page_token }))
}

pub(super) async fn verify(
    service: &ProfileService,
    request: Request<pb::VerifyMemberRequest>,
) -> RpcResult<pb::VerifyMemberResponse> {
    let actor = Actor::member(&request)?;
    let request = VerificationRequest::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let member = stewards::verify(&mut service.work(&mut tx), actor, &request).await?;
    commit(tx).await?;
    Ok(Response::new(pb::VerifyMemberResponse { member: Some(member.into()) }))
}

pub(super) async fn withdraw(
    service: &ProfileService,
    request: Request<pb::WithdrawVerificationRequest>,
) -> RpcResult<pb::WithdrawVerificationResponse> {
    let actor = Actor::member(&request)?;
    let request = WithdrawalRequest::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let member = stewards::withdraw(&mut service.work(&mut tx), actor, &request).await?;
    commit(tx).await?;
    Ok(Response::new(pb::WithdrawVerificationResponse { member: member.map(Into::into) }))
}

pub(super) async fn list_decisions(
    service: &ProfileService,
    request: Request<pb::ListVerificationDecisionsRequest>,
) -> RpcResult<pb::ListVerificationDecisionsResponse> {
    let actor = Actor::member(&request)?;
    let (size, after) = parse_decision_page(request.get_ref()).map_err(Error::from)?;
    let mut connection = service.connection().await?;
    let school = stewards::school_of(&mut *connection, actor).await?;
    let (decisions, next_page_token) = decisions::list(&mut *connection, &school, size, after).await?.into_wire();
    Ok(Response::new(pb::ListVerificationDecisionsResponse { decisions, next_page_token }))
}
