//! Verifications by stewards, and members with equal names.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, pb};
use crate::{
    convert::{parse_decision_page, parse_member_id, parse_requester_ids},
    decisions::{self, Cause, Decision},
    error::Error,
    namesakes, publishing,
    verifications::{
        self, VerificationRequest, WithdrawalRequest,
        list::{self, SchoolMember, SchoolMemberQuery},
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
    let member = apply_verification(service, actor, &request).await?;
    Ok(Response::new(pb::VerifyMemberResponse { member: Some(member.into()) }))
}

async fn apply_verification(
    service: &ProfileService,
    actor: Uuid,
    request: &VerificationRequest,
) -> Result<SchoolMember, Error> {
    let (id, at) = (request.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    let locked = verifications::lock(&mut tx, id).await?;
    let school = stewards::lock_school_of(&mut tx, actor).await?;
    let locked = locked.ok_or(Error::MemberNotFound)?;
    let decision = Decision {
        id: service.ids.owned_by(id),
        member: id,
        cause: Cause::Steward,
        steward: Some(actor),
        school: Some(&school),
        reason: Some(&request.reason),
        at,
    };
    if !verifications::verify(&mut tx, &service.outbox, &decision).await? {
        let seen = list::get_member(&mut *tx, actor, &school, id).await?;
        let is_verified = seen.verified_at.is_some() && id != actor;
        return Err(if is_verified { Error::AlreadyVerified } else { Error::MemberNotFound });
    }
    // Rolls the verification back. The steward confirms the name on the screen, not a later one.
    if locked.full_name != request.full_name {
        return Err(Error::NameChanged);
    }
    publishing::publish_member_changed(&service.outbox, &mut tx, id, at).await?;
    let member = list::get_member(&mut *tx, actor, &school, id).await?;
    tx.commit().await?;
    Ok(member)
}

pub(super) async fn withdraw(
    service: &ProfileService,
    request: Request<pb::WithdrawVerificationRequest>,
) -> RpcResult<pb::WithdrawVerificationResponse> {
    let actor = Actor::member(&request)?;
    let request = WithdrawalRequest::try_from(request.into_inner()).map_err(Error::from)?;
    let member = apply_withdrawal(service, actor, &request).await?;
    Ok(Response::new(pb::WithdrawVerificationResponse { member: member.map(Into::into) }))
}

/// `None` when the steward may no longer see the member.
async fn apply_withdrawal(
    service: &ProfileService,
    actor: Uuid,
    request: &WithdrawalRequest,
) -> Result<Option<SchoolMember>, Error> {
    let (id, at) = (request.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    let locked = verifications::lock(&mut tx, id).await?;
    let school = stewards::lock_school_of(&mut tx, actor).await?;
    locked.ok_or(Error::MemberNotFound)?;
    let decision = Decision {
        id: service.ids.owned_by(id),
        member: id,
        cause: Cause::Steward,
        steward: Some(actor),
        school: Some(&school),
        reason: Some(&request.reason),
        at,
    };
    if !verifications::withdraw(&mut tx, &service.outbox, &decision).await? {
        // A member of another school is not known to the steward.
        list::get_member(&mut *tx, actor, &school, id).await?;
        return Err(Error::NotVerified);
    }
    publishing::publish_member_changed(&service.outbox, &mut tx, id, at).await?;
    let member = match list::get_member(&mut *tx, actor, &school, id).await {
        Ok(member) => Some(member),
        Err(Error::MemberNotFound) => None,
        Err(error) => return Err(error),
    };
    tx.commit().await?;
    Ok(member)
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
