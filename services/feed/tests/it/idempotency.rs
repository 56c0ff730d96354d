//! Requests sent twice make one thing.

use std::{collections::HashSet, sync::Arc};

use chrono::TimeDelta;
use portia_proto::feed::{Comment, CreateCommentRequest, CreatePostRequest, Post};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::stand::{Stand, member, patiently};

async fn publish(stand: &Stand, who: Uuid, key: &str, content: &str) -> Result<Post, StatusDetails> {
    let request =
        CreatePostRequest { content: content.to_owned(), idempotency_key: Some(key.to_owned()), ..Default::default() };
    let who = stand.by(who);
    Ok(patiently(|| stand.create_post(&who, request.clone())).await?.post.unwrap())
}

async fn say(stand: &Stand, who: Uuid, key: &str, post: &str, content: &str) -> Result<Comment, StatusDetails> {
    let (post_id, content) = (post.to_owned(), content.to_owned());
    let request = CreateCommentRequest { post_id, content, idempotency_key: Some(key.to_owned()) };
    Ok(stand.create_comment(&stand.by(who), request).await?.comment.unwrap())
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_what_the_first_made() {
    let stand = Stand::new().await;
    let first = publish(&stand, member(1), "k1", "Once").await.unwrap();
    stand.like(member(2), &first.id).await;
    stand.wait(3_600);
    let again = publish(&stand, member(1), "k1", "Once").await.unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(again.like_count, 1, "the replay is read anew");

    let comment = say(&stand, member(1), "k1", &first.id, "Twice").await.unwrap();
    assert_eq!(say(&stand, member(1), "k1", &first.id, "Twice").await.unwrap(), comment);
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
    assert_eq!(stand.count("select count(*) from feed.comments").await, 1);
    assert_eq!(
        stand.count("select count(*) from feed.outbox where kind like '%Created' or kind like '%Commented'").await,
        2
    );
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn a_key_with_other_words_is_a_mistake() {
    let stand = Stand::new().await;
    let post = publish(&stand, member(1), "k", "One thing").await.unwrap();
    let refused = publish(&stand, member(1), "k", "Another thing").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));

    let other = stand.post(member(1), "Elsewhere").await;
    say(&stand, member(2), "c", &post.id, "Same words").await.unwrap();
    let refused = say(&stand, member(2), "c", &other.id, "Same words").await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::KeyReused, "the same words under another post are another request");
    assert_eq!(stand.count("select count(*) from feed.comments").await, 1);
}

#[tokio::test]
async fn keys_are_a_members_own_and_a_routes_own() {
    let stand = Stand::new().await;
    let mine = publish(&stand, member(1), "k", "Hello").await.unwrap();
    let theirs = publish(&stand, member(2), "k", "Hello").await.unwrap();
    assert_ne!(mine.id, theirs.id);
    say(&stand, member(1), "k", &mine.id, "Hello").await.unwrap();
}

#[tokio::test]
async fn a_key_is_forgotten_after_a_day() {
    let stand = Stand::new().await;
    let first = publish(&stand, member(1), "k", "Monday").await.unwrap();
    stand.wait(86_399);
    assert_eq!(publish(&stand, member(1), "k", "Monday").await.unwrap().id, first.id);
    stand.wait(1);
    let second = publish(&stand, member(1), "k", "Tuesday").await.unwrap();
    assert_ne!(second.id, first.id);

    stand.harness.clock.advance(TimeDelta::days(2));
    feed::idempotency::sweep_once(stand.pool(), &stand.harness.clock).await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.idempotency_keys").await, 0);
}

#[tokio::test]
async fn a_refused_request_leaves_its_key_free() {
    let stand = Stand::new().await;
    let nowhere = crate::stand::NOWHERE;
    say(&stand, member(1), "k", nowhere, "Hello?").await.unwrap_err();
    assert_eq!(stand.count("select count(*) from feed.idempotency_keys").await, 0);
    let post = stand.post(member(2), "Here").await;
    say(&stand, member(1), "k", &post.id, "Hello!").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_request_fifty_times_at_once_makes_one_post() {
    let stand = Arc::new(Stand::new().await);
    let mut racers = JoinSet::new();
    for _ in 0..50 {
        let stand = Arc::clone(&stand);
        racers.spawn(async move { publish(&stand, member(1), "k", "Clicked a lot").await.unwrap().id });
    }
    let ids: HashSet<String> = racers.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(stand.count("select count(*) from feed.posts").await, 1);
    assert_eq!(stand.count("select count(*) from feed.outbox").await, 1);
}
