//! List notifications and mark them as read; the switches of a member.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    convert::SetSwitches,
    notifications::{
        self, ListNotifications,
        mark_read::{self, ReadMark},
        switches::{self, Switch},
    },
};

pub(super) async fn list(
    service: &MessagingService,
    request: Request<pb::ListNotificationsRequest>,
) -> RpcResult<pb::ListNotificationsResponse> {
    let member = Actor::member(&request)?;
    let query = ListNotifications::try_from(request.into_inner())?;
    let page = notifications::list(&mut *service.connection().await?, member, &query).await?;
    let (notifications, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListNotificationsResponse { notifications, next_page_token }))
}

pub(super) async fn mark_read(
    service: &MessagingService,
    request: Request<pb::MarkNotificationsReadRequest>,
) -> RpcResult<pb::MarkNotificationsReadResponse> {
    let member = Actor::member(&request)?;
    let mark = ReadMark::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    mark_read::mark_read(&mut service.work(&mut tx), member, mark).await?;
    commit(tx).await?;
    Ok(Response::new(pb::MarkNotificationsReadResponse {}))
}

pub(super) async fn list_switches(
    service: &MessagingService,
    request: Request<pb::ListNotificationSwitchesRequest>,
) -> RpcResult<pb::ListNotificationSwitchesResponse> {
    let member = Actor::member(&request)?;
    let switches = switches::list(&mut *service.connection().await?, member).await?;
    Ok(Response::new(pb::ListNotificationSwitchesResponse { switches: into_switches(switches) }))
}

pub(super) async fn set_switches(
    service: &MessagingService,
    request: Request<pb::SetNotificationSwitchesRequest>,
) -> RpcResult<pb::SetNotificationSwitchesResponse> {
    let member = Actor::member(&request)?;
    let SetSwitches(changed) = SetSwitches::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    switches::set(&mut tx, member, &changed).await?;
    let switches = switches::list(&mut tx, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SetNotificationSwitchesResponse { switches: into_switches(switches) }))
}

fn into_switches(switches: Vec<Switch>) -> Vec<pb::NotificationSwitch> {
    switches.into_iter().map(Into::into).collect()
}
