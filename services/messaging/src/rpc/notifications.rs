//! What the RPCs about the bell do: who asks, what is asked, the answer.

use db::begin;
use portia_proto::messaging as wire;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{Answer, Rpc};
use crate::{
    convert::{MyNotifications, Turned},
    error::Error,
    notifications::{self, marks::Seen, switches as kept},
};

pub(super) async fn list(
    rpc: &Rpc,
    request: Request<wire::ListNotificationsRequest>,
) -> Answer<wire::ListNotificationsResponse> {
    let member = Actor::member(&request)?;
    let mine = MyNotifications::try_from(request.into_inner())?;
    let page = notifications::list(&mut *rpc.reader().await?, member, &mine).await?;
    let (notifications, next_page_token) = page.into_wire();
    Ok(Response::new(wire::ListNotificationsResponse { notifications, next_page_token }))
}

pub(super) async fn mark_read(
    rpc: &Rpc,
    request: Request<wire::MarkNotificationsReadRequest>,
) -> Answer<wire::MarkNotificationsReadResponse> {
    let member = Actor::member(&request)?;
    let seen = Seen::try_from(request.into_inner())?;
    let mut tx = begin(&rpc.db).await.map_err(Error::from)?;
    rpc.bell.seen(&mut tx, member, seen).await?;
    tx.commit().await.map_err(Error::from)?;
    Ok(Response::new(wire::MarkNotificationsReadResponse {}))
}

pub(super) async fn switches(
    rpc: &Rpc,
    request: Request<wire::ListNotificationSwitchesRequest>,
) -> Answer<wire::ListNotificationSwitchesResponse> {
    let member = Actor::member(&request)?;
    let switches = kept::of(&mut *rpc.reader().await?, member).await?;
    let switches = switches.into_iter().map(Into::into).collect();
    Ok(Response::new(wire::ListNotificationSwitchesResponse { switches }))
}

pub(super) async fn set_switches(
    rpc: &Rpc,
    request: Request<wire::SetNotificationSwitchesRequest>,
) -> Answer<wire::SetNotificationSwitchesResponse> {
    let member = Actor::member(&request)?;
    let Turned(turned) = Turned::try_from(request.into_inner())?;
    let mut tx = begin(&rpc.db).await.map_err(Error::from)?;
    kept::turn(&mut tx, member, &turned).await?;
    let switches = kept::of(&mut tx, member).await?;
    tx.commit().await.map_err(Error::from)?;
    let switches = switches.into_iter().map(Into::into).collect();
    Ok(Response::new(wire::SetNotificationSwitchesResponse { switches }))
}
