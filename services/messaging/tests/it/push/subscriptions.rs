//! The subscriptions of a member: rules, limits, and the list.

use portia_proto::messaging::PushTopic;

use super::{
    ALL_TOPICS,
    service::{Browser, PushService},
    start,
};
use crate::fixtures::{Fixture, reason};

#[tokio::test]
async fn a_member_lists_replaces_and_deletes_own_subscriptions() {
    let (inbox, service) = start().await;
    let first = inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    inbox.advance_clock(60);
    let other = inbox.subscribe(1, &service.browser(2), &[PushTopic::Messages]).await.unwrap();
    let again = inbox.subscribe(1, &service.browser(1), &[PushTopic::Reminders, PushTopic::Messages]).await.unwrap();
    assert_eq!((&again.id, again.created_at), (&first.id, first.created_at));
    let listed = inbox.push_settings(1).await.subscriptions;
    assert_eq!(listed.iter().map(|s| &s.id).collect::<Vec<_>>(), [&first.id, &other.id]);
    assert_eq!(listed[0].topics().collect::<Vec<_>>(), [PushTopic::Messages, PushTopic::Reminders]);
    assert_eq!((listed[0].browser.as_str(), listed[0].language.as_str()), ("Firefox on Linux", "fil"));
    assert!(listed[0].is_current_session);
    assert_eq!(inbox.push_settings(2).await.subscriptions, []);

    assert_eq!(reason(inbox.unsubscribe(2, &first.id).await), "PUSH_SUBSCRIPTION_NOT_FOUND");
    assert_eq!(reason(inbox.unsubscribe(1, "nothing").await), "INVALID");
    inbox.unsubscribe(1, &first.id).await.unwrap();
    assert_eq!(reason(inbox.unsubscribe(1, &first.id).await), "PUSH_SUBSCRIPTION_NOT_FOUND");
    assert_eq!(inbox.push_settings(1).await.subscriptions.len(), 1);
}

#[tokio::test]
async fn a_member_has_ten_subscriptions_at_most_also_when_they_race() {
    let (inbox, service) = start().await;
    let browsers: Vec<Browser> = (1..=12).map(|n| service.browser(n)).collect();
    let results = futures::future::join_all(browsers.iter().map(|b| inbox.subscribe(1, b, &ALL_TOPICS))).await;
    let refused: Vec<String> = results.into_iter().filter_map(Result::err).map(|refused| refused.reason).collect();
    assert_eq!(refused, ["PUSH_SUBSCRIPTIONS_FULL", "PUSH_SUBSCRIPTIONS_FULL"]);
    assert_eq!(inbox.push_settings(1).await.subscriptions.len(), 10);
    inbox.subscribe(2, &service.browser(20), &ALL_TOPICS).await.unwrap();
}

#[tokio::test]
async fn an_endpoint_moves_to_another_member_only_with_its_keys() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(3, 1).await;
    inbox.send(3, &id, "For member 1").await.unwrap();
    let forged = Browser::at(&browser.endpoint, 9);
    assert_eq!(reason(inbox.subscribe(2, &forged, &ALL_TOPICS).await), "PUSH_ENDPOINT_TAKEN");
    // The next member of the same browser.
    inbox.subscribe(2, &browser, &ALL_TOPICS).await.unwrap();
    inbox.wait_until_pushed().await;
    assert!(service.arrived().is_empty(), "nothing of member 1 reaches member 2");
    assert_eq!(inbox.push_settings(1).await.subscriptions, []);
}

#[tokio::test]
async fn only_endpoints_of_configured_push_services_are_accepted() {
    let service = PushService::start().await;
    let inbox = Fixture::with_settings(&[("push_services", "push.example, *.notify.example")]).await;
    let loopback = service.browser(1).endpoint;
    for (endpoint, expected) in [
        ("https://push.example/a", "OK"),
        ("https://db5.notify.example/a", "OK"),
        ("https://notify.example/a", "INVALID"),
        ("http://push.example/a", "INVALID"),
        ("https://push.example:8443/a", "INVALID"),
        ("https://user:pass@push.example/a", "INVALID"),
        ("https://push.example.evil.example/a", "INVALID"),
        ("https://169.254.169.254/latest/meta-data", "INVALID"),
        ("https://localhost/", "INVALID"),
        (&loopback, "INVALID"),
        ("", "INVALID"),
        ("push.example", "INVALID"),
        (&format!("https://push.example/{}", "a".repeat(2_000)), "INVALID"),
    ] {
        let outcome = inbox.subscribe(1, &Browser::at(endpoint, 1), &ALL_TOPICS).await;
        assert_eq!(reason(outcome), expected, "{endpoint:.60}");
    }
}

#[tokio::test]
async fn invalid_subscriptions_name_the_field() {
    let (inbox, service) = start().await;
    let browser = service.browser(1);
    let valid = || portia_proto::messaging::SetPushSubscriptionRequest {
        endpoint: browser.endpoint.clone(),
        p256dh: browser.public_key(),
        auth: browser.auth().to_vec(),
        language: "en".to_owned(),
        topics: vec![1],
        browser: "Firefox".to_owned(),
    };
    let mut cases = Vec::new();
    for topics in [vec![], vec![0], vec![5], vec![1, 1], vec![1; 1_000]] {
        let mut request = valid();
        request.topics = topics;
        cases.push((request, "topics"));
    }
    for (p256dh, auth) in [(vec![], vec![0; 16]), (vec![4; 65], vec![0; 16]), (browser.public_key(), vec![0; 17])] {
        let mut request = valid();
        (request.p256dh, request.auth) = (p256dh, auth);
        cases.push((request, "p256dh"));
    }
    for language in ["", "EN", "de", "en\0"] {
        let mut request = valid();
        request.language = language.to_owned();
        cases.push((request, "language"));
    }
    for name in [String::new(), " ".to_owned(), "a\0b".to_owned(), "a".repeat(81), "a".repeat(1 << 20)] {
        let mut request = valid();
        request.browser = name;
        cases.push((request, "browser"));
    }
    for (request, field) in cases {
        let refused = inbox.messaging.clone().set_push_subscription(inbox.as_member(1, request)).await.unwrap_err();
        let refused = primitives::error::StatusDetails::from(&refused);
        assert_eq!(refused.reason, "INVALID");
        assert_eq!(refused.violations.iter().map(|v| v.field.as_str()).collect::<Vec<_>>(), [field]);
    }
    assert_eq!(inbox.count_rows("push_subscriptions").await, 0);
}
