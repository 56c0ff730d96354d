//! Notifications of replies to comments and of reactions to comments.

use super::{
    comment_reacted, comment_reaction_removed, comment_replied, entity_id, post_commented, post_deleted, removed,
};
use crate::fixtures::Fixture;

#[tokio::test]
async fn the_author_of_a_comment_is_notified_of_replies_and_likes() {
    let inbox = Fixture::new().await;
    // Member 2 commented on a post of member 1.
    inbox.publish_feed(&post_commented(2, 1, 1, 20)).await;
    inbox.publish_feed(&comment_replied(3, 1, 1, (20, 2), 30)).await;
    inbox.publish_feed(&comment_reacted(4, 1, 20, 2)).await;
    assert_eq!(
        inbox.describe_notifications(2).await,
        ["CommentLiked by 4 (1) !", "CommentReplied by 3 (1) !"],
        "each about the comment"
    );
    for notification in inbox.list_notifications(2).await {
        assert_eq!(notification.subject_id, entity_id(20).to_string());
        assert_eq!(notification.post_id, Some(entity_id(1).to_string()));
    }
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 3 2 (2) !"], "a reply is a comment too");
    assert_eq!(inbox.list_notifications(1).await[0].post_id, None);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn the_author_of_post_and_comment_is_notified_once() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&comment_replied(3, 1, 1, (10, 1), 30)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["CommentReplied by 3 (1) !"]);
    // Own replies and likes.
    inbox.publish_feed(&comment_replied(1, 1, 1, (10, 1), 31)).await;
    inbox.publish_feed(&comment_reacted(1, 1, 10, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["CommentReplied by 3 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_deleted_reply_and_a_removed_like_are_withdrawn() {
    let inbox = Fixture::new().await;
    let reply = comment_replied(3, 1, 1, (20, 2), 30);
    inbox.publish_feed(&reply).await;
    inbox.publish_feed(&comment_reacted(3, 1, 20, 2)).await;
    for _ in 0..2 {
        inbox.publish_feed(&comment_reaction_removed(3, 1, 20, 2)).await;
        assert_eq!(inbox.describe_notifications(2).await, ["CommentReplied by 3 (1) !"]);
    }
    for _ in 0..2 {
        inbox.publish_feed(&removed(reply.clone())).await;
        assert_eq!(inbox.describe_notifications(2).await, Vec::<String>::new());
        assert_eq!(inbox.describe_notifications(1).await, Vec::<String>::new());
    }
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_deleted_comment_or_post_takes_its_notifications_with_it() {
    let inbox = Fixture::new().await;
    for (post, comment) in [(1, 20), (2, 21)] {
        inbox.publish_feed(&comment_replied(3, post, 1, (comment, 2), 30)).await;
        inbox.publish_feed(&comment_reacted(3, post, comment, 2)).await;
    }
    assert_eq!(inbox.describe_notifications(2).await.len(), 4);
    inbox.publish_feed(&removed(post_commented(2, 1, 1, 20))).await;
    assert_eq!(inbox.describe_notifications(2).await.len(), 2);
    inbox.publish_feed(&post_deleted(2, 1, None)).await;
    assert_eq!(inbox.describe_notifications(2).await, Vec::<String>::new());
    inbox.assert_notification_invariants().await;
}
