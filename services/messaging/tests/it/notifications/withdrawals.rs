//! What is taken back, down to the last cause; blocks, before and after; accounts that close and go.

use portia_proto::{
    auth::AccountReopened,
    social_graph::{CommunityRemoved, MemberBlocked},
};
use testkit::member;

use super::{
    announced, attended, called, commented, endorsed, joined, left, parted, posted, reacted, requested, switches,
    thing, unattended, unendorsed, unreacted,
};
use crate::inbox::{Inbox, reason, settled};

#[tokio::test]
async fn a_group_goes_with_its_last_cause() {
    let inbox = Inbox::open().await;
    for liker in 2..=6 {
        inbox.feed_tells(&reacted(liker, 1, 1)).await;
    }
    for (gone, expected) in [
        (5, "PostLiked by 6 4 3 (4) !"),
        (5, "PostLiked by 6 4 3 (4) !"),
        (2, "PostLiked by 6 4 3 (3) !"),
        (6, "PostLiked by 4 3 (2) !"),
        (3, "PostLiked by 4 (1) !"),
    ] {
        inbox.feed_tells(&unreacted(gone, 1, 1)).await;
        assert_eq!(inbox.lines(1).await, [expected]);
        inbox.assert_bells().await;
    }
    inbox.feed_tells(&unreacted(4, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, Vec::<String>::new());
    assert_eq!((inbox.count("notification_causes").await, inbox.rung(1).await), (0, 10));
    // Whoever thinks better of it once more is news again.
    inbox.feed_tells(&reacted(4, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 4 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn without_its_news_what_was_read_is_read_again_and_as_old_as_it_was() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    inbox.sees_all(1).await;
    let before = inbox.bell(1).await;
    inbox.wait(60);
    inbox.feed_tells(&reacted(3, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 3 2 (2) !"]);
    inbox.feed_tells(&unreacted(3, 1, 1)).await;
    assert_eq!((inbox.lines(1).await, inbox.bell(1).await), (vec!["PostLiked by 2 (1)".to_owned()], before));
    // What comes after is newer than the mark, although it is older than what was withdrawn.
    inbox.feed_tells(&reacted(4, 1, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 4 2 (2) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn whatever_can_be_undone_is_taken_back() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(3, "Moot")).await;
    inbox.graph_tells(&joined(1, 3, true)).await;
    inbox.graph_tells(&announced(4, Some(1), "Finals", 0)).await;
    let quiet = inbox.rung(1).await;
    inbox.graph_tells(&requested(1, 2, 1)).await;
    inbox.graph_tells(&parted(1, 2, 1)).await;
    inbox.connected(1, 2, thing(2)).await;
    inbox.graph_tells(&parted(2, 1, 2)).await;
    inbox.graph_tells(&joined(2, 3, false)).await;
    inbox.graph_tells(&left(2, 3)).await;
    inbox.graph_tells(&attended(2, 4)).await;
    inbox.graph_tells(&unattended(2, 4)).await;
    inbox.profile_tells(&endorsed(2, 1, "Research")).await;
    inbox.profile_tells(&unendorsed(2, 1, "Moot Court")).await;
    assert_eq!(inbox.lines(1).await, ["SkillEndorsed by 2 (1) !"]);
    inbox.profile_tells(&unendorsed(2, 1, "Research")).await;
    assert_eq!((inbox.count("notifications").await, inbox.rung(1).await), (0, quiet + 10));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn a_community_that_goes_takes_along_what_was_told_of_it() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(1, "Moot")).await;
    for who in 1..=3 {
        inbox.graph_tells(&joined(who, 1, who < 3)).await;
    }
    inbox.turns(2, &[(switches::POSTED, true)]).await.unwrap();
    inbox.feed_tells(&posted(3, 9, Some(1))).await;
    inbox.feed_tells(&reacted(2, 9, 3)).await;
    assert_eq!(inbox.lines(2).await, ["CommunityPosted by 3 (1) !", "CommunityJoined by 3 (1) !"]);
    inbox.graph_tells(&CommunityRemoved { community_id: thing(1).to_string() }).await;
    assert_eq!((inbox.lines(1).await.len(), inbox.lines(2).await.len()), (0, 0));
    assert_eq!(inbox.lines(3).await, ["PostLiked by 2 (1) !"]);
    assert_eq!((inbox.count("communities").await, inbox.count("memberships").await), (0, 0));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn between_two_of_whom_one_blocks_the_other_nothing_is_told_and_what_was_goes() {
    let inbox = Inbox::open().await;
    for liker in [2, 3] {
        inbox.feed_tells(&reacted(liker, 1, 1)).await;
    }
    for comment in [7, 8] {
        inbox.feed_tells(&commented(1, 2, 2, comment)).await;
    }
    inbox.profile_tells(&endorsed(1, 3, "Research")).await;
    inbox.block(1, 2).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 3 (1) !"]);
    assert_eq!(inbox.lines(2).await, Vec::<String>::new());
    assert_eq!(inbox.lines(3).await, ["SkillEndorsed by 1 (1) !"], "others hear of both");
    inbox.assert_bells().await;

    // Both ways, whoever blocks.
    inbox.feed_tells(&commented(2, 1, 1, 9)).await;
    inbox.profile_tells(&endorsed(1, 2, "Research")).await;
    inbox.block(2, 1).await;
    inbox.unblock(1, 2).await;
    inbox.feed_tells(&commented(2, 1, 1, 10)).await;
    assert_eq!((inbox.lines(1).await.len(), inbox.lines(2).await.len()), (1, 0));

    // Lifted, what is new is told; what was not is not told later.
    inbox.unblock(2, 1).await;
    assert_eq!((inbox.lines(1).await.len(), inbox.lines(2).await.len()), (1, 0));
    inbox.feed_tells(&commented(2, 1, 1, 11)).await;
    assert_eq!(inbox.lines(1).await, ["PostCommented by 2 (1) !", "PostLiked by 3 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn a_deed_and_a_block_at_once_leave_nothing() {
    let inbox = Inbox::open().await;
    let (mut feed, mut graph) = (0, 0);
    for n in 1..=100 {
        let (author, other) = (2 * n, 2 * n + 1);
        let block = MemberBlocked { blocker_id: member(author).to_string(), blocked_id: member(other).to_string() };
        // Nobody waits for either: they are heard by two consumers at once.
        feed = inbox.feed.tell(n, &reacted(other, n, author));
        graph = inbox.social_graph.tell(n, &block);
    }
    tokio::join!(inbox.harness.heard("feed", feed), inbox.harness.heard("social-graph", graph));
    assert_eq!((inbox.count("notifications").await, inbox.count("blocks").await), (0, 100));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn of_a_closed_account_nothing_is_told_any_more() {
    let inbox = Inbox::open().await;
    for liker in [2, 3] {
        inbox.feed_tells(&reacted(liker, 1, 1)).await;
    }
    inbox.feed_tells(&commented(3, 2, 2, 9)).await;
    for _ in 0..2 {
        inbox.closed(2).await;
        settled(&inbox.harness).await;
        assert_eq!(inbox.lines(1).await, ["PostLiked by 3 (1) !"]);
    }
    assert_eq!(inbox.lines(2).await, ["PostCommented by 3 (1) !"], "what they were told waits for them");
    // What they did before is heard late.
    inbox.feed_tells(&reacted(2, 5, 1)).await;
    assert_eq!(inbox.lines(1).await.len(), 1);
    let open = AccountReopened { member_id: member(2).to_string() };
    inbox.harness.heard("auth", inbox.auth.tell(member(2), &open)).await;
    inbox.feed_tells(&reacted(2, 6, 1)).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !", "PostLiked by 3 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn that_an_account_is_closed_does_not_wait_for_what_others_were_told_of_it() {
    let inbox = Inbox::open().await;
    let conversation = inbox.connect(1, 2).await;
    for liker in [2, 3] {
        inbox.feed_tells(&reacted(liker, 1, 1)).await;
    }
    // Longer than any statement may take: here because somebody holds the bell.
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.bells for update").execute(&mut *holder).await.unwrap();
    inbox.closed(2).await;
    inbox.closed(4).await;
    assert_eq!(reason(inbox.say(1, &conversation, "Hello?").await), "FORMER_MEMBER");
    assert_eq!(inbox.lines(1).await[0], "PostLiked by 3 2 (2) !", "not yet");
    holder.rollback().await.unwrap();
    settled(&inbox.harness).await;
    assert_eq!(inbox.lines(1).await[0], "PostLiked by 3 (1) !");
    inbox.assert_bells().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn what_was_not_taken_back_when_the_account_opens_again_stays() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.bells for update").execute(&mut *holder).await.unwrap();
    inbox.closed(2).await;
    let open = AccountReopened { member_id: member(2).to_string() };
    let opened = inbox.auth.tell(member(2), &open);
    // Whoever waits for the bell gives up after a while; whoever opens the account comes between two tries.
    inbox.harness.heard("auth", opened).await;
    holder.rollback().await.unwrap();
    settled(&inbox.harness).await;
    assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !"]);
    inbox.feed_tells(&reacted(2, 6, 1)).await;
    assert_eq!(inbox.lines(1).await.len(), 2);
    inbox.assert_bells().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn of_an_erased_member_nothing_is_left_on_either_side() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(1, "Moot")).await;
    for who in [5, 2] {
        inbox.graph_tells(&joined(who, 1, true)).await;
    }
    inbox.graph_tells(&announced(2, Some(5), "Finals", 0)).await;
    inbox.graph_tells(&announced(3, Some(2), "Semifinals", 0)).await;
    for event in [2, 3] {
        inbox.graph_tells(&attended(5, event)).await;
    }
    for who in [2, 3, 4, 5] {
        inbox.feed_tells(&reacted(who, 4, 1)).await;
    }
    inbox.feed_tells(&reacted(1, 5, 5)).await;
    inbox.feed_tells(&commented(5, 4, 1, 6)).await;
    inbox.turns(5, &[(switches::POSTED, true)]).await.unwrap();
    let database = inbox.harness.database();
    let everywhere = [
        "attendances",
        "bells",
        "events",
        "memberships",
        "notification_causes",
        "notification_switches",
        "notifications",
        "unread_counts",
    ];
    assert_eq!(database.tables_naming(member(5)).await, everywhere);
    let rung = inbox.rung(1).await;
    inbox.erase(5).await;
    assert_eq!(database.tables_naming(member(5)).await, Vec::<String>::new());
    assert_eq!(inbox.lines(1).await, ["PostLiked by 4 3 2 (3) !"]);
    assert_eq!(inbox.rung(1).await, rung + 1, "once, however much went");
    assert!(inbox.lines(2).await.is_empty());
    inbox.assert_bells().await;
    inbox.harness.stop().await;
}
