//! Web push: settings, subscribe, and unsubscribe a browser.

use axum::extract::State;
use http::StatusCode;
use portia_proto::messaging::{DeletePushSubscriptionRequest, GetPushSettingsRequest};

use crate::{
    api::{
        ids::OfPushSubscription,
        push::views::{PushSettings, PushSubscription, SetPushSubscription},
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        limits::Limits,
        problem::Problem,
        upstreams::MessagingClient,
    },
};

/// Returns the browsers to which notifications of the signed-in member are pushed, and the key to subscribe with.
#[utoipa::path(get, path = "/api/push", operation_id = "getPushSettings", tag = "notifications",
    security(("session" = [])),
    responses((status = 200, description = "The key and the subscriptions, the oldest first.", body = PushSettings)))]
pub async fn settings(
    State(mut messaging): State<MessagingClient>,
    member: Member,
) -> Result<ApiResponse<PushSettings>, Problem> {
    let answer = messaging.get_push_settings(member.call.request(GetPushSettingsRequest {})?).await?.into_inner();
    Ok(ApiResponse::ok(answer.into()))
}

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

/// Deletes a subscription of the signed-in member with the notifications that wait for it.
#[utoipa::path(delete, path = "/api/push/subscriptions/{id}", operation_id = "deletePushSubscription",
    tag = "notifications",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the subscription.")),
    responses((status = 204, description = "The subscription is deleted.")))]
pub async fn unsubscribe(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPushSubscription>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::PUSH_SUBSCRIPTIONS).await?;
    let request = DeletePushSubscriptionRequest { subscription_id: id.0.to_string() };
    messaging.delete_push_subscription(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
