//! Kind by kind: whom it concerns, what it is about, and who is not told.

use testkit::member;

use super::{
    announced, attended, called, cancelled, commented, endorsed, joined, posted, reacted, requested, reworded, thing,
};
use crate::inbox::Inbox;

/// What the newest notification is about: its subject's id and name.
async fn newest(inbox: &Inbox, who: u128) -> (String, Option<String>) {
    let newest = inbox.bell(who).await.remove(0);
    (newest.subject_id, newest.subject_name)
}

#[tokio::test]
async fn an_author_hears_of_likes_and_comments() {
    let inbox = Inbox::open().await;
    inbox.feed_tells(&reacted(2, 1, 1)).await;
    assert_eq!(newest(&inbox, 1).await, (thing(1).to_string(), None));
    inbox.feed_tells(&commented(3, 1, 1, 9)).await;
    assert_eq!(inbox.lines(1).await, ["PostCommented by 3 (1) !", "PostLiked by 2 (1) !"]);
    assert_eq!(newest(&inbox, 1).await, (thing(1).to_string(), None));
    assert_eq!((inbox.rung(1).await, inbox.rung(2).await), (2, 0));
    assert!(inbox.lines(2).await.is_empty() && inbox.lines(3).await.is_empty());
    inbox.assert_bells().await;
}

