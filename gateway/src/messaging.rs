//! Conversations, what is said in them, and how much of it waits.

pub mod conversations;
pub mod messages;

use std::sync::Arc;

use axum::extract::State;
use portia_proto::messaging::GetUnreadRequest;

use crate::{
    Gateway,
    answer::{Answer, unless_away},
    identity::Member,
    problem::Problem,
    views::messaging::Unread,
};

/// How much waits for me unread. A side card: without its service nothing does.
#[utoipa::path(get, path = "/api/unread", operation_id = "getUnread", tag = "messaging",
    security(("session" = [])),
    responses((status = 200, description = "As the header shows it.", body = Unread)))]
pub async fn unread(State(gateway): State<Arc<Gateway>>, member: Member) -> Result<Answer<Unread>, Problem> {
    let asked = gateway.services.messaging().get_unread(member.call.request(GetUnreadRequest {})?).await;
    Ok(match unless_away(asked)? {
        Some(unread) => Answer::ok(unread.into()),
        None => Answer::ok(Unread::default()).degraded(Some("messaging")),
    })
}
