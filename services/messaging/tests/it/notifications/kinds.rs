//! The recipients and the subject of each kind of notification.

use portia_proto::profile::{VerificationCause, VerificationChanged};
use testkit::member;

use super::{
    community_changed, community_joined, connection_requested, entity_id, event_attended, event_changed, event_removed,
    event_text_changed, post_commented, post_created, post_reacted, skill_endorsed,
};
use crate::fixtures::Fixture;

/// Returns the subject's id and name of the newest notification.
async fn newest(inbox: &Fixture, who: u128) -> (String, Option<String>) {
    let newest = inbox.list_notifications(who).await.remove(0);
    (newest.subject_id, newest.subject_name)
}

#[tokio::test]
async fn an_author_is_notified_of_likes_and_comments() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), None));
    inbox.publish_feed(&post_commented(3, 1, 1, 9)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 3 (1) !", "PostLiked by 2 (1) !"]);
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), None));
    assert_eq!((inbox.count_changes(1).await, inbox.count_changes(2).await), (2, 0));
    assert!(inbox.describe_notifications(2).await.is_empty() && inbox.describe_notifications(3).await.is_empty());
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_request_notifies_the_recipient_and_its_acceptance_the_requester() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&connection_requested(5, 1, 2)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["ConnectionRequested by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (entity_id(5).to_string(), None));
    for _ in 0..2 {
        inbox.apply_connection(1, 2, entity_id(5)).await;
        assert_eq!(inbox.describe_notifications(2).await, Vec::<String>::new());
        assert_eq!(inbox.describe_notifications(1).await, ["ConnectionAccepted by 2 (1) !"]);
    }
    assert_eq!((inbox.count_changes(1).await, inbox.count_changes(2).await), (1, 2));
    inbox.assert_notification_invariants().await;
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_endorsement_notification_names_the_skill() {
    let inbox = Fixture::new().await;
    inbox.publish_profile(&skill_endorsed(2, 1, "Moot Court")).await;
    assert_eq!(inbox.describe_notifications(1).await, ["SkillEndorsed by 2 (1) !"]);
    assert_eq!(newest(&inbox, 1).await, (member(1).to_string(), Some("Moot Court".to_owned())));
    inbox.publish_profile(&skill_endorsed(2, 1, "Research")).await;
    inbox.publish_profile(&skill_endorsed(3, 1, "Moot Court")).await;
    assert_eq!(inbox.describe_notifications(1).await, ["SkillEndorsed by 3 2 (2) !", "SkillEndorsed by 2 (1) !"]);
    inbox.assert_notification_invariants().await;
}

/// A verification and its end have no actor, and no switch.
#[tokio::test]
async fn a_member_is_notified_of_a_verification_and_of_its_end() {
    let inbox = Fixture::new().await;
    let changed = |decision: u128, verified: bool, school: &str, cause: VerificationCause| VerificationChanged {
        decision_id: entity_id(decision).to_string(),
        member_id: member(1).to_string(),
        verified,
        school: school.to_owned(),
        cause: cause.into(),
    };
    for _ in 0..2 {
        inbox.publish_profile(&changed(1, true, "Ateneo Law", VerificationCause::Steward)).await;
    }
    assert_eq!(inbox.describe_notifications(1).await, ["Verified by  (0) !"], "a repeated fact changes nothing");
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), Some("Ateneo Law".to_owned())));
    inbox.publish_profile(&changed(2, false, "Ateneo Law", VerificationCause::NameChanged)).await;
    assert_eq!(newest(&inbox, 1).await, (entity_id(2).to_string(), Some("name_changed".to_owned())));
    inbox.publish_profile(&changed(3, true, "", VerificationCause::Operator)).await;
    assert_eq!(newest(&inbox, 1).await, (entity_id(3).to_string(), None), "by Portia");
    inbox.publish_profile(&changed(4, false, "", VerificationCause::Operator)).await;
    assert_eq!(newest(&inbox, 1).await.1.as_deref(), Some("operator"));
    assert_eq!(inbox.list_notifications(1).await.len(), 4);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn owners_are_notified_of_new_members_and_not_of_role_changes() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    inbox.publish_graph(&community_joined(1, 1, true)).await;
    assert_eq!(inbox.count_changes(1).await, 0, "a founder is not notified");
    inbox.publish_graph(&community_joined(2, 1, false)).await;
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), Some("Moot".to_owned())));
    // A role change is not a new membership.
    inbox.publish_graph(&community_joined(2, 1, true)).await;
    inbox.publish_graph(&community_joined(3, 1, false)).await;
    inbox.publish_graph(&community_joined(1, 1, false)).await;
    inbox.publish_graph(&community_joined(4, 1, false)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["CommunityJoined by 3 2 (2) !"]);
    assert_eq!(inbox.describe_notifications(2).await, ["CommunityJoined by 4 3 (2) !"]);
    assert!(inbox.describe_notifications(3).await.is_empty() && inbox.describe_notifications(4).await.is_empty());
    inbox.publish_graph(&community_changed(1, "Moot Court")).await;
    assert_eq!(newest(&inbox, 1).await.1.as_deref(), Some("Moot Court"), "the current name");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn members_with_the_switch_on_are_notified_of_community_posts() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    for who in 1..=3 {
        inbox.publish_graph(&community_joined(who, 1, false)).await;
    }
    inbox.publish_feed(&post_created(1, 10, Some(1))).await;
    assert_eq!(inbox.count_rows("notifications").await, 0, "off by default");
    for who in [1, 2, 4] {
        inbox.set_switches(who, &[(super::switches::POSTED, true)]).await.unwrap();
    }
    for post in [11, 12] {
        inbox.publish_feed(&post_created(1, post, Some(1))).await;
    }
    inbox.publish_feed(&post_created(1, 13, None)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["CommunityPosted by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (entity_id(1).to_string(), Some("Moot".to_owned())));
    assert_eq!(inbox.count_changes(2).await, 2, "each post is a cause");
    assert_eq!(inbox.count_rows("notifications").await, 1, "neither the author nor a non-member");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_organiser_is_notified_of_attendees_and_attendees_of_changes() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&event_changed(1, Some(1), "Finals", 0)).await;
    for who in 1..=3 {
        inbox.publish_graph(&event_attended(who, 1)).await;
    }
    assert_eq!(inbox.describe_notifications(1).await, ["EventAttended by 3 2 (2) !"]);
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), Some("Finals".to_owned())));
    assert!(inbox.describe_notifications(2).await.is_empty());

    // Only changes of place or time notify, each once.
    for (title, revision) in [("Finals", 0), ("The finals", 0), ("Finals", 1), ("Finals", 1), ("Finals", 0)] {
        inbox.publish_graph(&event_changed(1, Some(1), title, revision)).await;
    }
    assert_eq!((inbox.count_changes(2).await, inbox.count_changes(3).await), (1, 1));
    assert_eq!(inbox.describe_notifications(2).await, ["EventChanged by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (entity_id(1).to_string(), Some("Finals".to_owned())));
    inbox.mark_all_read(2).await;
    inbox.publish_graph(&event_changed(1, Some(1), "Grand finals", 2)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["EventChanged by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await.1.as_deref(), Some("Grand finals"));
    assert_eq!(inbox.describe_notifications(1).await.len(), 1, "the organiser is not notified");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_changed_event_text_is_stored_without_a_notification() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&event_changed(1, Some(1), "Finalls", 0)).await;
    inbox.publish_graph(&event_attended(2, 1)).await;
    inbox.publish_graph(&event_text_changed(1, Some(1), "Finals", 1)).await;
    assert_eq!((inbox.describe_notifications(2).await, inbox.count_changes(2).await), (vec![], 0));
    assert_eq!(newest(&inbox, 1).await, (entity_id(1).to_string(), Some("Finals".to_owned())));
    inbox.publish_graph(&event_changed(1, Some(1), "Finals", 2)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["EventChanged by 1 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_cancelled_event_notifies_its_attendees_and_its_other_notifications_are_deleted() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&event_changed(1, Some(1), "Finals", 0)).await;
    for who in 1..=3 {
        inbox.publish_graph(&event_attended(who, 1)).await;
    }
    inbox.publish_graph(&super::event_unattended(3, 1)).await;
    inbox.publish_graph(&event_changed(1, Some(1), "Grand finals", 1)).await;
    for _ in 0..2 {
        inbox.publish_graph(&event_removed(1)).await;
        assert_eq!(inbox.describe_notifications(1).await, Vec::<String>::new());
        assert_eq!(inbox.describe_notifications(2).await, ["EventCancelled by 1 (1) !"]);
    }
    assert_eq!(newest(&inbox, 2).await, (entity_id(1).to_string(), Some("Grand finals".to_owned())), "the last title");
    assert!(inbox.describe_notifications(3).await.is_empty(), "a former attendee is not notified");
    assert_eq!((inbox.count_rows("events").await, inbox.count_rows("attendances").await), (0, 0));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_member_is_not_notified_of_own_actions() {
    let inbox = Fixture::new().await;
    inbox.set_switches(1, &[(super::switches::POSTED, true)]).await.unwrap();
    inbox.publish_feed(&post_reacted(1, 1, 1)).await;
    inbox.publish_feed(&post_commented(1, 1, 1, 2)).await;
    inbox.publish_graph(&community_changed(3, "Moot")).await;
    inbox.publish_graph(&community_joined(1, 3, true)).await;
    inbox.publish_feed(&post_created(1, 4, Some(3))).await;
    inbox.publish_graph(&event_changed(5, Some(1), "Finals", 0)).await;
    inbox.publish_graph(&event_attended(1, 5)).await;
    inbox.publish_graph(&event_changed(5, Some(1), "Finals", 1)).await;
    inbox.publish_graph(&event_removed(5)).await;
    inbox.publish_profile(&skill_endorsed(1, 1, "Research")).await;
    assert_eq!((inbox.count_rows("notifications").await, inbox.count_changes(1).await), (0, 0));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_event_without_an_organiser_notifies_no_member() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&event_changed(1, Some(1), "Finals", 0)).await;
    inbox.publish_graph(&event_attended(2, 1)).await;
    inbox.publish_graph(&event_changed(1, None, "Finals", 0)).await;
    inbox.publish_graph(&event_attended(3, 1)).await;
    inbox.publish_graph(&event_changed(1, None, "Finals", 1)).await;
    assert_eq!((inbox.count_changes(1).await, inbox.count_changes(2).await), (1, 0));
    inbox.assert_notification_invariants().await;
}
