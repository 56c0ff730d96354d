//! Endorsements: create, withdraw, hide and list.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    endorsements::{self, EndorsementVisibility, ListQuery, Skill},
    error::Error,
};

pub(super) async fn create(
    service: &ProfileService,
    request: Request<pb::EndorseSkillRequest>,
) -> RpcResult<pb::EndorseSkillResponse> {
    let endorser = Actor::member(&request)?;
    let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let endorsements = endorsements::create(&mut service.work(&mut tx), &skill, endorser).await?;
    commit(tx).await?;
    Ok(Response::new(pb::EndorseSkillResponse { endorsements: Some(endorsements.into()) }))
}

pub(super) async fn withdraw(
    service: &ProfileService,
    request: Request<pb::WithdrawEndorsementRequest>,
) -> RpcResult<pb::WithdrawEndorsementResponse> {
    let endorser = Actor::member(&request)?;
    let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let endorsements = endorsements::withdraw(&mut service.work(&mut tx), &skill, endorser).await?;
    commit(tx).await?;
    Ok(Response::new(pb::WithdrawEndorsementResponse { endorsements: Some(endorsements.into()) }))
}

pub(super) async fn hide(
    service: &ProfileService,
    request: Request<pb::HideEndorsementRequest>,
) -> RpcResult<pb::HideEndorsementResponse> {
    let owner = Actor::member(&request)?;
    let EndorsementVisibility { skill, endorser_id, hidden } = request.into_inner().try_into().map_err(Error::from)?;
    let skill = Skill { member_id: owner, name: skill.into_string() };
    let mut tx = service.begin().await?;
    let endorsements = endorsements::hide(&mut service.work(&mut tx), &skill, endorser_id, hidden).await?;
    commit(tx).await?;
    Ok(Response::new(pb::HideEndorsementResponse { endorsements: Some(endorsements.into()) }))
}

pub(super) async fn list(
    service: &ProfileService,
    request: Request<pb::ListEndorsementsRequest>,
) -> RpcResult<pb::ListEndorsementsResponse> {
    let viewer = Actor::viewer(&request)?;
    let ListQuery { skill, size, after } = request.into_inner().try_into().map_err(Error::from)?;
    let mut connection = service.connection().await?;
    let page = endorsements::list(&mut connection, &skill, viewer, size, after).await?;
    let (endorsements, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListEndorsementsResponse { endorsements, next_page_token }))
}
