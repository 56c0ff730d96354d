//! Withdrawn causes, blocks, and closed or erased accounts.

use portia_proto::{
    auth::AccountReopened,
    social_graph::{CommunityRemoved, MemberBlocked},
};
use testkit::member;

use super::{
    community_changed, community_joined, community_left, connection_removed, connection_requested, endorsement_removed,
    entity_id, event_attended, event_changed, event_unattended, post_commented, post_created, post_reacted,
    reaction_removed, skill_endorsed, switches,
};
use crate::fixtures::{Fixture, reason, wait_for_background_work};

#[tokio::test]
async fn a_notification_is_deleted_with_its_last_cause() {
    let inbox = Fixture::new().await;
    for liker in 2..=6 {
        inbox.publish_feed(&post_reacted(liker, 1, 1)).await;
    }
    for (actor, expected) in [
        (5, "PostLiked by 6 4 3 (4) !"),
        (5, "PostLiked by 6 4 3 (4) !"),
        (2, "PostLiked by 6 4 3 (3) !"),
        (6, "PostLiked by 4 3 (2) !"),
        (3, "PostLiked by 4 (1) !"),
    ] {
        inbox.publish_feed(&reaction_removed(actor, 1, 1)).await;
        assert_eq!(inbox.describe_notifications(1).await, [expected]);
        inbox.assert_notification_invariants().await;
    }
    inbox.publish_feed(&reaction_removed(4, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, Vec::<String>::new());
    assert_eq!((inbox.count_rows("notification_causes").await, inbox.count_changes(1).await), (0, 10));
    // A repeated like after its withdrawal notifies again.
    inbox.publish_feed(&post_reacted(4, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 4 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn withdrawing_a_new_cause_restores_the_read_state_and_time() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.mark_all_read(1).await;
    let before = inbox.list_notifications(1).await;
    inbox.advance_clock(60);
    inbox.publish_feed(&post_reacted(3, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 3 2 (2) !"]);
    inbox.publish_feed(&reaction_removed(3, 1, 1)).await;
    assert_eq!(
        (inbox.describe_notifications(1).await, inbox.list_notifications(1).await),
        (vec!["PostLiked by 2 (1)".to_owned()], before)
    );
    // A later cause is newer than the mark.
    inbox.publish_feed(&post_reacted(4, 1, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 4 2 (2) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn every_reversible_action_withdraws_its_notification() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(3, "Moot")).await;
    inbox.publish_graph(&community_joined(1, 3, true)).await;
    inbox.publish_graph(&event_changed(4, Some(1), "Finals", 0)).await;
    let before = inbox.count_changes(1).await;
    inbox.publish_graph(&connection_requested(1, 2, 1)).await;
    inbox.publish_graph(&connection_removed(1, 2, 1)).await;
    inbox.apply_connection(1, 2, entity_id(2)).await;
    inbox.publish_graph(&connection_removed(2, 1, 2)).await;
    inbox.publish_graph(&community_joined(2, 3, false)).await;
    inbox.publish_graph(&community_left(2, 3)).await;
    inbox.publish_graph(&event_attended(2, 4)).await;
    inbox.publish_graph(&event_unattended(2, 4)).await;
    inbox.publish_profile(&skill_endorsed(2, 1, "Research")).await;
    inbox.publish_profile(&endorsement_removed(2, 1, "Moot Court")).await;
    assert_eq!(inbox.describe_notifications(1).await, ["SkillEndorsed by 2 (1) !"]);
    inbox.publish_profile(&endorsement_removed(2, 1, "Research")).await;
    assert_eq!((inbox.count_rows("notifications").await, inbox.count_changes(1).await), (0, before + 10));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_deleted_community_deletes_its_notifications() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    for who in 1..=3 {
        inbox.publish_graph(&community_joined(who, 1, who < 3)).await;
    }
    inbox.set_switches(2, &[(switches::POSTED, true)]).await.unwrap();
    inbox.publish_feed(&post_created(3, 9, Some(1))).await;
    inbox.publish_feed(&post_reacted(2, 9, 3)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["CommunityPosted by 3 (1) !", "CommunityJoined by 3 (1) !"]);
    inbox.publish_graph(&CommunityRemoved { community_id: entity_id(1).to_string() }).await;
    assert_eq!((inbox.describe_notifications(1).await.len(), inbox.describe_notifications(2).await.len()), (0, 0));
    assert_eq!(inbox.describe_notifications(3).await, ["PostLiked by 2 (1) !"]);
    assert_eq!((inbox.count_rows("communities").await, inbox.count_rows("memberships").await), (0, 0));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_block_prevents_and_deletes_notifications_between_the_two() {
    let inbox = Fixture::new().await;
    for liker in [2, 3] {
        inbox.publish_feed(&post_reacted(liker, 1, 1)).await;
    }
    for comment in [7, 8] {
        inbox.publish_feed(&post_commented(1, 2, 2, comment)).await;
    }
    inbox.publish_profile(&skill_endorsed(1, 3, "Research")).await;
    inbox.block(1, 2).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 3 (1) !"]);
    assert_eq!(inbox.describe_notifications(2).await, Vec::<String>::new());
    assert_eq!(inbox.describe_notifications(3).await, ["SkillEndorsed by 1 (1) !"], "others are notified of both");
    inbox.assert_notification_invariants().await;

    // In both directions, for either blocker.
    inbox.publish_feed(&post_commented(2, 1, 1, 9)).await;
    inbox.publish_profile(&skill_endorsed(1, 2, "Research")).await;
    inbox.block(2, 1).await;
    inbox.unblock(1, 2).await;
    inbox.publish_feed(&post_commented(2, 1, 1, 10)).await;
    assert_eq!((inbox.describe_notifications(1).await.len(), inbox.describe_notifications(2).await.len()), (1, 0));

    // After the unblock only new causes notify.
    inbox.unblock(2, 1).await;
    assert_eq!((inbox.describe_notifications(1).await.len(), inbox.describe_notifications(2).await.len()), (1, 0));
    inbox.publish_feed(&post_commented(2, 1, 1, 11)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostCommented by 2 (1) !", "PostLiked by 3 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_action_concurrent_with_a_block_leaves_no_notification() {
    let inbox = Fixture::new().await;
    let (mut feed, mut graph) = (0, 0);
    for n in 1..=100 {
        let (author, other) = (2 * n, 2 * n + 1);
        let block = MemberBlocked { blocker_id: member(author).to_string(), blocked_id: member(other).to_string() };
        // Two consumers apply the facts concurrently.
        feed = inbox.feed.publish(n, &post_reacted(other, n, author));
        graph = inbox.social_graph.publish(n, &block);
    }
    tokio::join!(
        inbox.harness.wait_until_applied("feed", feed),
        inbox.harness.wait_until_applied("social-graph", graph)
    );
    assert_eq!((inbox.count_rows("notifications").await, inbox.count_rows("blocks").await), (0, 100));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_closed_account_is_removed_from_notifications() {
    let inbox = Fixture::new().await;
    for liker in [2, 3] {
        inbox.publish_feed(&post_reacted(liker, 1, 1)).await;
    }
    inbox.publish_feed(&post_commented(3, 2, 2, 9)).await;
    for _ in 0..2 {
        inbox.apply_closure(2).await;
        wait_for_background_work(&inbox.harness).await;
        assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 3 (1) !"]);
    }
    assert_eq!(
        inbox.describe_notifications(2).await,
        ["PostCommented by 3 (1) !"],
        "the notifications of the closed account stay"
    );
    // A late fact about an earlier action.
    inbox.publish_feed(&post_reacted(2, 5, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await.len(), 1);
    let open = AccountReopened { member_id: member(2).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(2), &open)).await;
    inbox.publish_feed(&post_reacted(2, 6, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 2 (1) !", "PostLiked by 3 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn closing_an_account_does_not_wait_for_the_withdrawal_of_notifications() {
    let inbox = Fixture::new().await;
    let conversation = inbox.connect_pair(1, 2).await;
    for liker in [2, 3] {
        inbox.publish_feed(&post_reacted(liker, 1, 1)).await;
    }
    // The withdrawal exceeds the statement timeout: the test locks the rows.
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.notification_locks for update").execute(&mut *holder).await.unwrap();
    inbox.apply_closure(2).await;
    inbox.apply_closure(4).await;
    assert_eq!(reason(inbox.send(1, &conversation, "Hello?").await), "FORMER_MEMBER");
    assert_eq!(inbox.describe_notifications(1).await[0], "PostLiked by 3 2 (2) !", "not withdrawn yet");
    holder.rollback().await.unwrap();
    wait_for_background_work(&inbox.harness).await;
    assert_eq!(inbox.describe_notifications(1).await[0], "PostLiked by 3 (1) !");
    inbox.assert_notification_invariants().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn a_reopened_account_keeps_notifications_that_were_not_yet_withdrawn() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.notification_locks for update").execute(&mut *holder).await.unwrap();
    inbox.apply_closure(2).await;
    let open = AccountReopened { member_id: member(2).to_string() };
    let opened = inbox.auth.publish(member(2), &open);
    // The withdrawal times out on the lock; the account is reopened between two attempts.
    inbox.harness.wait_until_applied("auth", opened).await;
    holder.rollback().await.unwrap();
    wait_for_background_work(&inbox.harness).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 2 (1) !"]);
    inbox.publish_feed(&post_reacted(2, 6, 1)).await;
    assert_eq!(inbox.describe_notifications(1).await.len(), 2);
    inbox.assert_notification_invariants().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn an_erased_member_is_in_no_row_of_notifications() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    for who in [5, 2] {
        inbox.publish_graph(&community_joined(who, 1, true)).await;
    }
    inbox.publish_graph(&event_changed(2, Some(5), "Finals", 0)).await;
    inbox.publish_graph(&event_changed(3, Some(2), "Semifinals", 0)).await;
    for event in [2, 3] {
        inbox.publish_graph(&event_attended(5, event)).await;
    }
    for who in [2, 3, 4, 5] {
        inbox.publish_feed(&post_reacted(who, 4, 1)).await;
    }
    inbox.publish_feed(&post_reacted(1, 5, 5)).await;
    inbox.publish_feed(&post_commented(5, 4, 1, 6)).await;
    inbox.set_switches(5, &[(switches::POSTED, true)]).await.unwrap();
    let database = inbox.harness.database();
    let everywhere = [
        "attendances",
        "events",
        "memberships",
        "notification_causes",
        "notification_locks",
        "notification_switches",
        "notifications",
        "unread_counts",
    ];
    assert_eq!(database.tables_referencing(member(5)).await, everywhere);
    let before = inbox.count_changes(1).await;
    inbox.erase(5).await;
    assert_eq!(database.tables_referencing(member(5)).await, Vec::<String>::new());
    assert_eq!(inbox.describe_notifications(1).await, ["PostLiked by 4 3 2 (3) !"]);
    assert_eq!(inbox.count_changes(1).await, before + 1, "one change for all withdrawn causes");
    assert!(inbox.describe_notifications(2).await.is_empty());
    inbox.assert_notification_invariants().await;
    inbox.harness.stop().await;
}
