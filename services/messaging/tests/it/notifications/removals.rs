//! What was written and is gone again: one comment or repost of several, and a post with all that was told of it.

use super::{called, commented, deleted, joined, posted, reacted, reposted, switches, uncommented, unreposted};
use crate::inbox::Inbox;

#[tokio::test]
async fn of_several_causes_one_is_taken_back_and_who_has_others_stays() {
    let inbox = Inbox::open().await;
    for (who, comment) in [(2, 20), (3, 30), (2, 21), (4, 40), (5, 50)] {
        inbox.feed_tells(&commented(who, 1, 1, comment)).await;
    }
    assert_eq!(inbox.lines(1).await, ["PostCommented by 5 4 2 (4) !"]);
    for (who, comment, expected) in [
        // Not the newest of theirs.
        (2, 20, "PostCommented by 5 4 2 (4) !"),
        (2, 20, "PostCommented by 5 4 2 (4) !"),
        (5, 50, "PostCommented by 4 2 3 (3) !"),
        (2, 21, "PostCommented by 4 3 (2) !"),
        (3, 30, "PostCommented by 4 (1) !"),
    ] {
        inbox.feed_tells(&uncommented(who, 1, 1, comment)).await;
        assert_eq!(inbox.lines(1).await, [expected]);
        inbox.assert_bells().await;
    }
    inbox.feed_tells(&uncommented(4, 1, 1, 40)).await;
    assert_eq!(inbox.lines(1).await, Vec::<String>::new());
    assert_eq!(inbox.count("notification_causes").await, 0);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn the_newest_comment_taken_back_leaves_its_author_where_the_one_before_stood() {
    let inbox = Inbox::open().await;
    for (who, comment) in [(2, 20), (3, 30)] {
        inbox.feed_tells(&commented(who, 1, 1, comment)).await;
    }
    inbox.sees_all(1).await;
    let before = inbox.bell(1).await;
    inbox.wait(60);
    inbox.feed_tells(&commented(2, 1, 1, 21)).await;
    assert_eq!(inbox.lines(1).await, ["PostCommented by 2 3 (2) !"]);
    inbox.feed_tells(&uncommented(2, 1, 1, 21)).await;
    assert_eq!((inbox.lines(1).await, inbox.bell(1).await), (vec!["PostCommented by 3 2 (2)".to_owned()], before));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn reposts_are_told_and_taken_back_one_by_one() {
    let inbox = Inbox::open().await;
    for (who, repost) in [(2, 20), (2, 21), (3, 30), (1, 10)] {
        inbox.feed_tells(&reposted(who, 1, 1, repost)).await;
        inbox.feed_tells(&reposted(who, 1, 1, repost)).await;
    }
    assert_eq!(inbox.lines(1).await, ["PostReposted by 3 2 (2) !"], "never of one's own");
    inbox.feed_tells(&unreposted(2, 1, 1, 21)).await;
    assert_eq!(inbox.lines(1).await, ["PostReposted by 3 2 (2) !"]);
    inbox.feed_tells(&unreposted(2, 1, 1, 20)).await;
    assert_eq!(inbox.lines(1).await, ["PostReposted by 3 (1) !"]);
    inbox.turns(1, &[(switches::REPOST, false)]).await.unwrap();
    inbox.feed_tells(&reposted(4, 1, 1, 40)).await;
    inbox.feed_tells(&unreposted(3, 1, 1, 30)).await;
    assert_eq!((inbox.lines(1).await.len(), inbox.count("notification_causes").await), (0, 0));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn a_post_that_goes_takes_along_what_was_told_of_it() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(9, "Moot")).await;
    for who in 1..=3 {
        inbox.graph_tells(&joined(who, 9, false)).await;
    }
    inbox.turns(3, &[(switches::POSTED, true)]).await.unwrap();
    for post in [1, 2] {
        inbox.feed_tells(&posted(1, post, Some(9))).await;
        inbox.feed_tells(&reacted(2, post, 1)).await;
    }
    inbox.feed_tells(&commented(2, 1, 1, 20)).await;
    inbox.feed_tells(&reposted(2, 1, 1, 30)).await;
    assert_eq!((inbox.lines(1).await.len(), inbox.lines(3).await), (4, vec!["CommunityPosted by 1 (1) !".to_owned()]));
    for _ in 0..2 {
        inbox.feed_tells(&deleted(1, 1, Some(9))).await;
        assert_eq!(inbox.lines(1).await, ["PostLiked by 2 (1) !"]);
        assert_eq!(inbox.lines(3).await, ["CommunityPosted by 1 (1) !"], "there is another");
    }
    inbox.feed_tells(&deleted(2, 1, Some(9))).await;
    assert_eq!((inbox.count("notifications").await, inbox.count("notification_causes").await), (0, 0));
    inbox.assert_bells().await;
}
