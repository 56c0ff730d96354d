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

fn post_edited(author: u128, post: u128, mentioned: &[u128], unmentioned: &[u128]) -> PostEdited {
    PostEdited {
        post_id: entity_id(post).to_string(),
        author_id: member(author).to_string(),
        mentioned_ids: members(mentioned),
        unmentioned_ids: members(unmentioned),
    }
}

/// Creates the fact of an edited comment of member 4 on the post of member 1.
fn comment_edited(post: u128, comment: u128, mentioned: &[u128], unmentioned: &[u128]) -> PostCommentEdited {
    PostCommentEdited {
        post_id: entity_id(post).to_string(),
        author_id: member(1).to_string(),
        comment_id: entity_id(comment).to_string(),
        member_id: member(4).to_string(),
        mentioned_ids: members(mentioned),
        unmentioned_ids: members(unmentioned),
    }
}

#[tokio::test]
async fn an_edit_notifies_the_members_that_it_names() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&mentioning(post_created(1, 10, None), &[2])).await;
    inbox.publish_feed(&post_edited(1, 10, &[3], &[])).await;
    inbox.publish_feed(&comment_edited(10, 20, &[2], &[])).await;
    assert_eq!(inbox.describe_notifications(3).await, ["Mentioned by 1 (1) !"]);
    assert_eq!(inbox.describe_notifications(2).await, ["Mentioned by 4 (1) !", "Mentioned by 1 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_edit_withdraws_the_notifications_of_members_that_it_no_longer_mentions() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&mentioning(post_created(1, 10, None), &[2, 3, 5])).await;
    inbox.publish_feed(&mentioning(post_created(1, 11, None), &[2])).await;
    inbox.publish_feed(&comment_mentioning(post_commented(4, 10, 1, 20), &[2, 3])).await;
    let unread = async |who| (inbox.describe_notifications(who).await.len(), inbox.count_unread(who).await);
    assert_eq!(unread(2).await, (3, 3));

    // 5 was never notified of the comment, and 6 of nothing.
    inbox.publish_feed(&post_edited(1, 10, &[6], &[2, 5, 7])).await;
    assert_eq!((unread(2).await, unread(3).await, unread(5).await, unread(6).await), ((2, 2), (2, 2), (0, 0), (1, 1)));
    inbox.publish_feed(&comment_edited(10, 20, &[], &[3, 5])).await;
    assert_eq!((unread(2).await, unread(3).await), ((2, 2), (1, 1)), "an edit that keeps a mention changes nothing");
    inbox.assert_notification_invariants().await;

    // A read one as well, and again after another mention.
    inbox.mark_all_read(2).await;
    inbox.publish_feed(&comment_edited(10, 20, &[], &[2])).await;
    assert_eq!(unread(2).await, (1, 0));
    inbox.publish_feed(&comment_edited(10, 20, &[2], &[])).await;
    assert_eq!(unread(2).await, (2, 1));
    inbox.publish_feed(&comment_edited(10, 20, &[], &[2])).await;
    // A fact that is applied twice.
    inbox.publish_feed(&comment_edited(10, 20, &[], &[2])).await;
    assert_eq!(unread(2).await, (1, 0));
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
    inbox.set_switches(1, &[(NotificationKind::Mentioned, false)]).await.unwrap();
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
    inbox.set_switches(2, &[(super::switches::POSTED, true)]).await.unwrap();
    inbox.publish_feed(&mentioning(post_created(1, 10, Some(1)), &[2])).await;
    assert_eq!(inbox.describe_notifications(2).await, ["Mentioned by 1 (1) !"]);
    inbox.assert_notification_invariants().await;
}
