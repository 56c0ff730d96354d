//! Events: list, get, create, update, cancel, attend, attendees and the calendar file.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, Uri, header};
use portia_proto::social_graph::{
    AttendEventRequest, CancelEventRequest, CreateEventRequest, Event as EventMessage, GetEventRequest,
    ListAttendeesRequest, ListEventsRequest, UnattendEventRequest, UpdateEventRequest,
};
use rpc::Call;
use uuid::Uuid;

use crate::api::events::calendar;
use crate::api::ids::OfEvent;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::{
        events::views::{Attendee, CreateEvent, Event, EventDetails, UpdateEvent, people_of},
        state::Gateway,
    },
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::{Caller, Member},
        extract::{Body, Id, IdempotencyKey, Paging, Params},
        origin::RequestOrigin,
        problem::Problem,
    },
};

/// Lists the events that have not ended, soonest first. Empty with `X-Degraded` while the service is unavailable.
#[utoipa::path(get, path = "/api/events", operation_id = "listEvents", tag = "events", params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Event])))]
pub async fn list(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Event>>, Problem> {
    let request = ListEventsRequest { page_size: paging.limit, page_token: paging.cursor };
    let result = graph.list_events(caller.call.request(request)?).await;
    let Some(page) = unless_unavailable(result)? else { return Ok(ApiResponse::missing("social-graph")) };
    let people = members.cards(&caller.call, page.events.iter().flat_map(people_of)).await;
    let events = page.events.into_iter().map(|event| Event::of(event, &people)).collect();
    Ok(ApiResponse::ok(events).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Creates an event. The signed-in member organises and attends it.
#[utoipa::path(post, path = "/api/events", operation_id = "createEvent", tag = "events",
    request_body = CreateEvent,
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the event of the first one, for 24 hours.")),
    responses((status = 201, description = "The new event. `Location` contains its URL.", body = EventDetails)))]
pub async fn create(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    Body(body): Body<CreateEvent>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    member.limit(&limits, rate_limits::POSTS).await?;
    let request = CreateEventRequest { text: Some(body.into()), idempotency_key: key.0 };
    let answer = graph.create_event(member.call.request(request)?).await?.into_inner();
    let event = answer.event.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, people_of(&event)).await;
    let path = format!("/api/events/{}", event.id);
    Ok(ApiResponse::created(EventDetails::of(event, &people)).at(&path).degraded(people.degraded()))
}

/// Returns an event, also a past one.
#[utoipa::path(get, path = "/api/events/{id}", operation_id = "getEvent", tag = "events",
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 200, description = "The event with its description.", body = EventDetails)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    id: Id<OfEvent>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    let event = fetch(&gateway, &caller.call, id.0).await?;
    event_response(&gateway, &caller.call, Some(event)).await
}

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

/// Cancels an event. Only for its organiser.
#[utoipa::path(delete, path = "/api/events/{id}", operation_id = "cancelEvent", tag = "events",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 204, description = "The event is cancelled.")))]
pub async fn cancel(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfEvent>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = CancelEventRequest { event_id: id.0.to_string() };
    graph.cancel_event(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Attends an event. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/events/{id}/attendance", operation_id = "attendEvent", tag = "events",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 200, description = "The current state.", body = EventDetails)))]
pub async fn attend(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfEvent>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    let request = AttendEventRequest { event_id: id.0.to_string() };
    let answer = gateway.clients.graph().attend_event(member.call.request(request)?).await?.into_inner();
    event_response(&gateway, &member.call, answer.event).await
}

/// Stops attending an event. Repeated requests have no effect.
#[utoipa::path(delete, path = "/api/events/{id}/attendance", operation_id = "unattendEvent", tag = "events",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the event.")),
    responses((status = 200, description = "The current state.", body = EventDetails)))]
pub async fn unattend(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfEvent>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    let request = UnattendEventRequest { event_id: id.0.to_string() };
    let answer = gateway.clients.graph().unattend_event(member.call.request(request)?).await?.into_inner();
    event_response(&gateway, &member.call, answer.event).await
}

async fn event_response(
    gateway: &Gateway,
    call: &Call,
    event: Option<EventMessage>,
) -> Result<ApiResponse<EventDetails>, Problem> {
    let event = event.ok_or(Problem::internal())?;
    let people = gateway.members.cards(call, people_of(&event)).await;
    Ok(ApiResponse::ok(EventDetails::of(event, &people)).degraded(people.degraded()))
}

/// Lists the attendees of an event, earliest first.
#[utoipa::path(get, path = "/api/events/{id}/attendees", operation_id = "listAttendees", tag = "events",
    params(("id" = Uuid, Path, description = "The id of the event."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Attendee])))]
pub async fn attendees(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfEvent>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Attendee>>, Problem> {
    let request =
        ListAttendeesRequest { event_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_attendees(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.attendees.iter().map(|a| a.member_id.as_str())).await;
    let attendees = page.attendees.into_iter().map(|attendee| Attendee::of(attendee, &people)).collect();
    Ok(ApiResponse::ok(attendees).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
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
