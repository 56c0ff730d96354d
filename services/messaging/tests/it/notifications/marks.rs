//! What a member has seen: one, or up to a moment; what comes meanwhile is never seen unseen.

use portia_proto::messaging::{MarkNotificationsReadRequest, mark_notifications_read_request::Which};
use primitives::error::ErrorKind;
use prost_types::Timestamp;

use super::{commented, reacted, thing};
use crate::inbox::{Inbox, told};

#[tokio::test]
async fn one_is_seen_and_the_others_are_not() {
    let inbox = Inbox::open().await;
    for post in [1, 2] {
        inbox.feed_tells(&reacted(2, post, 1)).await;
    }
    let older = inbox.bell(1).await.remove(1).id;
    for _ in 0..2 {
        inbox.sees(1, Which::NotificationId(older.clone())).await.unwrap();
        assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !", "PostLiked by 2 (1)"]);
    }
    assert_eq!(inbox.rung(1).await, 3, "that it is seen already is nobody's news");
    inbox.feed_tells(&reacted(3, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 3 2 (2) !", "PostLiked by 2 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn everything_up_to_a_moment_is_seen() {
    let inbox = Inbox::open().await;
    for post in 1..=3 {
        inbox.feed_tells(&reacted(2, post, 1)).await;
        inbox.feed_tells(&reacted(2, post + 10, 4)).await;
    }
    let middle = inbox.bell(1).await[1].active_at.unwrap();
    for _ in 0..2 {
        inbox.sees(1, Which::UpTo(middle)).await.unwrap();
        assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !", "PostLiked by 2 (1)", "PostLiked by 2 (1)"]);
    }
    assert_eq!((inbox.rung(1).await, inbox.rings(4).await), (4, 3));
    inbox.sees(1, Which::UpTo(Timestamp { seconds: 0, nanos: 0 })).await.unwrap();
    inbox.sees_all(1).await;
    assert_eq!(inbox.rings(1).await, 0);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn another_members_is_not_there() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    let id = inbox.bell(1).await.remove(0).id;
    for (who, id) in [(2, id), (1, thing(1).to_string())] {
        let refused = inbox.sees(who, Which::NotificationId(id)).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "NOTIFICATION_NOT_FOUND"));
    }
    assert_eq!(inbox.rings(1).await, 1);
}

#[tokio::test]
async fn what_is_no_id_or_moment_is_refused() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    let megabyte = "a".repeat(1 << 20);
    let mut wrong = vec![(None, "notificationId")];
    for bad in ["", "1", "\0", "x\0", "' or true --", "\u{202e}", megabyte.as_str()] {
        wrong.push((Some(Which::NotificationId(bad.to_owned())), "notificationId"));
    }
    for (seconds, nanos) in [(-1, 0), (i64::MIN, 0), (i64::MAX, 0), (253_402_300_800, 0), (1, -1), (1, i32::MAX)] {
        wrong.push((Some(Which::UpTo(Timestamp { seconds, nanos })), "upTo"));
    }
    for (which, field) in wrong {
        let request = inbox.by(1, MarkNotificationsReadRequest { which });
        let refused = told(inbox.messaging.clone().mark_notifications_read(request).await).unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, field));
    }
    let request = inbox.harness.actors.service("gateway").request(MarkNotificationsReadRequest::default()).unwrap();
    let refused = told(inbox.messaging.clone().mark_notifications_read(request).await).unwrap_err();
    assert_eq!((refused.kind, inbox.rings(1).await), (ErrorKind::Unauthenticated, 1));
}

/// Two tabs look and mark while others like and comment: whatever nobody saw waits.
#[tokio::test]
async fn what_comes_while_the_bell_is_looked_at_still_waits() {
    const COMMENTS: u128 = 300;
    let inbox = Inbox::open().await;
    let mut seq = 0;
    for n in 1..=COMMENTS {
        seq = inbox.feed.tell(n, &commented(2 + n % 5, n % 3, 1, 100 + n));
    }
    let heard = inbox.harness.heard("feed", seq);
    let look = async || {
        let mut looks = 0;
        let mut shown = Vec::new();
        while shown.iter().map(|(_, count)| count).sum::<i32>() < 15 {
            let bell = inbox.bell(1).await;
            shown = bell.iter().map(|told| (told.subject_id.clone(), told.member_count)).collect();
            let Some(newest) = bell.first() else { continue };
            // One tab marks what it shows by its moment, the other one by one.
            inbox.sees(1, Which::UpTo(newest.active_at.unwrap())).await.unwrap();
            inbox.sees(1, Which::NotificationId(newest.id.clone())).await.unwrap();
            looks += 1;
        }
        looks
    };
    let (looks, other, ()) = tokio::join!(look(), look(), heard);
    assert!(looks + other > 2, "or this was no race");
    inbox.assert_bells().await;
    inbox.sees_all(1).await;
    assert_eq!(inbox.rings(1).await, 0);
    // Marks up to a moment alone: the last look and what stands now differ by exactly what waits.
    let mut seq = 0;
    for n in 1..=COMMENTS {
        seq = inbox.feed.tell(n, &commented(2 + n % 5, n % 3, 1, 1_000 + n));
    }
    let heard = inbox.harness.heard("feed", seq);
    let look = async {
        let mut last = Vec::new();
        for _ in 0..20 {
            last = inbox.bell(1).await;
            inbox.sees(1, Which::UpTo(last[0].active_at.unwrap())).await.unwrap();
        }
        last
    };
    let (last, ()) = tokio::join!(look, heard);
    for told in inbox.bell(1).await {
        let seen = last.iter().find(|seen| seen.id == told.id).unwrap();
        assert_eq!(told.is_read, told.active_at == seen.active_at);
    }
    inbox.assert_bells().await;
}
