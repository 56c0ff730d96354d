//! A former member of a community is not notified of what its members do to their earlier posts and comments.

use portia_proto::feed::{CommentReacted, PostCommented, PostReacted};

use super::{
    comment_reacted, community_changed, community_joined, community_left, entity_id, post_commented, post_reacted,
};
use crate::fixtures::Fixture;

/// Publishes a comment, a reaction to the post, a reply and a reaction to a comment, each by member 2 and to the post
/// 60 or comment 61 of member 1.
async fn answer(inbox: &Fixture, n: u128) {
    let community_id = Some(entity_id(50).to_string());
    let author = Some(testkit::member(1).to_string());
    inbox.publish_feed(&PostCommented { community_id: community_id.clone(), ..post_commented(2, 60, 1, 70 + n) }).await;
    inbox.publish_feed(&PostReacted { community_id: community_id.clone(), ..post_reacted(2, 60 + n, 1) }).await;
    let reply = PostCommented {
        community_id: community_id.clone(),
        reply_to: Some(entity_id(61).to_string()),
        reply_to_author_id: author,
        ..post_commented(2, 62, 3, 80 + n)
    };
    inbox.publish_feed(&reply).await;
    inbox.publish_feed(&CommentReacted { community_id, ..comment_reacted(2, 60, 61 + n, 1) }).await;
}

#[tokio::test]
async fn a_former_member_is_not_notified_of_reactions_and_comments_in_the_community() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(50, "Moot Society")).await;
    for who in [1, 2, 3] {
        inbox.publish_graph(&community_joined(who, 50, false)).await;
    }
    answer(&inbox, 0).await;
    let before = inbox.describe_notifications(1).await;
    assert_eq!(before.len(), 4, "{before:?}");
    inbox.publish_graph(&community_left(1, 50)).await;
    answer(&inbox, 5).await;
    assert_eq!(inbox.describe_notifications(1).await, before);
    // The members are notified as before: member 3 wrote the post of the reply.
    assert_eq!(inbox.count_unread(3).await, 1);
    inbox.assert_notification_invariants().await;
}
