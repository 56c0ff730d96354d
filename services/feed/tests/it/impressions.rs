//! Impressions: one per post, viewer and day, none of own posts, and none lost by a graceful shutdown.

use std::time::Duration;

use chrono::TimeDelta;
use feed::impressions::{self, CAPACITY, ImpressionBuffer};
use portia_proto::feed::{GetPostRequest, GetPostStatsRequest, ListPostsRequest, PostSort};
use rpc::Call;
use uuid::Uuid;

use crate::fixtures::{Fixture, member};

async fn list(fixture: &Fixture, who: &Call) {
    let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    fixture.list_posts(who, request).await.unwrap();
}

/// Returns the stored total of an author.
async fn stored_total(fixture: &Fixture, author: Uuid) -> i64 {
    let sql =
        format!("select coalesce(sum(impressions), 0)::bigint from feed.author_stats where member_id = '{author}'");
    fixture.count(&sql).await
}

/// Returns the (author, post) of an impression.
fn shown(post: &portia_proto::feed::Post) -> (Uuid, Uuid) {
    (post.author_id.parse().unwrap(), post.id.parse().unwrap())
}

#[tokio::test]
async fn an_impression_is_counted_once_per_post_viewer_and_day() {
    let fixture = Fixture::new().await;
    let first = fixture.create_post_of(member(1), "first").await;
    fixture.create_post_of(member(1), "second").await;
    fixture.create_post_of(member(2), "another's").await;
    for _ in 0..2 {
        // The author, two viewers (one with an own post), and visitors.
        for who in [
            fixture.as_member(member(1)),
            fixture.as_member(member(2)),
            fixture.as_member(member(3)),
            fixture.as_visitor(),
        ] {
            list(&fixture, &who).await;
            fixture.get_post(&who, GetPostRequest { post_id: first.id.clone(), ..Default::default() }).await.unwrap();
        }
    }
    fixture.advance_clock(86_400);
    let request = GetPostRequest { post_id: first.id.clone(), ..Default::default() };
    fixture.get_post(&fixture.as_member(member(3)), request).await.unwrap();
    fixture.harness.stop().await;
    assert_eq!(stored_total(&fixture, member(1)).await, 2 * 2 + 1);
    assert_eq!(stored_total(&fixture, member(2)).await, 2);
    assert_eq!(fixture.count("select count(*) from feed.impressions").await, 2 * 2 + 1 + 2);
}

#[tokio::test]
async fn only_the_author_reads_the_impressions() {
    let fixture = Fixture::new().await;
    fixture.create_post_of(member(1), "Seen").await;
    let stats =
        async |who| fixture.get_post_stats(&fixture.as_member(who), GetPostStatsRequest {}).await.unwrap().impressions;
    assert_eq!(stats(member(1)).await, 0);
    for viewer in 2..7 {
        list(&fixture, &fixture.as_member(member(viewer))).await;
    }
    let counted = async {
        while stats(member(1)).await < 5 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), counted).await.expect("the impressions are written");
    assert_eq!((stats(member(1)).await, stats(member(2)).await), (5, 0));
}

#[tokio::test]
async fn a_repeated_page_writes_nothing() {
    let fixture = Fixture::new().await;
    let (post, now) = (fixture.create_post_of(member(1), "Again").await, fixture.harness.clock.now());
    let buffer = ImpressionBuffer::default();
    buffer.record(Some(member(2)), [shown(&post)].into_iter(), now);
    buffer.write(fixture.pool()).await.unwrap();
    fixture.harness.database().run("delete from feed.impressions").await;
    buffer.record(Some(member(2)), [shown(&post)].into_iter(), now);
    buffer.write(fixture.pool()).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.impressions").await, 0, "it is known");
    buffer.record(Some(member(2)), [shown(&post)].into_iter(), now + TimeDelta::days(1));
    buffer.write(fixture.pool()).await.unwrap();
    assert_eq!(stored_total(&fixture, member(1)).await, 2, "the next day is another");
}

#[tokio::test]
async fn the_buffer_drops_impressions_above_its_capacity() {
    let fixture = Fixture::new().await;
    let now = fixture.harness.clock.now();
    let posts: Vec<(Uuid, Uuid)> = (0..CAPACITY as u128 + 5).map(|n| (member(1), Uuid::from_u128(n))).collect();
    let buffer = ImpressionBuffer::default();
    buffer.record(Some(member(2)), posts.iter().copied(), now);
    buffer.write(fixture.pool()).await.unwrap();
    let rows = "select count(*) from feed.impressions";
    assert_eq!(fixture.count(rows).await, CAPACITY as i64);
    buffer.record(Some(member(2)), posts.iter().copied(), now);
    buffer.write(fixture.pool()).await.unwrap();
    assert_eq!(fixture.count(rows).await, CAPACITY as i64 + 5, "a dropped impression can be added again");
    assert_eq!(fixture.count("select count(*) from feed.author_stats").await, 0, "deleted posts have no author");
}

#[tokio::test]
async fn impressions_stay_in_the_buffer_after_a_failed_write() {
    let fixture = Fixture::new().await;
    let (post, now) = (fixture.create_post_of(member(1), "Patient").await, fixture.harness.clock.now());
    let buffer = ImpressionBuffer::default();
    buffer.record(Some(member(2)), [shown(&post)].into_iter(), now);
    let closed = sqlx::PgPool::connect_lazy_with(fixture.harness.database().options());
    closed.close().await;
    assert!(buffer.write(&closed).await.is_err());
    buffer.record(Some(member(3)), [shown(&post)].into_iter(), now);
    buffer.write(fixture.pool()).await.unwrap();
    assert_eq!(stored_total(&fixture, member(1)).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_impression_in_several_replicas_is_counted_once() {
    let fixture = Fixture::new().await;
    let now = fixture.harness.clock.now();
    let mut posts = Vec::new();
    for n in 0..40 {
        posts.push(shown(&fixture.create_post_of(member(n % 4), &n.to_string()).await));
    }
    for round in 0..25 {
        let at = now + TimeDelta::days(round);
        let replicas = [(); 4].map(|()| ImpressionBuffer::default());
        for (n, buffer) in replicas.iter().enumerate() {
            // Each in another order.
            posts.rotate_left(7 * n + 1);
            buffer.record(Some(member(9)), posts.iter().copied(), at);
            buffer.record(Some(member(8)), posts.iter().copied(), at);
        }
        let [a, b, c, d] = &replicas;
        let pool = fixture.pool();
        tokio::try_join!(a.write(pool), b.write(pool), c.write(pool), d.write(pool)).unwrap();
    }
    for author in 0..4 {
        assert_eq!(stored_total(&fixture, member(author)).await, 25 * 2 * 10);
    }
}

#[tokio::test]
async fn old_impressions_are_pruned_and_the_totals_stay() {
    let fixture = Fixture::new().await;
    let (post, now) = (fixture.create_post_of(member(1), "Long ago").await, fixture.harness.clock.now());
    let buffer = ImpressionBuffer::default();
    for days in 0..5 {
        buffer.record(Some(member(2)), [shown(&post)].into_iter(), now + TimeDelta::days(days));
    }
    buffer.write(fixture.pool()).await.unwrap();
    fixture.advance_clock(4 * 86_400);
    impressions::prune(fixture.pool(), &fixture.harness.clock).await.unwrap();
    let oldest = "select (max(day) - min(day))::bigint from feed.impressions";
    assert_eq!(fixture.count(oldest).await, 2, "today and the two days before");
    assert_eq!(stored_total(&fixture, member(1)).await, 5);
}
