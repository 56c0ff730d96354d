//! The number of unread conversations and notifications.

use axum::extract::State;
use portia_proto::messaging::GetUnreadRequest;

use crate::edge::upstreams::MessagingClient;
use crate::{
    api::messaging::views::Unread,
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::Member,
        problem::Problem,
    },
};

/// How much waits for me unread. A side card: without its service nothing does.
#[utoipa::path(get, path = "/api/unread", operation_id = "getUnread", tag = "messaging",
    security(("session" = [])),
    responses((status = 200, description = "As the header shows it.", body = Unread)))]
pub async fn unread(
    State(mut messaging): State<MessagingClient>,
    member: Member,
) -> Result<ApiResponse<Unread>, Problem> {
    let asked = messaging.get_unread(member.call.request(GetUnreadRequest {})?).await;
    Ok(match unless_unavailable(asked)? {
        Some(unread) => ApiResponse::ok(unread.into()),
        None => ApiResponse::ok(Unread::default()).degraded(Some("messaging")),
    })
}