#[tokio::test]
async fn a_request_is_told_to_whoever_is_asked_until_it_is_accepted_which_is_told_to_whoever_asked() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&requested(5, 1, 2)).await;
    assert_eq!(inbox.lines(2).await, ["ConnectionRequested by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (thing(5).to_string(), None));
    for _ in 0..2 {
        inbox.connected(1, 2, thing(5)).await;
        assert_eq!(inbox.lines(2).await, Vec::<String>::new());
        assert_eq!(inbox.lines(1).await, ["ConnectionAccepted by 2 (1) !"]);
    }
    assert_eq!((inbox.rung(1).await, inbox.rung(2).await), (1, 2));
    inbox.assert_bells().await;
    inbox.assert_true().await;
}

#[tokio::test]
async fn an_endorsed_member_hears_which_skill() {
    let inbox = Inbox::open().await;
    inbox.profile_tells(&endorsed(2, 1, "Moot Court")).await;
    assert_eq!(inbox.lines(1).await, ["SkillEndorsed by 2 (1) !"]);
    assert_eq!(newest(&inbox, 1).await, (member(1).to_string(), Some("Moot Court".to_owned())));
    inbox.profile_tells(&endorsed(2, 1, "Research")).await;
    inbox.profile_tells(&endorsed(3, 1, "Moot Court")).await;
    assert_eq!(inbox.lines(1).await, ["SkillEndorsed by 3 2 (2) !", "SkillEndorsed by 2 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn owners_hear_who_joins_and_nobody_of_roles() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(1, "Moot")).await;
    inbox.graph_tells(&joined(1, 1, true)).await;
    assert_eq!(inbox.rung(1).await, 0, "founding is one's own doing");
    inbox.graph_tells(&joined(2, 1, false)).await;
    assert_eq!(newest(&inbox, 1).await, (thing(1).to_string(), Some("Moot".to_owned())));
    // The other is an owner from now on: nobody has joined.
    inbox.graph_tells(&joined(2, 1, true)).await;
    inbox.graph_tells(&joined(3, 1, false)).await;
    inbox.graph_tells(&joined(1, 1, false)).await;
    inbox.graph_tells(&joined(4, 1, false)).await;
    assert_eq!(inbox.lines(1).await, ["CommunityJoined by 3 2 (2) !"]);
    assert_eq!(inbox.lines(2).await, ["CommunityJoined by 4 3 (2) !"]);
    assert!(inbox.lines(3).await.is_empty() && inbox.lines(4).await.is_empty());
    inbox.graph_tells(&called(1, "Moot Court")).await;
    assert_eq!(newest(&inbox, 1).await.1.as_deref(), Some("Moot Court"), "it is called as it is today");
    inbox.assert_bells().await;
}

#[tokio::test]
async fn whoever_asked_for_it_hears_of_a_communitys_posts() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&called(1, "Moot")).await;
    for who in 1..=3 {
        inbox.graph_tells(&joined(who, 1, false)).await;
    }
    inbox.feed_tells(&posted(1, 10, Some(1))).await;
    assert_eq!(inbox.count("notifications").await, 0, "a post in a community is nobody's news unasked");
    for who in [1, 2, 4] {
        inbox.turns(who, &[(super::switches::POSTED, true)]).await.unwrap();
    }
    for post in [11, 12] {
        inbox.feed_tells(&posted(1, post, Some(1))).await;
    }
    inbox.feed_tells(&posted(1, 13, None)).await;
    assert_eq!(inbox.lines(2).await, ["CommunityPosted by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (thing(1).to_string(), Some("Moot".to_owned())));
    assert_eq!(inbox.rung(2).await, 2, "each post is a cause");
    assert_eq!(inbox.count("notifications").await, 1, "neither who wrote it nor who does not belong to it");
    inbox.assert_bells().await;
}

#[tokio::test]
async fn an_organiser_hears_who_comes_and_who_comes_what_changes() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&announced(1, Some(1), "Finals", 0)).await;
    for who in 1..=3 {
        inbox.graph_tells(&attended(who, 1)).await;
    }
    assert_eq!(inbox.lines(1).await, ["EventAttended by 3 2 (2) !"]);
    assert_eq!(newest(&inbox, 1).await, (thing(1).to_string(), Some("Finals".to_owned())));
    assert!(inbox.lines(2).await.is_empty());

    // Only what takes place elsewhere or at another time, and each such change once.
    for (title, revision) in [("Finals", 0), ("The finals", 0), ("Finals", 1), ("Finals", 1), ("Finals", 0)] {
        inbox.graph_tells(&announced(1, Some(1), title, revision)).await;
    }
    assert_eq!((inbox.rung(2).await, inbox.rung(3).await), (1, 1));
    assert_eq!(inbox.lines(2).await, ["EventChanged by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await, (thing(1).to_string(), Some("Finals".to_owned())));
    inbox.sees_all(2).await;
    inbox.graph_tells(&announced(1, Some(1), "Grand finals", 2)).await;
    assert_eq!(inbox.lines(2).await, ["EventChanged by 1 (1) !"]);
    assert_eq!(newest(&inbox, 2).await.1.as_deref(), Some("Grand finals"));
    assert_eq!(inbox.lines(1).await.len(), 1, "the organiser knows");
    inbox.assert_bells().await;
}

#[tokio::test]
async fn that_an_event_has_other_words_is_known_and_told_to_nobody() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&announced(1, Some(1), "Finalls", 0)).await;
    inbox.graph_tells(&attended(2, 1)).await;
    inbox.graph_tells(&reworded(1, Some(1), "Finals", 1)).await;
    assert_eq!((inbox.lines(2).await, inbox.rung(2).await), (vec![], 0));
    assert_eq!(newest(&inbox, 1).await, (thing(1).to_string(), Some("Finals".to_owned())));
    inbox.graph_tells(&announced(1, Some(1), "Finals", 2)).await;
    assert_eq!(inbox.lines(2).await, ["EventChanged by 1 (1) !"]);
    inbox.assert_bells().await;
}

#[tokio::test]
async fn called_off_it_is_told_to_who_wanted_to_come_and_nothing_else_of_it_is_left() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&announced(1, Some(1), "Finals", 0)).await;
    for who in 1..=3 {
        inbox.graph_tells(&attended(who, 1)).await;
    }
    inbox.graph_tells(&super::unattended(3, 1)).await;
    inbox.graph_tells(&announced(1, Some(1), "Grand finals", 1)).await;
    for _ in 0..2 {
        inbox.graph_tells(&cancelled(1)).await;
        assert_eq!(inbox.lines(1).await, Vec::<String>::new());
        assert_eq!(inbox.lines(2).await, ["EventCancelled by 1 (1) !"]);
    }
    assert_eq!(newest(&inbox, 2).await, (thing(1).to_string(), Some("Grand finals".to_owned())), "as it was called");
    assert!(inbox.lines(3).await.is_empty(), "who did not want to come is spared");
    assert_eq!((inbox.count("events").await, inbox.count("attendances").await), (0, 0));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn nobody_hears_of_what_they_did_themselves() {
    let inbox = Inbox::open().await;
    inbox.turns(1, &[(super::switches::POSTED, true)]).await.unwrap();
    inbox.feed_tells(&reacted(1, 1, 1)).await;
    inbox.feed_tells(&commented(1, 1, 1, 2)).await;
    inbox.graph_tells(&called(3, "Moot")).await;
    inbox.graph_tells(&joined(1, 3, true)).await;
    inbox.feed_tells(&posted(1, 4, Some(3))).await;
    inbox.graph_tells(&announced(5, Some(1), "Finals", 0)).await;
    inbox.graph_tells(&attended(1, 5)).await;
    inbox.graph_tells(&announced(5, Some(1), "Finals", 1)).await;
    inbox.graph_tells(&cancelled(5)).await;
    inbox.profile_tells(&endorsed(1, 1, "Research")).await;
    assert_eq!((inbox.count("notifications").await, inbox.rung(1).await), (0, 0));
    inbox.assert_bells().await;
}

#[tokio::test]
async fn an_event_nobody_organises_any_more_rings_for_nobody() {
    let inbox = Inbox::open().await;
    inbox.graph_tells(&announced(1, Some(1), "Finals", 0)).await;
    inbox.graph_tells(&attended(2, 1)).await;
    inbox.graph_tells(&announced(1, None, "Finals", 0)).await;
    inbox.graph_tells(&attended(3, 1)).await;
    inbox.graph_tells(&announced(1, None, "Finals", 1)).await;
    assert_eq!((inbox.rung(1).await, inbox.rung(2).await), (1, 0));
    inbox.assert_bells().await;
}
