//! Web push: subscribe a browser.

use axum::extract::State;

use crate::{
    api::{
        push::views::{PushSubscription, SetPushSubscription},
        rate_limits,
    },
    edge::{
        answer::ApiResponse, authentication::Member, extract::Body, limits::Limits, problem::Problem,
        upstreams::MessagingClient,
    },
};

/// Subscribes this browser for its session, or replaces its subscription. A member has at most ten; the next is answered 409.
#[utoipa::path(post, path = "/api/push/subscriptions", operation_id = "setPushSubscription", tag = "notifications",
    request_body = SetPushSubscription,
    security(("session" = [])),
    responses((status = 200, description = "The subscription.", body = PushSubscription)))]
pub async fn subscribe(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    Body(body): Body<SetPushSubscription>,
) -> Result<ApiResponse<PushSubscription>, Problem> {
    let request = body.into_request()?;
    member.limit(&limits, rate_limits::PUSH_SUBSCRIPTIONS).await?;
    let answer = messaging.set_push_subscription(member.call.request(request)?).await?.into_inner();
    Ok(ApiResponse::ok(answer.subscription.ok_or(Problem::internal())?.into()))
}
