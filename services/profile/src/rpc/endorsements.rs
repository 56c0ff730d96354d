//! Endorsements: create, withdraw, hide and list.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, pb};
use crate::{
    endorsements::{self, EndorsementVisibility, ListQuery, Skill, SkillEndorsements},
    error::Error,
    publishing,
};

pub(super) async fn create(
    service: &ProfileService,
    request: Request<pb::EndorseSkillRequest>,
) -> RpcResult<pb::EndorseSkillResponse> {
    let endorser = Actor::member(&request)?;
    let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
    let endorsements = apply_create(service, &skill, endorser).await?;
    Ok(Response::new(pb::EndorseSkillResponse { endorsements: Some(endorsements.into()) }))
}

pub(super) async fn withdraw(
    service: &ProfileService,
    request: Request<pb::WithdrawEndorsementRequest>,
) -> RpcResult<pb::WithdrawEndorsementResponse> {
    let endorser = Actor::member(&request)?;
    let skill = Skill::try_from(request.into_inner()).map_err(Error::from)?;
    let endorsements = apply_withdraw(service, &skill, endorser).await?;
    Ok(Response::new(pb::WithdrawEndorsementResponse { endorsements: Some(endorsements.into()) }))
}

pub(super) async fn hide(
    service: &ProfileService,
    request: Request<pb::HideEndorsementRequest>,
) -> RpcResult<pb::HideEndorsementResponse> {
    let owner = Actor::member(&request)?;
    let EndorsementVisibility { skill, endorser_id, hidden } = request.into_inner().try_into().map_err(Error::from)?;
    let skill = Skill { member_id: owner, name: skill.into_string() };
    let endorsements = apply_hide(service, &skill, endorser_id, hidden).await?;
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

async fn apply_create(service: &ProfileService, skill: &Skill, endorser: Uuid) -> Result<SkillEndorsements, Error> {
    let now = service.clock.now();
    let mut tx = db::begin(&service.db).await?;
    let outcome = endorsements::create(&mut tx, skill, endorser, now).await?;
    if outcome.changed {
        publishing::publish_endorsed(&service.outbox, &mut tx, skill, endorser, now).await?;
    }
    tx.commit().await?;
    Ok(outcome.endorsements)
}

async fn apply_withdraw(service: &ProfileService, skill: &Skill, endorser: Uuid) -> Result<SkillEndorsements, Error> {
    let mut tx = db::begin(&service.db).await?;
    let outcome = endorsements::withdraw(&mut tx, skill, endorser).await?;
    if outcome.changed {
        let now = service.clock.now();
        publishing::publish_endorsement_removed(&service.outbox, &mut tx, skill, endorser, now).await?;
    }
    tx.commit().await?;
    Ok(outcome.endorsements)
}

async fn apply_hide(
    service: &ProfileService,
    skill: &Skill,
    endorser: Uuid,
    hidden: bool,
) -> Result<SkillEndorsements, Error> {
    let now = service.clock.now();
    let mut tx = db::begin(&service.db).await?;
    let outcome = endorsements::hide(&mut tx, skill, endorser, hidden).await?;
    match (outcome.changed, hidden) {
        (true, true) => publishing::publish_endorsement_removed(&service.outbox, &mut tx, skill, endorser, now).await?,
        (true, false) => publishing::publish_endorsed(&service.outbox, &mut tx, skill, endorser, now).await?,
        (false, _) => {}
    }
    tx.commit().await?;
    Ok(outcome.endorsements)
}
