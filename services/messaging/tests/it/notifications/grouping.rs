//! Causes of one kind and subject form one notification; the list is ordered.

use chrono::TimeDelta;
use portia_proto::messaging::ListNotificationsRequest;
use primitives::error::ErrorKind;
use testkit::member;

use super::{post_commented, post_reacted};
use crate::fixtures::{Fixture, into_result};

#[tokio::test]
async fn at_most_three_actors_are_listed_latest_first_and_all_are_counted() {
    let inbox = Fixture::new().await;
    for (liker, expected) in [
        (2, "PostLiked by 2 (1) !"),
        (3, "PostLiked by 3 2 (2) !"),
        (4, "PostLiked by 4 3 2 (3) !"),
        (5, "PostLiked by 5 4 3 (4) !"),
        // A changed reaction of the same member is the same cause.
        (3, "PostLiked by 5 4 3 (4) !"),
    ] {
        inbox.publish_feed(&post_reacted(liker, 1, 1)).await;
        assert_eq!(inbox.describe_notifications(1).await, [expected]);
    }
    assert_eq!((inbox.count_unread(1).await, inbox.count_changes(1).await), (1, 4));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_repeated_commenter_is_listed_first_and_counted_once() {
    let inbox = Fixture::new().await;
    for (who, comment) in [(2, 1), (3, 2), (4, 3), (5, 4), (2, 5), (2, 6)] {
        inbox.publish_feed(&post_commented(who, 1, 1, comment)).await;
    }
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 2 5 4 (4) !"]);
    inbox.publish_feed(&post_commented(2, 1, 1, 1)).await;
    inbox.mark_all_read(1).await;
    inbox.publish_feed(&post_commented(2, 1, 1, 6)).await;
    assert_eq!(
        inbox.describe_notifications(1).await,
        ["PostCommented by 2 5 4 (4)"],
        "a repeated fact does not notify again"
    );
    inbox.publish_feed(&post_commented(3, 1, 1, 7)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 3 2 5 (4) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn each_subject_has_its_own_notification_newest_first() {
    let inbox = Fixture::new().await;
    for (liker, post) in [(2, 1), (3, 2), (4, 3), (5, 1)] {
        inbox.publish_feed(&post_reacted(liker, post, 1)).await;
    }
    let expected = ["PostLiked by 5 2 (2) !", "PostLiked by 4 (1) !", "PostLiked by 3 (1) !"];
    assert_eq!(inbox.describe_notifications(1).await, expected);
    let times: Vec<_> =
        inbox.list_notifications(1).await.iter().map(|notification| notification.active_at.unwrap()).collect();
    assert!(times.windows(2).all(|pair| (pair[0].seconds, pair[0].nanos) > (pair[1].seconds, pair[1].nanos)));
    assert_eq!(times[0].seconds, inbox.harness.clock.now().timestamp(), "times are distinct and close");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_slow_clock_does_not_make_a_notification_older() {
    let inbox = Fixture::new().await;
    inbox.advance_clock(60);
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.mark_all_read(1).await;
    // Another replica, with a clock one minute slow, applies the next fact.
    inbox.harness.clock.advance(TimeDelta::seconds(-60));
    inbox.publish_feed(&post_reacted(3, 1, 1)).await;
    inbox.publish_feed(&post_reacted(3, 2, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 3 (1) !", "PostLiked by 3 2 (2) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn pages_contain_each_notification_once_while_new_ones_arrive() {
    let inbox = Fixture::new().await;
    for post in 1..=7 {
        inbox.publish_feed(&post_reacted(2, post, 1)).await;
    }
    let mut request = ListNotificationsRequest { page_size: 3, page_token: String::new() };
    let mut seen = Vec::new();
    loop {
        let page = inbox.list_notifications_page(1, request.clone()).await.unwrap();
        seen.extend(page.notifications.into_iter().map(|notification| notification.subject_id));
        if seen.len() == 3 {
            inbox.publish_feed(&post_reacted(2, 8, 1)).await;
        }
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1].map(|post| super::entity_id(post).to_string()));
    assert!(inbox.list_notifications(2).await.is_empty(), "each member has own notifications");
}

#[tokio::test]
async fn visitors_and_invalid_pages_are_refused() {
    let inbox = Fixture::new().await;
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "bm90IGpzb24", "pageToken")] {
        let request = ListNotificationsRequest { page_size, page_token: page_token.to_owned() };
        let refused = inbox.list_notifications_page(1, request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let request = inbox.harness.actors.service("gateway").request(ListNotificationsRequest::default()).unwrap();
    let refused = into_result(inbox.messaging.clone().list_notifications(request).await).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn a_page_reads_only_its_own_rows_and_no_causes() {
    let inbox = Fixture::new().await;
    let fill = format!(
        "insert into messaging.notifications
            (id, member_id, kind, subject_id, active_at, read_at, member_ids, member_count)
        select
            ('01930000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid,
            case when n % 2 = 0 then '{me}'::uuid else gen_random_uuid() end, 'post_liked', gen_random_uuid(),
            told_at, case when n > 60 then told_at end, array['{me}', '{me}', '{me}']::uuid[], 100
        from generate_series(1, 20000) n, lateral (select '2026-01-01'::timestamptz - n * interval '1 second') t(told_at);
        insert into messaging.notification_causes (notification_id, actor_id, at)
        select id, gen_random_uuid(), active_at from messaging.notifications, generate_series(1, 3);
        insert into messaging.communities select gen_random_uuid(), 'Community' from generate_series(1, 2000);
        insert into messaging.events (id, title, revision)
        select gen_random_uuid(), 'Event', 0 from generate_series(1, 2000)",
        me = member(1),
    );
    let database = inbox.harness.database();
    database.run(fill).await;
    database.vacuum(&["notifications", "notification_causes", "communities", "events"]).await;
    let service = env!("CARGO_MANIFEST_DIR");
    for from in ["2100-01-01", "2025-12-31 22:00"] {
        let arguments =
            format!("'{}', '{from}', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21, array['post_liked']", member(1));
        database.cost(service, &["from messaging.notifications", "limit $4"], &arguments).await.at_most(160);
    }
    // Marking all as read touches the thirty unread rows only.
    let arguments = format!("'{}', '2100-01-01'", member(1));
    database.cost(service, &["set read_at = active_at", "count(*)"], &arguments).await.at_most(900);
}
