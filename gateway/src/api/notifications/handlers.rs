//! Notifications: mark as read, and settings.

use axum::extract::State;
use http::StatusCode;
use portia_proto::messaging::{
    ListNotificationSwitchesRequest, MarkNotificationsReadRequest, SetNotificationSwitchesRequest,
    mark_notifications_read_request::Selection,
};
use primitives::{clock::timestamp, ids};

use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::MessagingClient;
use crate::{
    api::notifications::views::{NotificationSettings, ReadNotifications, UpdateNotificationSettings},
    edge::{answer::ApiResponse, authentication::Member, extract::Body, problem::Problem},
};

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
