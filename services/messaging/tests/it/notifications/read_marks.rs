//! Read marks: of one notification, or up to a time. Notifications that arrive meanwhile stay unread.

use portia_proto::messaging::{MarkNotificationsReadRequest, mark_notifications_read_request::Selection};
use primitives::error::ErrorKind;
use prost_types::Timestamp;

use super::{entity_id, post_commented, post_reacted};
use crate::fixtures::{Fixture, into_result};

#[tokio::test]
async fn one_notification_can_be_marked_as_read() {
    let inbox = Fixture::new().await;
    for post in [1, 2] {
        inbox.publish_feed(&post_reacted(2, post, 1)).await;
    }
    let older = inbox.list_notifications(1).await.remove(1).id;
    for _ in 0..2 {
        inbox.mark_notifications(1, Selection::NotificationId(older.clone())).await.unwrap();
        assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 2 (1) !", "PostLiked by 2 (1)"]);
    }
    assert_eq!(inbox.count_changes(1).await, 3, "a repeated mark publishes nothing");
    inbox.publish_feed(&post_reacted(3, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 3 2 (2) !", "PostLiked by 2 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn all_notifications_up_to_a_time_can_be_marked_as_read() {
    let inbox = Fixture::new().await;
    for post in 1..=3 {
        inbox.publish_feed(&post_reacted(2, post, 1)).await;
        inbox.publish_feed(&post_reacted(2, post + 10, 4)).await;
    }
    let middle = inbox.list_notifications(1).await[1].active_at.unwrap();
    for _ in 0..2 {
        inbox.mark_notifications(1, Selection::UpTo(middle)).await.unwrap();
        assert_eq!(
            inbox.describe_notifications(1).await,
            ["PostLiked by 2 (1) !", "PostLiked by 2 (1)", "PostLiked by 2 (1)"]
        );
    }
    assert_eq!((inbox.count_changes(1).await, inbox.count_unread(4).await), (4, 3));
    inbox.mark_notifications(1, Selection::UpTo(Timestamp { seconds: 0, nanos: 0 })).await.unwrap();
    inbox.mark_all_read(1).await;
    assert_eq!(inbox.count_unread(1).await, 0);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_notification_of_another_member_is_not_found() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    let id = inbox.list_notifications(1).await.remove(0).id;
    for (who, id) in [(2, id), (1, entity_id(1).to_string())] {
        let refused = inbox.mark_notifications(who, Selection::NotificationId(id)).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "NOTIFICATION_NOT_FOUND"));
    }
    assert_eq!(inbox.count_unread(1).await, 1);
}

#[tokio::test]
async fn an_invalid_id_or_time_is_refused() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    let megabyte = "a".repeat(1 << 20);
    let mut wrong = vec![(None, "notificationId")];
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", megabyte.as_str()] {
        wrong.push((Some(Selection::NotificationId(bad.to_owned())), "notificationId"));
    }
    for (seconds, nanos) in [(-1, 0), (i64::MIN, 0), (i64::MAX, 0), (253_402_300_800, 0), (1, -1), (1, i32::MAX)] {
        wrong.push((Some(Selection::UpTo(Timestamp { seconds, nanos })), "upTo"));
    }
    for (selection, field) in wrong {
        let request = inbox.as_member(1, MarkNotificationsReadRequest { selection });
        let refused = into_result(inbox.messaging.clone().mark_notifications_read(request).await).unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let request = inbox.harness.actors.service("gateway").request(MarkNotificationsReadRequest::default()).unwrap();
    let refused = into_result(inbox.messaging.clone().mark_notifications_read(request).await).unwrap_err();
    assert_eq!((refused.kind, inbox.count_unread(1).await), (ErrorKind::Unauthenticated, 1));
}

/// Two tabs list and mark while others like and comment: notifications that no list contained stay unread.
#[tokio::test]
async fn notifications_that_arrive_during_a_read_stay_unread() {
    const COMMENTS: u128 = 300;
    // More than the facts of one transaction.
    const MEMBERS: u128 = 50;
    let inbox = Fixture::new().await;
    let mut seq = 0;
    for n in 1..=COMMENTS {
        seq = inbox.feed.publish(n, &post_commented(2 + n % MEMBERS, n % 3, 1, 100 + n));
    }
    let applied = inbox.harness.wait_until_applied("feed", seq);
    let read_and_mark = async || {
        let mut rounds = 0;
        let mut shown = Vec::new();
        while shown.iter().map(|(_, count)| count).sum::<i32>() < 150 {
            let listed = inbox.list_notifications(1).await;
            shown = listed
                .iter()
                .map(|notification| (notification.subject_id.clone(), notification.member_count))
                .collect();
            let Some(newest) = listed.first() else { continue };
            // One tab marks its list by time, the other one by one.
            inbox.mark_notifications(1, Selection::UpTo(newest.active_at.unwrap())).await.unwrap();
            inbox.mark_notifications(1, Selection::NotificationId(newest.id.clone())).await.unwrap();
            rounds += 1;
        }
        rounds
    };
    let (rounds, other, ()) = tokio::join!(read_and_mark(), read_and_mark(), applied);
    assert!(rounds + other > 2, "both outcomes occur in a race");
    inbox.assert_notification_invariants().await;
    inbox.mark_all_read(1).await;
    assert_eq!(inbox.count_unread(1).await, 0);
    // With marks up to a time only, the last list and the current one differ by exactly the unread rows.
    let mut seq = 0;
    for n in 1..=COMMENTS {
        seq = inbox.feed.publish(n, &post_commented(2 + n % 5, n % 3, 1, 1_000 + n));
    }
    let applied = inbox.harness.wait_until_applied("feed", seq);
    let read_and_mark = async {
        let mut last = Vec::new();
        for _ in 0..20 {
            last = inbox.list_notifications(1).await;
            inbox.mark_notifications(1, Selection::UpTo(last[0].active_at.unwrap())).await.unwrap();
        }
        last
    };
    let (last, ()) = tokio::join!(read_and_mark, applied);
    for notification in inbox.list_notifications(1).await {
        let listed = last.iter().find(|listed| listed.id == notification.id).unwrap();
        assert_eq!(notification.is_read, notification.active_at == listed.active_at);
    }
    inbox.assert_notification_invariants().await;
}
