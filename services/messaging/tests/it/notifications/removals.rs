//! Deleted comments, reposts and posts withdraw their notifications.

use super::{
    comment_removed, community_changed, community_joined, post_commented, post_created, post_deleted, post_reacted,
    post_reposted, repost_removed, switches,
};
use crate::fixtures::Fixture;

#[tokio::test]
async fn an_actor_with_several_causes_stays_when_one_is_withdrawn() {
    let inbox = Fixture::new().await;
    for (who, comment) in [(2, 20), (3, 30), (2, 21), (4, 40), (5, 50)] {
        inbox.publish_feed(&post_commented(who, 1, 1, comment)).await;
    }
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 5 4 2 (4) !"]);
    for (who, comment, expected) in [
        // Not the newest of this member.
        (2, 20, "PostCommented by 5 4 2 (4) !"),
        (2, 20, "PostCommented by 5 4 2 (4) !"),
        (5, 50, "PostCommented by 4 2 3 (3) !"),
        (2, 21, "PostCommented by 4 3 (2) !"),
        (3, 30, "PostCommented by 4 (1) !"),
    ] {
        inbox.publish_feed(&comment_removed(who, 1, 1, comment)).await;
        assert_eq!(inbox.describe_notifications(1).await, [expected]);
        inbox.assert_notification_invariants().await;
    }
    inbox.publish_feed(&comment_removed(4, 1, 1, 40)).await;
    assert_eq!(inbox.describe_notifications(1).await, Vec::<String>::new());
    assert_eq!(inbox.count_rows("notification_causes").await, 0);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn after_the_newest_comment_is_deleted_the_actor_has_the_place_of_the_previous_one() {
    let inbox = Fixture::new().await;
    for (who, comment) in [(2, 20), (3, 30)] {
        inbox.publish_feed(&post_commented(who, 1, 1, comment)).await;
    }
    inbox.mark_all_read(1).await;
    let before = inbox.list_notifications(1).await;
    inbox.advance_clock(60);
    inbox.publish_feed(&post_commented(2, 1, 1, 21)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 2 3 (2) !"]);
    inbox.publish_feed(&comment_removed(2, 1, 1, 21)).await;
    assert_eq!(
        (inbox.describe_notifications(1).await, inbox.list_notifications(1).await),
        (vec!["PostCommented by 3 2 (2)".to_owned()], before)
    );
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn each_repost_is_added_and_withdrawn_separately() {
    let inbox = Fixture::new().await;
    for (who, repost) in [(2, 20), (2, 21), (3, 30), (1, 10)] {
        inbox.publish_feed(&post_reposted(who, 1, 1, repost)).await;
        inbox.publish_feed(&post_reposted(who, 1, 1, repost)).await;
    }
    assert_eq!(inbox.describe_notifications(1).await, ["PostReposted by 3 2 (2) !"], "not for an own post");
    inbox.publish_feed(&repost_removed(2, 1, 1, 21)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostReposted by 3 2 (2) !"]);
    inbox.publish_feed(&repost_removed(2, 1, 1, 20)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostReposted by 3 (1) !"]);
    inbox.set_switches(1, &[(switches::REPOST, false)]).await.unwrap();
    inbox.publish_feed(&post_reposted(4, 1, 1, 40)).await;
    inbox.publish_feed(&repost_removed(3, 1, 1, 30)).await;
    assert_eq!((inbox.describe_notifications(1).await.len(), inbox.count_rows("notification_causes").await), (0, 0));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_deleted_post_deletes_its_notifications() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(9, "Moot")).await;
    for who in 1..=3 {
        inbox.publish_graph(&community_joined(who, 9, false)).await;
    }
    inbox.set_switches(3, &[(switches::POSTED, true)]).await.unwrap();
    for post in [1, 2] {
        inbox.publish_feed(&post_created(1, post, Some(9))).await;
        inbox.publish_feed(&post_reacted(2, post, 1)).await;
    }
    inbox.publish_feed(&post_commented(2, 1, 1, 20)).await;
    inbox.publish_feed(&post_reposted(2, 1, 1, 30)).await;
    assert_eq!(
        (inbox.describe_notifications(1).await.len(), inbox.describe_notifications(3).await),
        (4, vec!["CommunityPosted by 1 (1) !".to_owned()])
    );
    for _ in 0..2 {
        inbox.publish_feed(&post_deleted(1, 1, Some(9))).await;
        assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 2 (1) !"]);
        assert_eq!(inbox.describe_notifications(3).await, ["CommunityPosted by 1 (1) !"], "another post remains");
    }
    inbox.publish_feed(&post_deleted(2, 1, Some(9))).await;
    assert_eq!((inbox.count_rows("notifications").await, inbox.count_rows("notification_causes").await), (0, 0));
    inbox.assert_notification_invariants().await;
}
