//! Privacy settings: get and update.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    error::Error,
    privacy::{self, PrivacyChanges},
};

pub(super) async fn get(
    service: &ProfileService,
    request: Request<pb::GetPrivacySettingsRequest>,
) -> RpcResult<pb::GetPrivacySettingsResponse> {
    let member = Actor::member(&request)?;
    let settings = privacy::get(&mut *service.connection().await?, member).await?;
    Ok(Response::new(pb::GetPrivacySettingsResponse { settings: Some(settings.into()) }))
}

pub(super) async fn update(
    service: &ProfileService,
    request: Request<pb::UpdatePrivacySettingsRequest>,
) -> RpcResult<pb::UpdatePrivacySettingsResponse> {
    let member = Actor::member(&request)?;
    let changes = PrivacyChanges::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let settings = privacy::update(&mut service.work(&mut tx), member, changes).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdatePrivacySettingsResponse { settings: Some(settings.into()) }))
}
