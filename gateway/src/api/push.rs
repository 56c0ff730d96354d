//! Web push: the browsers of the member that get notifications.

use axum::extract::State;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::rate_limits,
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::Body,
        limits::Limits,
        problem::Problem,
        timestamps::{moment, required_moment},
        upstreams::MessagingClient,
    },
};

pub use crate::api::contract::messaging::PushTopic;

/// A language of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum PushLanguage {
    /// English.
    #[serde(rename = "en")]
    English,
    /// Filipino.
    #[serde(rename = "fil")]
    Filipino,
}

/// The subscription of a browser, from its `PushSubscription`. Keys are base64url without padding.
#[derive(Deserialize, ToSchema)]
pub struct SetPushSubscription {
    /// The address of the browser at a known push service.
    #[schema(format = "push-endpoint", pattern = "^https://")]
    pub endpoint: String,
    /// The public key, an uncompressed P-256 point.
    #[schema(format = "push-key", pattern = "^[A-Za-z0-9_-]{87}$")]
    pub p256dh: String,
    /// The authentication secret, 16 bytes.
    #[schema(format = "push-secret", pattern = "^[A-Za-z0-9_-]{22}$")]
    pub auth: String,
    /// The language of the member in this browser.
    pub language: PushLanguage,
    /// What is pushed: at least one topic.
    #[schema(min_items = 1)]
    pub topics: Vec<PushTopic>,
    /// The name of the browser, for the list.
    #[schema(format = "line", min_length = 1, max_length = 80)]
    pub browser: String,
}

impl SetPushSubscription {
    /// The request to messaging.
    ///
    /// # Errors
    /// When there is no topic, or a key is not base64url.
    pub fn into_request(self) -> Result<pb::SetPushSubscriptionRequest, Problem> {
        if self.topics.is_empty() {
            return Err(Problem::field("topics", "Name a topic."));
        }
        let language = match self.language {
            PushLanguage::English => "en",
            PushLanguage::Filipino => "fil",
        };
        Ok(pb::SetPushSubscriptionRequest {
            p256dh: decode("p256dh", &self.p256dh)?,
            auth: decode("auth", &self.auth)?,
            endpoint: self.endpoint,
            language: language.to_owned(),
            topics: self.topics.into_iter().map(|topic| pb::PushTopic::from(topic).into()).collect(),
            browser: self.browser,
        })
    }
}

fn decode(field: &str, text: &str) -> Result<Vec<u8>, Problem> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Problem::field(field, "This must be base64url without padding."))
}

/// The key to subscribe with, and the subscribed browsers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSettings {
    /// The `applicationServerKey` in base64url without padding; null when push is turned off.
    #[schema(required)]
    pub public_key: Option<String>,
    /// The subscribed browsers, the oldest first.
    pub subscriptions: Vec<PushSubscription>,
}

/// A browser to which notifications are pushed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscription {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The name of the browser.
    pub browser: String,
    /// The language of the member in it.
    pub language: PushLanguage,
    /// What is pushed.
    pub topics: Vec<PushTopic>,
    /// The time of the subscription.
    pub created_at: DateTime<Utc>,
    /// The time of the last push that the push service accepted; null before it.
    #[schema(required)]
    pub last_success_at: Option<DateTime<Utc>>,
    /// Whether the session of this request subscribed it.
    pub is_current_session: bool,
}

impl From<pb::GetPushSettingsResponse> for PushSettings {
    fn from(settings: pb::GetPushSettingsResponse) -> Self {
        let key = Some(settings.public_key).filter(|key| !key.is_empty());
        Self {
            public_key: key.map(|key| URL_SAFE_NO_PAD.encode(key)),
            subscriptions: settings.subscriptions.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<pb::PushSubscription> for PushSubscription {
    fn from(subscription: pb::PushSubscription) -> Self {
        Self {
            topics: subscription.topics().filter_map(PushTopic::of).collect(),
            language: if subscription.language == "fil" { PushLanguage::Filipino } else { PushLanguage::English },
            id: subscription.id,
            browser: subscription.browser,
            created_at: required_moment(subscription.created_at),
            last_success_at: moment(subscription.last_success_at),
            is_current_session: subscription.is_current_session,
        }
    }
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
