//! Reactions: one to a member, counted right however many come at once.

use std::sync::Arc;

use portia_proto::feed::{ListReactionsRequest, ReactionKind, RemoveReactionRequest, SetReactionRequest};
use primitives::error::ErrorKind;
use tokio::task::JoinSet;

use crate::stand::{NOWHERE, Stand, member};

#[tokio::test]
async fn saying_it_again_changes_nothing() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Like me").await;
    for _ in 0..3 {
        assert_eq!(stand.like(member(2), &post.id).await, 1);
    }
    for _ in 0..3 {
        assert_eq!(stand.unlike(member(2), &post.id).await, 0);
    }
    assert_eq!(stand.like(member(2), &post.id).await, 1, "and it can be said anew");
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn another_kind_takes_the_place_of_the_first() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Well done me").await;
    for kind in [
        ReactionKind::Like,
        ReactionKind::Celebrate,
        ReactionKind::Support,
        ReactionKind::Insightful,
        ReactionKind::Thanks,
    ] {
        assert_eq!(stand.react(member(2), &post.id, kind).await, 1);
        let seen = stand.seen(&stand.by(member(2)), &post.id).await;
        assert_eq!(seen.reactions.iter().map(|reaction| reaction.kind()).collect::<Vec<_>>(), [kind]);
    }
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn nothing_can_be_said_to_an_unknown_post() {
    let stand = Stand::new().await;
    let me = stand.by(member(1));
    let post_id = NOWHERE.to_owned();
    let set = SetReactionRequest { post_id: post_id.clone(), kind: ReactionKind::Like.into() };
    let refusals = [
        stand.set_reaction(&me, set).await.unwrap_err(),
        stand.remove_reaction(&me, RemoveReactionRequest { post_id: post_id.clone() }).await.unwrap_err(),
        stand.list_reactions(&me, ListReactionsRequest { post_id, ..Default::default() }).await.unwrap_err(),
    ];
    for refused in refusals {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
}

#[tokio::test]
async fn a_kind_is_one_of_five() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Meh").await;
    for kind in [0, 6, -1, i32::MAX] {
        let request = SetReactionRequest { post_id: post.id.clone(), kind };
        let refused = stand.set_reaction(&stand.by(member(2)), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "type"));
    }
    assert_eq!(stand.count("select count(*) from feed.reactions").await, 0);
}

#[tokio::test]
async fn reactions_are_paged_newest_first() {
    let stand = Stand::new().await;
    let post = stand.post(member(1), "Count").await;
    let empty = ListReactionsRequest { post_id: post.id.clone(), ..Default::default() };
    let answer = stand.list_reactions(&stand.visitor(), empty).await.unwrap();
    assert!(answer.reactions.is_empty() && answer.next_page_token.is_empty());
    for n in 0..25 {
        stand.like(member(n), &post.id).await;
        // Some share a moment.
        stand.wait(i64::from(n % 3 == 0));
    }
    let (mut met, mut token) = (Vec::new(), String::new());
    loop {
        let request = ListReactionsRequest { post_id: post.id.clone(), page_size: 4, page_token: token };
        let page = stand.list_reactions(&stand.visitor(), request).await.unwrap();
        met.extend(page.reactions.into_iter().map(|reaction| reaction.member_id));
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
    }
    let newest_first: Vec<String> = (0..25).rev().map(|n| member(n).to_string()).collect();
    assert_eq!(met, newest_first);
}

/// Fifty at once, each a task of its own.
async fn at_once<F: Future<Output = ()> + Send + 'static>(race: impl Fn(u128) -> F) {
    let mut racers = JoinSet::new();
    for n in 0..50 {
        racers.spawn(race(n));
    }
    racers.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_likes_of_one_member_count_once() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Impatient").await;
    at_once(|_| {
        let (stand, id) = (Arc::clone(&stand), post.id.clone());
        async move { assert_eq!(stand.like(member(2), &id).await, 1) }
    })
    .await;
    assert_eq!(stand.seen(&stand.visitor(), &post.id).await.like_count, 1);
    at_once(|_| {
        let (stand, id) = (Arc::clone(&stand), post.id.clone());
        async move { assert_eq!(stand.unlike(member(2), &id).await, 0) }
    })
    .await;
    stand.assert_counters_true().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_members_count_fifty() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Beloved").await;
    at_once(|n| {
        let (stand, id) = (Arc::clone(&stand), post.id.clone());
        async move { assert!((1..=50).contains(&stand.like(member(100 + n), &id).await)) }
    })
    .await;
    assert_eq!(stand.seen(&stand.visitor(), &post.id).await.like_count, 50);
    stand.assert_counters_true().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn likes_and_unlikes_that_cross_leave_the_truth() {
    let stand = Arc::new(Stand::new().await);
    let post = stand.post(member(1), "Contested").await;
    let kinds = [ReactionKind::Like, ReactionKind::Celebrate, ReactionKind::Thanks];
    at_once(|n| {
        let (stand, id) = (Arc::clone(&stand), post.id.clone());
        // Ten members, five times each, of which two fifths take back what the others say; and comments between.
        async move {
            let who = member(100 + n % 10);
            match n / 10 {
                0 | 3 => _ = stand.unlike(who, &id).await,
                4 => _ = stand.comment(who, &id, "Make up your minds.").await,
                turn => _ = stand.react(who, &id, kinds[usize::try_from(turn).unwrap() % 3]).await,
            }
        }
    })
    .await;
    stand.assert_counters_true().await;
    let seen = stand.seen(&stand.visitor(), &post.id).await;
    assert_eq!(seen.comment_count, 10);
}
