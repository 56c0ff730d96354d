//! Impressions: each post once a viewer and day, one's own never, and none lost by a process that stops in order.

use std::time::Duration;

use chrono::TimeDelta;
use feed::{
    impressions::{self, Impressions, ROOM},
    posts::Post,
};
use portia_proto::feed::{GetPostRequest, GetPostStatsRequest, ListPostsRequest, PostSort};
use rpc::Call;
use uuid::Uuid;

use crate::stand::{Stand, member};

async fn list(stand: &Stand, who: &Call) {
    let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    stand.list_posts(who, request).await.unwrap();
}

/// The counter, as it is written.
async fn written(stand: &Stand, author: Uuid) -> i64 {
    let sql =
        format!("select coalesce(sum(impressions), 0)::bigint from feed.author_stats where member_id = '{author}'");
    stand.count(&sql).await
}

/// A post as a page would carry it.
fn shown(stand: &Stand, post: &portia_proto::feed::Post) -> Post {
    let id = |raw: &str| raw.parse().unwrap();
    Post::fresh(id(&post.id), id(&post.author_id), post.content.clone(), stand.harness.clock.now())
}

#[tokio::test]
async fn reading_counts_once_a_post_viewer_and_day() {
    let stand = Stand::new().await;
    let first = stand.post(member(1), "first").await;
    stand.post(member(1), "second").await;
    stand.post(member(2), "another's").await;
    for _ in 0..2 {
        // The author, two viewers, of whom one wrote a post too, and visitors.
        for who in [stand.by(member(1)), stand.by(member(2)), stand.by(member(3)), stand.visitor()] {
            list(&stand, &who).await;
            stand.get_post(&who, GetPostRequest { post_id: first.id.clone() }).await.unwrap();
        }
    }
    stand.wait(86_400);
    let request = GetPostRequest { post_id: first.id.clone() };
    stand.get_post(&stand.by(member(3)), request).await.unwrap();
    stand.harness.stop().await;
    assert_eq!(written(&stand, member(1)).await, 2 * 2 + 1);
    assert_eq!(written(&stand, member(2)).await, 2);
    assert_eq!(stand.count("select count(*) from feed.impressions").await, 2 * 2 + 1 + 2);
}

#[tokio::test]
async fn the_author_is_told_and_nobody_else() {
    let stand = Stand::new().await;
    stand.post(member(1), "Seen").await;
    let stats = async |who| stand.get_post_stats(&stand.by(who), GetPostStatsRequest {}).await.unwrap().impressions;
    assert_eq!(stats(member(1)).await, 0);
    for viewer in 2..7 {
        list(&stand, &stand.by(member(viewer))).await;
    }
    let counted = async {
        while stats(member(1)).await < 5 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), counted).await.expect("the notes are written");
    assert_eq!((stats(member(1)).await, stats(member(2)).await), (5, 0));
}

#[tokio::test]
async fn a_page_read_again_costs_the_database_nothing() {
    let stand = Stand::new().await;
    let (post, now) = (stand.post(member(1), "Again").await, stand.harness.clock.now());
    let notes = Impressions::default();
    notes.note(Some(member(2)), &[shown(&stand, &post)], now);
    notes.write(stand.pool()).await.unwrap();
    stand.harness.database().run("delete from feed.impressions").await;
    notes.note(Some(member(2)), &[shown(&stand, &post)], now);
    notes.write(stand.pool()).await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.impressions").await, 0, "it is known");
    notes.note(Some(member(2)), &[shown(&stand, &post)], now + TimeDelta::days(1));
    notes.write(stand.pool()).await.unwrap();
    assert_eq!(written(&stand, member(1)).await, 2, "the next day is another");
}

#[tokio::test]
async fn there_is_room_for_so_many_and_no_more() {
    let stand = Stand::new().await;
    let now = stand.harness.clock.now();
    let posts: Vec<Post> =
        (0..ROOM as u128 + 5).map(|n| Post::fresh(Uuid::from_u128(n), member(1), String::new(), now)).collect();
    let notes = Impressions::default();
    notes.note(Some(member(2)), &posts, now);
    notes.write(stand.pool()).await.unwrap();
    let rows = "select count(*) from feed.impressions";
    assert_eq!(stand.count(rows).await, ROOM as i64);
    notes.note(Some(member(2)), &posts, now);
    notes.write(stand.pool()).await.unwrap();
    assert_eq!(stand.count(rows).await, ROOM as i64 + 5, "what was dropped can be noted again");
    assert_eq!(stand.count("select count(*) from feed.author_stats").await, 0, "posts that are gone have no author");
}

#[tokio::test]
async fn what_cannot_be_written_is_kept() {
    let stand = Stand::new().await;
    let (post, now) = (stand.post(member(1), "Patient").await, stand.harness.clock.now());
    let notes = Impressions::default();
    notes.note(Some(member(2)), &[shown(&stand, &post)], now);
    let away = sqlx::PgPool::connect_lazy_with(stand.harness.database().options());
    away.close().await;
    assert!(notes.write(&away).await.is_err());
    notes.note(Some(member(3)), &[shown(&stand, &post)], now);
    notes.write(stand.pool()).await.unwrap();
    assert_eq!(written(&stand, member(1)).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn replicas_that_note_the_same_count_it_once() {
    let stand = Stand::new().await;
    let now = stand.harness.clock.now();
    let mut posts = Vec::new();
    for n in 0..40 {
        posts.push(shown(&stand, &stand.post(member(n % 4), &n.to_string()).await));
    }
    for round in 0..25 {
        let at = now + TimeDelta::days(round);
        let replicas = [(); 4].map(|()| Impressions::default());
        for (n, notes) in replicas.iter().enumerate() {
            // Each met them in another order.
            posts.rotate_left(7 * n + 1);
            notes.note(Some(member(9)), &posts, at);
            notes.note(Some(member(8)), &posts, at);
        }
        let [a, b, c, d] = &replicas;
        let pool = stand.pool();
        tokio::try_join!(a.write(pool), b.write(pool), c.write(pool), d.write(pool)).unwrap();
    }
    for author in 0..4 {
        assert_eq!(written(&stand, member(author)).await, 25 * 2 * 10);
    }
}

#[tokio::test]
async fn old_rows_go_and_what_they_counted_stays() {
    let stand = Stand::new().await;
    let (post, now) = (stand.post(member(1), "Long ago").await, stand.harness.clock.now());
    let notes = Impressions::default();
    for days in 0..5 {
        notes.note(Some(member(2)), &[shown(&stand, &post)], now + TimeDelta::days(days));
    }
    notes.write(stand.pool()).await.unwrap();
    stand.wait(4 * 86_400);
    impressions::prune(stand.pool(), &stand.harness.clock).await.unwrap();
    let oldest = "select (max(day) - min(day))::bigint from feed.impressions";
    assert_eq!(stand.count(oldest).await, 2, "today and the two days before");
    assert_eq!(written(&stand, member(1)).await, 5);
}
