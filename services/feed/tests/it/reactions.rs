//! Reactions: one per member and post, counted correctly under concurrency.

use std::sync::Arc;

use portia_proto::feed::{ListReactionsRequest, ReactionKind, RemoveReactionRequest, SetReactionRequest};
use primitives::error::ErrorKind;
use tokio::task::JoinSet;

use crate::fixtures::{Fixture, UNKNOWN_ID, community, member};

#[tokio::test]
async fn a_repeated_reaction_changes_nothing() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Like me").await;
    for _ in 0..3 {
        assert_eq!(fixture.like(member(2), &post.id).await, 1);
    }
    for _ in 0..3 {
        assert_eq!(fixture.unlike(member(2), &post.id).await, 0);
    }
    assert_eq!(fixture.like(member(2), &post.id).await, 1, "and it can be set again");
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_reaction_of_another_kind_replaces_the_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Well done me").await;
    for kind in [
        ReactionKind::Like,
        ReactionKind::Celebrate,
        ReactionKind::Support,
        ReactionKind::Insightful,
        ReactionKind::Thanks,
    ] {
        assert_eq!(fixture.set_reaction_of(member(2), &post.id, kind).await, 1);
        let seen = fixture.get_post_as(&fixture.as_member(member(2)), &post.id).await;
        assert_eq!(seen.reactions.iter().map(|reaction| reaction.kind()).collect::<Vec<_>>(), [kind]);
    }
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_reaction_to_an_unknown_post_is_not_found() {
    let fixture = Fixture::new().await;
    let me = fixture.as_member(member(1));
    let post_id = UNKNOWN_ID.to_owned();
    let set = SetReactionRequest { post_id: post_id.clone(), kind: ReactionKind::Like.into() };
    let refusals = [
        fixture.set_reaction(&me, set).await.unwrap_err(),
        fixture.remove_reaction(&me, RemoveReactionRequest { post_id: post_id.clone() }).await.unwrap_err(),
        fixture.list_reactions(&me, ListReactionsRequest { post_id, ..Default::default() }).await.unwrap_err(),
    ];
    for refused in refusals {
        assert_eq!((refused.kind, refused.message.as_str()), (ErrorKind::NotFound, "Post not found"));
    }
}

#[tokio::test]
async fn a_refused_reaction_leaves_nothing() {
    let fixture = Fixture::new().await;
    let society = community(1);
    fixture.join_community(society, &[member(1)]).await;
    let post = fixture.create_post_in(member(1), society, "Ours").await;
    let before = fixture.count("select count(*) from feed.outbox").await;
    let set = SetReactionRequest { post_id: post.id.clone(), kind: ReactionKind::Like.into() };
    let refused = fixture.set_reaction(&fixture.as_member(member(2)), set).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::NotFound);
    let remove = RemoveReactionRequest { post_id: post.id.clone() };
    fixture.remove_reaction(&fixture.as_member(member(2)), remove).await.unwrap_err();
    assert_eq!(fixture.count("select count(*) from feed.reactions").await, 0);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, before);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn an_unknown_kind_of_reaction_is_refused() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Meh").await;
    for kind in [0, 6, -1, i32::MAX] {
        let request = SetReactionRequest { post_id: post.id.clone(), kind };
        let refused = fixture.set_reaction(&fixture.as_member(member(2)), request).await.unwrap_err();
        assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "type"));
    }
    assert_eq!(fixture.count("select count(*) from feed.reactions").await, 0);
}

#[tokio::test]
async fn reactions_are_paged_newest_first() {
    let fixture = Fixture::new().await;
    let post = fixture.create_post_of(member(1), "Count").await;
    let empty = ListReactionsRequest { post_id: post.id.clone(), ..Default::default() };
    let answer = fixture.list_reactions(&fixture.as_visitor(), empty).await.unwrap();
    assert!(answer.reactions.is_empty() && answer.next_page_token.is_empty());
    for n in 0..25 {
        fixture.like(member(n), &post.id).await;
        // Some share a time.
        fixture.advance_clock(i64::from(n % 3 == 0));
    }
    let (mut met, mut token) = (Vec::new(), String::new());
    loop {
        let request = ListReactionsRequest { post_id: post.id.clone(), page_size: 4, page_token: token };
        let page = fixture.list_reactions(&fixture.as_visitor(), request).await.unwrap();
        met.extend(page.reactions.into_iter().map(|reaction| reaction.member_id));
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
    }
    let newest_first: Vec<String> = (0..25).rev().map(|n| member(n).to_string()).collect();
    assert_eq!(met, newest_first);
}

/// Runs fifty tasks concurrently.
async fn run_concurrently<F: Future<Output = ()> + Send + 'static>(race: impl Fn(u128) -> F) {
    let mut racers = JoinSet::new();
    for n in 0..50 {
        racers.spawn(race(n));
    }
    racers.join_all().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_likes_of_one_member_count_once() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Impatient").await;
    run_concurrently(|_| {
        let (fixture, id) = (Arc::clone(&fixture), post.id.clone());
        async move { assert_eq!(fixture.like(member(2), &id).await, 1) }
    })
    .await;
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.like_count, 1);
    run_concurrently(|_| {
        let (fixture, id) = (Arc::clone(&fixture), post.id.clone());
        async move { assert_eq!(fixture.unlike(member(2), &id).await, 0) }
    })
    .await;
    fixture.assert_counters().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_members_count_fifty() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Beloved").await;
    run_concurrently(|n| {
        let (fixture, id) = (Arc::clone(&fixture), post.id.clone());
        async move { assert!((1..=50).contains(&fixture.like(member(100 + n), &id).await)) }
    })
    .await;
    assert_eq!(fixture.get_post_as(&fixture.as_visitor(), &post.id).await.like_count, 50);
    fixture.assert_counters().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_likes_and_unlikes_leave_correct_counts() {
    let fixture = Arc::new(Fixture::new().await);
    let post = fixture.create_post_of(member(1), "Contested").await;
    let kinds = [ReactionKind::Like, ReactionKind::Celebrate, ReactionKind::Thanks];
    run_concurrently(|n| {
        let (fixture, id) = (Arc::clone(&fixture), post.id.clone());
        // Ten members with five actions each, two of which remove the reaction, and comments in between.
        async move {
            let who = member(100 + n % 10);
            match n / 10 {
                0 | 3 => _ = fixture.unlike(who, &id).await,
                4 => _ = fixture.create_comment_of(who, &id, "Make up your minds.").await,
                turn => _ = fixture.set_reaction_of(who, &id, kinds[usize::try_from(turn).unwrap() % 3]).await,
            }
        }
    })
    .await;
    fixture.assert_counters().await;
    let seen = fixture.get_post_as(&fixture.as_visitor(), &post.id).await;
    assert_eq!(seen.comment_count, 10);
}
