//! The number of unread conversations and notifications.

use axum::extract::State;
use portia_proto::messaging::{GetUnreadRequest, GetUnreadResponse};

use crate::edge::upstreams::MessagingClient;
use crate::{
    api::messaging::views::Unread,
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::Member,
        problem::Problem,
    },
};

/// Returns the numbers of unread messages and notifications. Zero with `X-Degraded` while the service is unavailable.
#[utoipa::path(get, path = "/api/unread", operation_id = "getUnread", tag = "messaging",
    security(("session" = [])),
    responses((status = 200, description = "The numbers of unread messages and notifications.", body = Unread)))]
pub async fn unread(
    State(mut messaging): State<MessagingClient>,
    member: Member,
) -> Result<ApiResponse<Unread>, Problem> {
    let result = messaging.get_unread(member.call.request(GetUnreadRequest {})?).await;
    Ok(match unless_unavailable(result)? {
        Some(unread) => ApiResponse::ok(unread.into()),
        None => ApiResponse::ok(Unread::of(GetUnreadResponse::default())).degraded(Some("messaging")),
    })
}
