//! Idempotency keys: repeated requests create one resource.

use std::{collections::HashSet, sync::Arc};

use chrono::TimeDelta;
use portia_proto::feed::{Comment, CreateCommentRequest, CreatePostRequest, Post};
use primitives::error::{ErrorKind, StatusDetails};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::fixtures::{Fixture, member, retry_unavailable};

async fn publish(fixture: &Fixture, who: Uuid, key: &str, content: &str) -> Result<Post, StatusDetails> {
    let request =
        CreatePostRequest { content: content.to_owned(), idempotency_key: Some(key.to_owned()), ..Default::default() };
    let who = fixture.as_member(who);
    Ok(retry_unavailable(|| fixture.create_post(&who, request.clone())).await?.post.unwrap())
}

async fn create_comment(
    fixture: &Fixture,
    who: Uuid,
    key: &str,
    post: &str,
    content: &str,
) -> Result<Comment, StatusDetails> {
    let (post_id, content) = (post.to_owned(), content.to_owned());
    let request =
        CreateCommentRequest { post_id, content, idempotency_key: Some(key.to_owned()), ..Default::default() };
    Ok(fixture.create_comment(&fixture.as_member(who), request).await?.comment.unwrap())
}

#[tokio::test]
async fn a_repeated_request_is_answered_with_the_first_resource() {
    let fixture = Fixture::new().await;
    let first = publish(&fixture, member(1), "k1", "Once").await.unwrap();
    fixture.like(member(2), &first.id).await;
    fixture.advance_clock(3_600);
    let again = publish(&fixture, member(1), "k1", "Once").await.unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(again.like_count, 1, "the repeated request reads the current state");

    let comment = create_comment(&fixture, member(1), "k1", &first.id, "Twice").await.unwrap();
    assert_eq!(create_comment(&fixture, member(1), "k1", &first.id, "Twice").await.unwrap(), comment);
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 1);
    assert_eq!(
        fixture.count("select count(*) from feed.outbox where kind like '%Created' or kind like '%Commented'").await,
        2
    );
    fixture.assert_counters().await;
}

#[tokio::test]
async fn a_key_with_another_body_is_refused() {
    let fixture = Fixture::new().await;
    let post = publish(&fixture, member(1), "k", "One thing").await.unwrap();
    let refused = publish(&fixture, member(1), "k", "Another thing").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));

    let other = fixture.create_post_of(member(1), "Elsewhere").await;
    create_comment(&fixture, member(2), "c", &post.id, "Same words").await.unwrap();
    let refused = create_comment(&fixture, member(2), "c", &other.id, "Same words").await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::KeyReused, "the same text on another post is another request");
    assert_eq!(fixture.count("select count(*) from feed.comments").await, 1);
}

#[tokio::test]
async fn keys_of_other_members_and_routes_are_independent() {
    let fixture = Fixture::new().await;
    let mine = publish(&fixture, member(1), "k", "Hello").await.unwrap();
    let theirs = publish(&fixture, member(2), "k", "Hello").await.unwrap();
    assert_ne!(mine.id, theirs.id);
    create_comment(&fixture, member(1), "k", &mine.id, "Hello").await.unwrap();
}

#[tokio::test]
async fn a_key_expires_after_a_day() {
    let fixture = Fixture::new().await;
    let first = publish(&fixture, member(1), "k", "Monday").await.unwrap();
    fixture.advance_clock(86_399);
    assert_eq!(publish(&fixture, member(1), "k", "Monday").await.unwrap().id, first.id);
    fixture.advance_clock(1);
    let second = publish(&fixture, member(1), "k", "Tuesday").await.unwrap();
    assert_ne!(second.id, first.id);

    fixture.harness.clock.advance(TimeDelta::days(2));
    idempotency::IdempotencyKeys::new("feed").purge(fixture.pool(), &fixture.harness.clock).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.idempotency_keys").await, 0);
}

#[tokio::test]
async fn a_refused_request_does_not_use_its_key() {
    let fixture = Fixture::new().await;
    let nowhere = crate::fixtures::UNKNOWN_ID;
    create_comment(&fixture, member(1), "k", nowhere, "Hello?").await.unwrap_err();
    assert_eq!(fixture.count("select count(*) from feed.idempotency_keys").await, 0);
    let post = fixture.create_post_of(member(2), "Here").await;
    create_comment(&fixture, member(1), "k", &post.id, "Hello!").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_repetitions_create_one_post() {
    let fixture = Arc::new(Fixture::new().await);
    let mut racers = JoinSet::new();
    for _ in 0..50 {
        let fixture = Arc::clone(&fixture);
        racers.spawn(async move { publish(&fixture, member(1), "k", "Clicked a lot").await.unwrap().id });
    }
    let ids: HashSet<String> = racers.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.outbox").await, 1);
}
