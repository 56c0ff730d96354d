//! Notifications of content that an owner or moderator removed from a community.

use portia_proto::{
    feed::CommunityContentRemoved,
    messaging::{Notification, NotificationKind},
};
use testkit::member;

use super::{community_changed, community_joined, community_left, entity_id};
use crate::fixtures::Fixture;

fn removal(n: u128, comment: bool, reason: &str) -> CommunityContentRemoved {
    CommunityContentRemoved {
        removal_id: entity_id(n).to_string(),
        community_id: entity_id(50).to_string(),
        post_id: entity_id(60).to_string(),
        comment_id: comment.then(|| entity_id(61).to_string()),
        author_id: member(1).to_string(),
        removed_by: member(2).to_string(),
        reason: reason.to_owned(),
    }
}

#[tokio::test]
async fn each_removal_is_one_notification_of_the_community_with_its_reason() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(50, "Moot Society")).await;
    inbox.publish_graph(&community_joined(1, 50, false)).await;
    for fact in [
        removal(1, false, "off_topic"),
        removal(1, false, "off_topic"),
        removal(2, true, "off_topic"),
        removal(3, true, ""),
    ] {
        inbox.publish_feed(&fact).await;
    }
    let listed = inbox.list_notifications(1).await;
    let reasons: Vec<_> = listed.iter().map(|shown| shown.reason.as_deref()).collect();
    assert_eq!(reasons, [None, Some("off_topic"), Some("off_topic")]);
    for Notification { subject_id, subject_name, member_ids, .. } in &listed {
        assert_eq!((subject_id, subject_name.as_deref()), (&entity_id(50).to_string(), Some("Moot Society")));
        assert!(member_ids.is_empty(), "the moderator is not named");
    }
    assert!(listed.iter().all(|shown| shown.kind() == NotificationKind::CommunityContentRemoved));
    assert_eq!((inbox.count_unread(1).await, inbox.count_unread(2).await), (3, 0));
    // A former member does not learn what the community is called later.
    inbox.publish_graph(&community_left(1, 50)).await;
    inbox.publish_graph(&community_changed(50, "Secret Society")).await;
    let names: Vec<_> = inbox.list_notifications(1).await.into_iter().map(|shown| shown.subject_name).collect();
    assert_eq!(names, vec![Some("Moot Society".to_owned()); 3]);
    inbox.publish_graph(&community_joined(1, 50, false)).await;
    let names: Vec<_> = inbox.list_notifications(1).await.into_iter().map(|shown| shown.subject_name).collect();
    assert_eq!(names, vec![Some("Secret Society".to_owned()); 3], "a member again");
    inbox.assert_notification_invariants().await;
}
