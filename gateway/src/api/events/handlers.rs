//! Events: create, update and the calendar file.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::header;
use portia_proto::social_graph::{Event as EventMessage, GetEventRequest, UpdateEventRequest};
use rpc::Call;
use uuid::Uuid;

use crate::api::events::calendar;
use crate::api::ids::OfEvent;
use crate::api::rate_limits;
use crate::{
    api::{
        events::views::{Event, EventDetails, UpdateEvent},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::{Caller, Member},
        extract::{Body, Id},
        origin::RequestOrigin,
        problem::Problem,
    },
};

async fn fetch(gateway: &Gateway, call: &Call, id: Uuid) -> Result<EventMessage, Problem> {
    let request = GetEventRequest { event_id: id.to_string() };
    let answer = gateway.clients.graph().get_event(call.request(request)?).await?.into_inner();
    answer.event.ok_or(Problem::internal())
}

/// Updates an event. Only for its organiser.
#[utoipa::path(patch, path = "/api/events/{id}", operation_id = "updateEvent", tag = "events",
    request_body = UpdateEvent,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 200, description = "The current state.", body = EventDetails)))]
pub async fn update(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfEvent>,
    Body(body): Body<UpdateEvent>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    // UpdateEvent replaces all fields, and only the organiser may change them.
    let current =
        if body.is_complete() { EventMessage::default() } else { fetch(&gateway, &member.call, id.0).await? };
    let request = UpdateEventRequest { event_id: id.0.to_string(), text: Some(body.merge_into(current)) };
    let answer = gateway.clients.graph().update_event(member.call.request(request)?).await?.into_inner();
    event_response(&gateway, &member.call, answer.event).await
}

async fn event_response(
    gateway: &Gateway,
    call: &Call,
    event: Option<EventMessage>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    let event = event.ok_or(Problem::internal())?;
    let people = gateway.members.cards(call, Event::members(&event)).await;
    Ok(ApiResponse::ok(EventDetails::of(event, &people)).degraded(people.degraded()))
}

/// Returns an event as an iCalendar file.
#[utoipa::path(get, path = "/api/events/{id}/calendar.ics", operation_id = "getEventCalendar", tag = "events",
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 200, content_type = "text/calendar", body = String,
        description = "An iCalendar file (RFC 5545), named after the event.")))]
pub async fn calendar(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    id: Id<OfEvent>,
    origin: RequestOrigin,
) -> Result<Response, Problem> {
    let event = fetch(&gateway, &caller.call, id.0).await?;
    let page = format!("{}/events/{}", origin.0, id.0);
    let disposition = format!("attachment; filename=\"{}.ics\"", calendar::file_stem(&event.title));
    let headers = [(header::CONTENT_TYPE, "text/calendar; charset=utf-8"), (header::CONTENT_DISPOSITION, &disposition)];
    Ok((headers, calendar::file(&event, &page, gateway.clock.now())).into_response())
}
