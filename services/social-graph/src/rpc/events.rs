//! RPCs of events and their attendees.

use idempotency::Claim;
use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    convert::{IdempotentRequest, event_id, event_ids},
    error::Error,
    events::{
        self, ListEvents,
        attendances::{self, ListAttendees},
        changes::{self, UpdateEvent},
    },
    members,
};

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListEventsRequest>,
) -> RpcResult<pb::ListEventsResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = ListEvents::try_from(request.into_inner())?;
    let page = events::list(&mut *service.connection().await?, viewer, &query, service.clock.now()).await?;
    let (events, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListEventsResponse { events, next_page_token }))
}

pub(super) async fn get(
    service: &SocialGraphService,
    request: Request<pb::GetEventRequest>,
) -> RpcResult<pb::GetEventResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = event_id(&request.get_ref().event_id)?;
    let event = events::get(&mut *service.connection().await?, viewer, id).await?;
    Ok(Response::new(pb::GetEventResponse { event: Some(event.into()) }))
}

pub(super) async fn batch_get(
    service: &SocialGraphService,
    request: Request<pb::BatchGetEventsRequest>,
) -> RpcResult<pb::BatchGetEventsResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = event_ids(request.get_ref())?;
    let events = events::batch_get(&mut *service.connection().await?, viewer, &ids).await?;
    Ok(Response::new(pb::BatchGetEventsResponse { events: events.into_iter().map(Into::into).collect() }))
}

pub(super) async fn create(
    service: &SocialGraphService,
    request: Request<pb::CreateEventRequest>,
) -> RpcResult<pb::CreateEventResponse> {
    let member = Actor::member(&request)?;
    let IdempotentRequest { body: text, key } = IdempotentRequest::parse(request.into_inner(), service.clock.now())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    members::lock(work, member).await?;
    let id = work.ids.owned_by(member);
    let claim = Claim { member, route: "CreateEvent", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await.map_err(Error::from)? {
        let event = events::get(work.db, Some(member), earlier).await?;
        return Ok(Response::new(pb::CreateEventResponse { event: Some(event.into()) }));
    }
    changes::create(work, id, member, &text).await?;
    let event = events::get(work.db, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::CreateEventResponse { event: Some(event.into()) }))
}

pub(super) async fn update(
    service: &SocialGraphService,
    request: Request<pb::UpdateEventRequest>,
) -> RpcResult<pb::UpdateEventResponse> {
    let member = Actor::member(&request)?;
    let update = UpdateEvent::parse(request.into_inner(), service.clock.now())?;
    let mut tx = service.begin().await?;
    let event = changes::update(&mut service.work(&mut tx), member, &update).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateEventResponse { event: Some(event.into()) }))
}

pub(super) async fn cancel(
    service: &SocialGraphService,
    request: Request<pb::CancelEventRequest>,
) -> RpcResult<pb::CancelEventResponse> {
    let member = Actor::member(&request)?;
    let id = event_id(&request.get_ref().event_id)?;
    let mut tx = service.begin().await?;
    changes::cancel(&mut service.work(&mut tx), id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::CancelEventResponse {}))
}

pub(super) async fn list_attendees(
    service: &SocialGraphService,
    request: Request<pb::ListAttendeesRequest>,
) -> RpcResult<pb::ListAttendeesResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = ListAttendees::try_from(request.into_inner())?;
    let page = attendances::list(&mut *service.connection().await?, viewer, &query).await?;
    let (attendees, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListAttendeesResponse { attendees, next_page_token }))
}

pub(super) async fn attend(
    service: &SocialGraphService,
    request: Request<pb::AttendEventRequest>,
) -> RpcResult<pb::AttendEventResponse> {
    let member = Actor::member(&request)?;
    let id = event_id(&request.get_ref().event_id)?;
    let mut tx = service.begin().await?;
    attendances::attend(&mut service.work(&mut tx), id, member).await?;
    let event = events::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::AttendEventResponse { event: Some(event.into()) }))
}

pub(super) async fn unattend(
    service: &SocialGraphService,
    request: Request<pb::UnattendEventRequest>,
) -> RpcResult<pb::UnattendEventResponse> {
    let member = Actor::member(&request)?;
    let id = event_id(&request.get_ref().event_id)?;
    let mut tx = service.begin().await?;
    attendances::unattend(&mut service.work(&mut tx), id, member).await?;
    let event = events::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UnattendEventResponse { event: Some(event.into()) }))
}
