//! UpdateOnboarding: the steps of a new member.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, pb};
use crate::{
    error::Error,
    members,
    onboarding::{self, Onboarding, OnboardingChange},
};

pub(super) async fn update(
    service: &ProfileService,
    request: Request<pb::UpdateOnboardingRequest>,
) -> RpcResult<pb::UpdateOnboardingResponse> {
    let member = Actor::member(&request)?;
    let change = OnboardingChange::try_from(request.into_inner()).map_err(Error::from)?;
    let onboarding = apply(service, member, change).await?;
    Ok(Response::new(pb::UpdateOnboardingResponse { onboarding: onboarding.map(Into::into) }))
}

async fn apply(service: &ProfileService, id: Uuid, change: OnboardingChange) -> Result<Option<Onboarding>, Error> {
    let mut tx = db::begin(&service.db).await?;
    onboarding::update(&mut tx, id, change).await?;
    let member = members::get(&mut *tx, id, Some(id)).await?;
    tx.commit().await?;
    Ok(member.onboarding)
}
