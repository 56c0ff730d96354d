//! The allowance of comments of a new account on the posts of members who do not know it.

use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::feed::{CreateCommentRequest, Post};
use primitives::error::{ErrorKind, StatusDetails};
use uuid::{Builder, Uuid};

use crate::fixtures::{Fixture, member};

const STRANGER: u128 = 1;

/// Starts the service with the limits of production.
async fn fixture() -> Fixture {
    Fixture::with_upstreams(|builder| builder.with("rate_limit_scale", 1)).await
}

/// Returns the id of an account of this age.
fn account(fixture: &Fixture, age: TimeDelta, n: u8) -> Uuid {
    let millis = u64::try_from((fixture.harness.clock.now() - age).timestamp_millis()).unwrap();
    Builder::from_unix_timestamp_millis(millis, &[n; 10]).into_uuid()
}

async fn comment(fixture: &Fixture, who: Uuid, post: &Post) -> Result<(), StatusDetails> {
    let request = CreateCommentRequest { post_id: post.id.clone(), content: "Hello".to_owned(), ..Default::default() };
    fixture.create_comment(&fixture.as_member(who), request).await.map(drop)
}

#[tokio::test]
async fn a_new_account_writes_ten_comments_a_day_on_posts_of_strangers() {
    let fixture = fixture().await;
    let post = fixture.create_post_of(member(STRANGER), "Hello").await;
    let friend = fixture.create_post_of(member(3), "Hello").await;
    // Old without a connection, and new with one.
    let young = account(&fixture, TimeDelta::hours(47), 9);
    fixture.connect_pair(young, member(3)).await;
    for who in [member(50), young] {
        for _ in 0..10 {
            comment(&fixture, who, &post).await.unwrap();
        }
        let refused = comment(&fixture, who, &post).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "COMMENTS_OF_DAY"));
        assert_eq!(refused.retry_after.map(|after| after.as_secs()), Some(24 * 3_600 / 10));
        let own = fixture.create_post_of(who, "Mine").await;
        comment(&fixture, who, &own).await.unwrap();
    }
    comment(&fixture, young, &friend).await.unwrap();
    assert_eq!(fixture.count("select max(comment_count) from feed.posts").await, 20, "a refused one is not counted");
    fixture.harness.clock.advance(TimeDelta::minutes(144));
    comment(&fixture, member(50), &post).await.unwrap();
    assert_eq!(comment(&fixture, member(50), &post).await.unwrap_err().reason, "COMMENTS_OF_DAY");
    for _ in 0..15 {
        comment(&fixture, young, &post).await.unwrap();
    }
}

#[tokio::test]
async fn an_established_account_is_not_limited() {
    let fixture = fixture().await;
    let post = fixture.create_post_of(member(STRANGER), "Hello").await;
    let who = account(&fixture, TimeDelta::hours(48), 9);
    fixture.connect_pair(who, member(3)).await;
    for _ in 0..15 {
        comment(&fixture, who, &post).await.unwrap();
    }
}

#[tokio::test]
async fn parallel_comments_of_a_new_account_do_not_exceed_the_allowance() {
    let fixture = fixture().await;
    let posts = [
        fixture.create_post_of(member(STRANGER), "One").await,
        fixture.create_post_of(member(2), "Two").await,
        fixture.create_post_of(member(3), "Three").await,
    ];
    let written = join_all((0..20).map(|n| comment(&fixture, member(50), &posts[n % 3]))).await;
    assert_eq!(written.iter().filter(|one| one.is_ok()).count(), 10);
}
