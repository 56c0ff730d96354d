//! Privacy settings: get and update.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, pb};
use crate::{
    error::Error,
    privacy::{self, PrivacyChanges, PrivacySettings},
    publishing,
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
    let settings = apply(service, member, changes).await?;
    Ok(Response::new(pb::UpdatePrivacySettingsResponse { settings: Some(settings.into()) }))
}

/// Also publishes MemberChanged: caches of the card and of the link preview drop theirs.
async fn apply(service: &ProfileService, id: Uuid, changes: PrivacyChanges) -> Result<PrivacySettings, Error> {
    let now = service.clock.now();
    let mut tx = db::begin(&service.db).await?;
    let settings = privacy::update(&mut tx, id, changes).await?;
    publishing::publish_privacy_changed(&service.outbox, &mut tx, id, Some(settings), now).await?;
    publishing::publish_member_changed(&service.outbox, &mut tx, id, now).await?;
    tx.commit().await?;
    Ok(settings)
}
