//! Delivery: content, signature, retries, collapse, and several workers.

use std::{collections::BTreeSet, sync::Arc};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ALL_TOPICS, start};

#[tokio::test]
async fn a_message_is_pushed_as_encrypted_ids_with_a_signature() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    let message = inbox.send(2, &id, "Words of the message").await.unwrap();
    inbox.wait_until_pushed().await;

    let push = service.next().await;
    let expected = json!({ "kind": "message", "conversationId": id, "messageId": message.id, "language": "fil" });
    assert_eq!(browser.decrypt(&push), expected);
    assert_eq!(push.header("content-encoding"), "aes128gcm");
    assert_eq!(push.header("ttl"), "86396", "a day from the message");
    assert_eq!(push.header("urgency"), "high");
    assert_eq!(push.header("topic"), Uuid::try_parse(&id).unwrap().simple().to_string());

    let (token, key) = push.header("authorization").strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(URL_SAFE_NO_PAD.decode(key).unwrap(), inbox.push_settings(1).await.public_key);
    let claims = verify(token, key, &format!("http://{}", service.address));
    let expiry = claims["exp"].as_i64().unwrap() - inbox.harness.clock.now().timestamp();
    assert_eq!(expiry, 12 * 60 * 60);
    let subscription = inbox.push_settings(1).await.subscriptions.remove(0);
    assert_eq!(subscription.last_success_at.unwrap().seconds, inbox.harness.clock.now().timestamp());
    assert!(service.arrived().is_empty());
}

/// Returns the claims of a token that the key signed for an audience.
fn verify(token: &str, key: &str, audience: &str) -> Value {
    let point = URL_SAFE_NO_PAD.decode(key).unwrap();
    let [x, y] = [&point[1..33], &point[33..]].map(|part| URL_SAFE_NO_PAD.encode(part));
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&[audience]);
    // The clock of the test is fixed.
    validation.validate_exp = false;
    let key = DecodingKey::from_ec_components(&x, &y).unwrap();
    jsonwebtoken::decode::<Value>(token, &key, &validation).unwrap().claims
}

#[tokio::test]
async fn messages_that_wait_are_one_push_and_later_ones_another() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    for text in ["One", "Two"] {
        inbox.send(2, &id, text).await.unwrap();
    }
    let third = inbox.send(2, &id, "Three").await.unwrap();
    inbox.wait_until_pushed().await;
    assert_eq!(browser.decrypt(&service.next().await)["messageId"], third.id);
    let fourth = inbox.send(2, &id, "Four").await.unwrap();
    inbox.wait_until_pushed().await;
    assert_eq!(browser.decrypt(&service.next().await)["messageId"], fourth.id);
    assert!(service.arrived().is_empty());
}

#[tokio::test]
async fn a_push_is_repeated_when_the_push_service_asks_for_it() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    service.answer(1, [(429, Some(7_200)), (503, None), (500, None), (201, None)]);
    let id = inbox.connect_pair(2, 1).await;
    inbox.send(2, &id, "One").await.unwrap();

    inbox.advance_clock(4);
    service.next().await;
    inbox.wait_until_postponed(7_200).await;
    // A later message does not shorten it.
    let second = inbox.send(2, &id, "Two").await.unwrap();
    inbox.wait_until_postponed(7_200).await;

    inbox.advance_clock(7_200);
    assert_eq!(browser.decrypt(&service.next().await)["messageId"], second.id);
    // Without Retry-After the delays double.
    for seconds in [60, 120] {
        inbox.wait_until_postponed(seconds).await;
        inbox.advance_clock(seconds);
        service.next().await;
    }
    inbox.wait_for_deliveries("true", 0).await;
    assert_eq!(inbox.count_rows("push_subscriptions").await, 1);
}

#[tokio::test]
async fn a_push_is_given_up_after_a_day_and_when_it_is_rejected() {
    let (inbox, mut service) = start().await;
    inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    service.answer(1, [(503, None)]);
    inbox.send(2, &id, "One").await.unwrap();
    inbox.advance_clock(4);
    service.next().await;
    inbox.wait_until_postponed(30).await;
    inbox.advance_clock(24 * 60 * 60);
    inbox.wait_for_deliveries("true", 0).await;
    // A redirect is not followed.
    for status in [301, 307, 403, 413] {
        service.answer(1, [(status, None)]);
        inbox.send(2, &id, "Again").await.unwrap();
        inbox.wait_until_pushed().await;
        service.next().await;
    }
    assert!(service.arrived().is_empty());
    assert_eq!(inbox.count_rows("push_subscriptions").await, 1);
}

#[tokio::test]
async fn a_subscription_that_the_push_service_does_not_know_is_deleted() {
    let (inbox, mut service) = start().await;
    for (n, status) in [(1, 404), (2, 410), (3, 201)] {
        inbox.subscribe(1, &service.browser(n), &ALL_TOPICS).await.unwrap();
        service.answer(n, [(status, None)]);
    }
    let id = inbox.connect_pair(2, 1).await;
    inbox.send(2, &id, "One").await.unwrap();
    inbox.wait_until_pushed().await;
    for _ in 0..3 {
        service.next().await;
    }
    let left = inbox.push_settings(1).await.subscriptions;
    assert_eq!(left.len(), 1);
    assert!(left[0].last_success_at.is_some());
}

#[tokio::test]
async fn several_workers_send_each_push_once() {
    let (inbox, mut service) = start().await;
    let second = messaging::start(Arc::clone(&inbox.harness.context)).await.unwrap();
    for n in 1..=40 {
        inbox.subscribe(u128::from(n), &service.browser(n), &ALL_TOPICS).await.unwrap();
    }
    for n in 1..=40 {
        let id = inbox.connect_pair(90, n).await;
        inbox.send(90, &id, "Words").await.unwrap();
    }
    inbox.wait_until_pushed().await;
    let arrived = service.arrived();
    let browsers: BTreeSet<&str> = arrived.iter().map(|push| push.path.as_str()).collect();
    assert_eq!((arrived.len(), browsers.len()), (40, 40));
    drop(second);
    inbox.harness.stop().await;
}
