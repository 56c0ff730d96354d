//! Web push, with a push service on loopback that decrypts what it receives.

mod accounts;
mod delivery;
mod service;
mod subscriptions;
mod wanted;

use chrono::TimeDelta;
use portia_proto::messaging::{
    DeletePushSubscriptionRequest, GetPushSettingsRequest, GetPushSettingsResponse, PushSubscription, PushTopic,
    SetPushSubscriptionRequest,
};
use primitives::error::StatusDetails;
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::fixtures::{Fixture, TIMEOUT, into_result};
use service::{Browser, PushService};

pub const ALL_TOPICS: [PushTopic; 4] =
    [PushTopic::Messages, PushTopic::Connections, PushTopic::Posts, PushTopic::Reminders];

/// Starts a service with a push service. Tests connect members from the other side: the acceptance is pushed to the
/// requester.
pub async fn start() -> (Fixture, PushService) {
    let service = PushService::start().await;
    let inbox = Fixture::with_settings(&[("push_admit", &service.address.to_string())]).await;
    (inbox, service)
}

impl Fixture {
    pub async fn subscribe(
        &self,
        who: u128,
        browser: &Browser,
        topics: &[PushTopic],
    ) -> Result<PushSubscription, StatusDetails> {
        let request = SetPushSubscriptionRequest {
            endpoint: browser.endpoint.clone(),
            p256dh: browser.public_key(),
            auth: browser.auth().to_vec(),
            language: "fil".to_owned(),
            topics: topics.iter().map(|topic| (*topic).into()).collect(),
            browser: "Firefox on Linux".to_owned(),
        };
        let stored = self.messaging.clone().set_push_subscription(self.as_member(who, request)).await;
        into_result(stored).map(|stored| stored.subscription.unwrap())
    }

    pub async fn push_settings(&self, who: u128) -> GetPushSettingsResponse {
        let request = self.as_member(who, GetPushSettingsRequest {});
        into_result(self.messaging.clone().get_push_settings(request).await).unwrap()
    }

    pub async fn unsubscribe(&self, who: u128, id: &str) -> Result<(), StatusDetails> {
        let request = DeletePushSubscriptionRequest { subscription_id: id.to_owned() };
        into_result(self.messaging.clone().delete_push_subscription(self.as_member(who, request)).await).map(drop)
    }

    /// Advances the clock past the delay of a push, and waits until nothing waits any more.
    pub async fn wait_until_pushed(&self) {
        self.advance_clock(4);
        self.wait_for_deliveries("true", 0).await;
    }

    /// Waits until `expected` pushes match a condition.
    pub async fn wait_for_deliveries(&self, condition: &str, expected: i64) {
        let sql = format!("select count(*) from messaging.push_deliveries where {condition}");
        let count = || sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql.clone())).fetch_one(self.harness.pool());
        let done = async {
            while count().await.unwrap() != expected {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(TIMEOUT, done).await.unwrap_or_else(|_| panic!("no {expected} pushes with {condition}"));
    }

    /// Waits until the only waiting push is postponed by `seconds` from now.
    pub async fn wait_until_postponed(&self, seconds: i64) {
        let due_at = self.harness.clock.now() + TimeDelta::seconds(seconds);
        self.wait_for_deliveries(&format!("due_at = '{}'", due_at.to_rfc3339()), 1).await;
    }
}

/// Returns the kinds of pushes.
pub fn kinds(contents: &[Value]) -> Vec<&str> {
    contents.iter().map(|content| content["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_process_that_starts_later_uses_the_same_key() {
    let (inbox, _service) = start().await;
    let key = inbox.push_settings(1).await.public_key;
    assert_eq!((key.len(), key[0]), (65, 4), "an uncompressed point");
    drop(messaging::start(std::sync::Arc::clone(&inbox.harness.context)).await.unwrap());
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("select public_key from messaging.vapid_keys")
        .fetch_all(inbox.harness.pool())
        .await
        .unwrap();
    assert_eq!(stored, [key]);
    inbox.harness.stop().await;
}

#[tokio::test]
async fn without_push_services_there_is_no_key_and_no_subscription() {
    let inbox = Fixture::with_settings(&[("push_services", "none")]).await;
    assert_eq!(inbox.push_settings(1).await.public_key, Vec::<u8>::new());
    let browser = Browser::at("https://fcm.googleapis.com/fcm/send/a", 1);
    assert_eq!(inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap_err().reason, "INVALID");
    assert_eq!(inbox.count_rows("push_subscriptions").await, 0);
}
