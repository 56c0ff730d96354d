//! Notifications of mentions in posts and comments.

use portia_proto::{
    feed::{PostCommentEdited, PostCommented, PostCreated, PostEdited},
    messaging::NotificationKind,
};
use testkit::member;

use super::{
    comment_removed, comment_replied, community_joined, entity_id, post_commented, post_created, post_deleted,
};
use crate::fixtures::Fixture;

fn members(members: &[u128]) -> Vec<String> {
    members.iter().map(|who| member(*who).to_string()).collect()
}

fn mentioning(fact: PostCreated, mentioned: &[u128]) -> PostCreated {
    PostCreated { mentioned_ids: members(mentioned), ..fact }
}

fn comment_mentioning(fact: PostCommented, mentioned: &[u128]) -> PostCommented {
    PostCommented { mentioned_ids: members(mentioned), ..fact }
}

#[tokio::test]
async fn a_post_notifies_the_mentioned_members_until_it_is_deleted() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&mentioning(post_created(1, 10, None), &[2, 3])).await;
    for who in [2, 3] {
        assert_eq!(inbox.describe_notifications(who).await, ["Mentioned by 1 (1) !"]);
    }
    let newest = inbox.list_notifications(2).await.remove(0);
    assert_eq!((newest.subject_id, newest.post_id), (entity_id(10).to_string(), None));
    inbox.publish_feed(&post_deleted(10, 1, None)).await;
    for who in [2, 3] {
        assert_eq!(inbox.describe_notifications(who).await, Vec::<String>::new());
    }
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_comment_notifies_with_its_post_until_it_is_deleted() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&comment_mentioning(post_commented(2, 10, 1, 20), &[3])).await;
    assert_eq!(inbox.describe_notifications(3).await, ["Mentioned by 2 (1) !"]);
    let newest = inbox.list_notifications(3).await.remove(0);
    assert_eq!((newest.subject_id, newest.post_id), (entity_id(20).to_string(), Some(entity_id(10).to_string())));
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 2 (1) !"]);
    inbox.publish_feed(&comment_removed(2, 10, 1, 20)).await;
    assert_eq!(inbox.describe_notifications(3).await, Vec::<String>::new());
    // The deletion of the post withdraws the mentions in its comments.
    inbox.publish_feed(&comment_mentioning(post_commented(2, 10, 1, 21), &[3])).await;
    inbox.publish_feed(&post_deleted(10, 1, None)).await;
    assert_eq!(inbox.describe_notifications(3).await, Vec::<String>::new());
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_edit_notifies_the_members_that_it_names() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&mentioning(post_created(1, 10, None), &[2])).await;
    let (post_id, author_id) = (entity_id(10).to_string(), member(1).to_string());
    let mentioned_ids = members(&[3]);
    inbox.publish_feed(&PostEdited { post_id: post_id.clone(), author_id: author_id.clone(), mentioned_ids }).await;
    let (comment_id, member_id, mentioned_ids) = (entity_id(20).to_string(), member(4).to_string(), members(&[2]));
    inbox.publish_feed(&PostCommentEdited { post_id, author_id, comment_id, member_id, mentioned_ids }).await;
    assert_eq!(inbox.describe_notifications(3).await, ["Mentioned by 1 (1) !"]);
    assert_eq!(inbox.describe_notifications(2).await, ["Mentioned by 4 (1) !", "Mentioned by 1 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_mentioned_author_is_notified_once() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&comment_mentioning(post_commented(2, 10, 1, 20), &[1])).await;
    assert_eq!(inbox.describe_notifications(1).await, ["Mentioned by 2 (1) !"]);
    inbox.publish_feed(&comment_mentioning(comment_replied(3, 10, 1, (20, 2), 30), &[1, 2])).await;
    assert_eq!(inbox.describe_notifications(2).await, ["Mentioned by 3 (1) !"]);
    assert_eq!(inbox.describe_notifications(1).await.len(), 2);
    // Who turned mentions off is notified as an author.
    inbox.set_preferences(1, &[(NotificationKind::Mentioned, false)]).await.unwrap();
    inbox.publish_feed(&comment_mentioning(post_commented(4, 10, 1, 21), &[1])).await;
    assert_eq!(inbox.describe_notifications(1).await[0], "PostCommented by 4 (1) !");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_mentioned_subscriber_of_a_community_is_notified_once() {
    let inbox = Fixture::new().await;
    for who in [1, 2] {
        inbox.publish_graph(&community_joined(who, 1, false)).await;
    }
    inbox.set_preferences(2, &[(super::preferences::POSTED, true)]).await.unwrap();
    inbox.publish_feed(&mentioning(post_created(1, 10, Some(1)), &[2])).await;
    assert_eq!(inbox.describe_notifications(2).await, ["Mentioned by 1 (1) !"]);
    inbox.assert_notification_invariants().await;
}
