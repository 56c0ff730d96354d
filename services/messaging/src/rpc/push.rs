//! The push subscriptions of the caller.

use rpc::identity::Actor;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    convert::{foreign_endpoint, parse_subscription_id},
    error::Error,
    push::subscriptions::{self, NewSubscription},
};

/// Returns the calling member and the session of the call.
fn session<T>(request: &Request<T>) -> Result<(Uuid, Uuid), Status> {
    let member = Actor::member(request)?;
    match Actor::of(request)? {
        Actor::Member { session, .. } => Ok((member, *session)),
        Actor::Service(_) => Ok((member, member)),
    }
}

pub(super) async fn settings(
    service: &MessagingService,
    request: Request<pb::GetPushSettingsRequest>,
) -> RpcResult<pb::GetPushSettingsResponse> {
    let (member, session) = session(&request)?;
    let subscriptions = subscriptions::list(&mut *service.connection().await?, member, session).await?;
    let subscriptions = subscriptions.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::GetPushSettingsResponse { public_key: service.push.public_key(), subscriptions }))
}

pub(super) async fn set(
    service: &MessagingService,
    request: Request<pb::SetPushSubscriptionRequest>,
) -> RpcResult<pb::SetPushSubscriptionResponse> {
    let caller = session(&request)?;
    let new = NewSubscription::try_from(request.into_inner())?;
    if !service.push.allows(&new.endpoint) {
        return Err(Error::from(foreign_endpoint()).into());
    }
    let mut tx = service.begin().await?;
    let stored = subscriptions::set(&mut service.work(&mut tx), caller, &new).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SetPushSubscriptionResponse { subscription: Some(stored.into()) }))
}

pub(super) async fn delete(
    service: &MessagingService,
    request: Request<pb::DeletePushSubscriptionRequest>,
) -> RpcResult<pb::DeletePushSubscriptionResponse> {
    let member = Actor::member(&request)?;
    let id = parse_subscription_id(&request.get_ref().subscription_id).map_err(Error::from)?;
    subscriptions::delete(&mut *service.connection().await?, member, id).await?;
    Ok(Response::new(pb::DeletePushSubscriptionResponse {}))
}
