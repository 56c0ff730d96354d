//! UpdateOnboarding: the steps of a new member.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    error::Error,
    members,
    onboarding::{self, OnboardingChange},
};

pub(super) async fn update(
    service: &ProfileService,
    request: Request<pb::UpdateOnboardingRequest>,
) -> RpcResult<pb::UpdateOnboardingResponse> {
    let id = Actor::member(&request)?;
    let change = OnboardingChange::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    onboarding::update(&mut tx, id, change).await?;
    let member = members::get(&mut *tx, id, Some(id)).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateOnboardingResponse { onboarding: member.onboarding.map(Into::into) }))
}
