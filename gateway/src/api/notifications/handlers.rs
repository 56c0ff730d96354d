//! Notifications: list, mark as read, and settings.

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::messaging::{
    ListNotificationSwitchesRequest, ListNotificationsRequest, MarkNotificationsReadRequest,
    SetNotificationSwitchesRequest, mark_notifications_read_request::Selection,
};
use primitives::{clock::timestamp, ids};

use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::MessagingClient;
use crate::{
    api::notifications::views::{Notification, NotificationSettings, ReadNotifications, UpdateNotificationSettings},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Paging, Params},
        problem::Problem,
    },
};

/// Lists the notifications of the signed-in member, newest first, grouped by kind and subject.
#[utoipa::path(get, path = "/api/notifications", operation_id = "listNotifications", tag = "notifications",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Notification])))]
pub async fn list(
    State(mut messaging): State<MessagingClient>,
    State(members): State<MemberCache>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Notification>>, Problem> {
    let request = ListNotificationsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = messaging.list_notifications(member.call.request(request)?).await?.into_inner();
    let actors = page.notifications.iter().flat_map(|notification| &notification.member_ids).map(String::as_str);
    let people = members.cards(&member.call, actors).await;
    let notifications = page.notifications.into_iter().filter_map(|n| Notification::of(n, &people)).collect();
    Ok(ApiResponse::ok(notifications).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Marks a notification, or all up to a time, as read.
#[utoipa::path(post, path = "/api/notifications/read", operation_id = "readNotifications", tag = "notifications",
    request_body = ReadNotifications,
    security(("session" = [])),
    responses((status = 204, description = "The notifications are marked as read.")))]
pub async fn read(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    Body(body): Body<ReadNotifications>,
) -> Result<StatusCode, Problem> {
    let marked = match (body.id, body.up_to) {
        (Some(id), None) => Selection::NotificationId(ids::parse("id", &id)?.to_string()),
        (None, Some(time)) => Selection::UpTo(timestamp(time)),
        (Some(_), Some(_)) | (None, None) => return Err(Problem::field("id", "Send either an id or upTo.")),
    };
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = MarkNotificationsReadRequest { selection: Some(marked) };
    messaging.mark_notifications_read(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns which kinds of notification are enabled.
#[utoipa::path(get, path = "/api/notifications/settings", operation_id = "getNotificationSettings",
    tag = "notifications",
    security(("session" = [])),
    responses((status = 200, description = "All kinds.", body = NotificationSettings)))]
pub async fn settings(
    State(mut messaging): State<MessagingClient>,
    member: Member,
) -> Result<ApiResponse<NotificationSettings>, Problem> {
    let request = member.call.request(ListNotificationSwitchesRequest {})?;
    let answer = messaging.list_notification_switches(request).await?.into_inner();
    Ok(ApiResponse::ok(answer.switches.into()))
}

/// Enables or disables kinds of notification.
#[utoipa::path(patch, path = "/api/notifications/settings", operation_id = "updateNotificationSettings",
    tag = "notifications",
    request_body = UpdateNotificationSettings,
    security(("session" = [])),
    responses((status = 200, description = "All kinds after the update.", body = NotificationSettings)))]
pub async fn update_settings(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    Body(body): Body<UpdateNotificationSettings>,
) -> Result<ApiResponse<NotificationSettings>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = member.call.request(SetNotificationSwitchesRequest { switches: body.into() })?;
    let answer = messaging.set_notification_switches(request).await?.into_inner();
    Ok(ApiResponse::ok(answer.switches.into()))
}
