//! A member whose account is gone leaves nothing behind, and nobody else's counters wrong.

use std::{pin::Pin, sync::Arc, time::Duration};

use feed::{impressions::Impressions, posts::Post};
use futures::{Stream, StreamExt as _, stream};
use outbox::proto::{
    Fact, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
    outbox_server::{Outbox, OutboxServer},
};
use portia_proto::{
    auth::AccountErased,
    feed::{ListPostsRequest, ReportItemRequest, ReportReason, ReportedKind, SaveItemRequest, SavedKind},
};
use prost::{Message as _, Name as _};
use sqlx::{AssertSqlSafe, Row as _};
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status, service::Routes};
use uuid::Uuid;

use crate::stand::{Stand, community, member};

/// An auth that says one thing, once the test lets it.
struct Auth {
    erased: Uuid,
    speak: Arc<Semaphore>,
}

type Told<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl Outbox for Auth {
    type TailStream = Told<TailResponse>;
    type SnapshotStream = Told<SnapshotResponse>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        let erased = AccountErased { member_id: self.erased.to_string() };
        let fact = Fact {
            seq: 1,
            kind: AccountErased::full_name(),
            key: erased.member_id.clone(),
            payload: erased.encode_to_vec(),
            traceparent: String::new(),
        };
        let fact = (request.get_ref().after_seq == 0).then_some(fact);
        let speak = Arc::clone(&self.speak);
        let told = stream::once(async move {
            let _heard = speak.acquire().await;
            Ok(TailResponse { fact, last_seq: 1 })
        });
        Ok(Response::new(told.chain(stream::pending()).boxed()))
    }

    async fn snapshot(&self, _: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        let end = SnapshotResponse { fact: None, end_seq: Some(0) };
        Ok(Response::new(stream::iter([Ok(end)]).boxed()))
    }
}

/// Tables with a row that names the member, wherever in the row.
async fn named_in(stand: &Stand, id: Uuid) -> Vec<String> {
    let tables = sqlx::raw_sql("select tablename::text from pg_tables where schemaname = 'feed' order by 1");
    let mut naming = Vec::new();
    for row in tables.fetch_all(stand.pool()).await.unwrap() {
        let table: String = row.get(0);
        let query = format!("select count(*) from feed.{table} as t where t::text like '%{id}%'");
        if sqlx::raw_sql(AssertSqlSafe(query)).fetch_one(stand.pool()).await.unwrap().get::<i64, _>(0) > 0 {
            naming.push(table);
        }
    }
    naming
}

/// A feed in which the member wrote, reacted and commented, and others answered.
async fn fill(stand: &Stand, gone: Uuid, stays: Uuid) {
    let mut kept = String::new();
    for n in 0..3 {
        let theirs = stand.post(gone, &format!("going {n}")).await;
        let others = stand.post(stays, &format!("staying {n}")).await;
        for post in [&theirs.id, &others.id] {
            for who in [gone, stays] {
                stand.like(who, post).await;
                stand.comment(who, post, "one").await;
                stand.comment(who, post, "two").await;
            }
        }
        kept = others.id;
    }
    let request = portia_proto::feed::CreatePostRequest {
        content: "going, with a key".to_owned(),
        idempotency_key: Some("k".to_owned()),
        ..Default::default()
    };
    stand.create_post(&stand.by(gone), request).await.unwrap();
    let passed = portia_proto::feed::CreatePostRequest { repost_of: Some(kept.clone()), ..Default::default() };
    stand.create_post(&stand.by(gone), passed).await.unwrap();
    let kind = SavedKind::Post.into();
    stand.save_item(&stand.by(gone), SaveItemRequest { kind, id: kept.clone() }).await.unwrap();
    // What they told of stays to be looked at; what was told of them goes.
    let report = |kind: ReportedKind, id: String| ReportItemRequest {
        kind: kind.into(),
        id,
        reason: ReportReason::Other.into(),
        words: Some("In my own words".to_owned()),
        excerpt: Some("As it was".to_owned()),
        ..Default::default()
    };
    stand.report_item(&stand.by(gone), report(ReportedKind::Post, kept)).await.unwrap();
    stand.report_item(&stand.by(stays), report(ReportedKind::Member, gone.to_string())).await.unwrap();
    let picture = stand.upload(gone, &crate::pictures::small(1), None).await.unwrap().picture_id;
    let shows = portia_proto::feed::CreatePostRequest {
        content: "going, to be seen".to_owned(),
        picture_id: Some(picture),
        ..Default::default()
    };
    stand.create_post(&stand.by(gone), shows).await.unwrap();
    stand.connect(gone, stays).await;
    stand.join(community(1), &[gone, stays]).await;
    stand.post_in(gone, community(1), "going, from a community").await;
    stand.block(gone, member(7)).await;
    stand.block(member(8), gone).await;
    stand.study(gone, "Yale").await;
    let shown = Impressions::default();
    for (author, viewer) in [(gone, stays), (stays, gone)] {
        let request = ListPostsRequest { sort: 2, author_id: Some(author.to_string()), ..Default::default() };
        for post in stand.list_posts(&stand.visitor(), request).await.unwrap().posts {
            let id = post.id.parse().unwrap();
            shown.note(
                Some(viewer),
                &[Post::fresh(id, author, post.content, stand.harness.clock.now())],
                stand.harness.clock.now(),
            );
        }
    }
    shown.write(stand.pool()).await.unwrap();
}

/// Where a member is named who did everything there is to do.
const EVERYWHERE: [&str; 14] = [
    "author_stats",
    "blocks",
    "comments",
    "connections",
    "idempotency_keys",
    "impressions",
    "members",
    "memberships",
    "pictures",
    "posts",
    "reactions",
    "reports",
    "saved_items",
    "savers",
];

#[tokio::test]
async fn nothing_of_the_member_is_left() {
    let (gone, stays) = (member(1), member(2));
    let stand = Stand::new().await;
    fill(&stand, gone, stays).await;
    assert_eq!(named_in(&stand, gone).await, EVERYWHERE);

    // In one transaction, or the running service's own worker may be done with it before it is looked at.
    let mut tx = db::begin(stand.pool()).await.unwrap();
    for _ in 0..2 {
        feed::erase::request(&mut tx, &gone.to_string(), stand.harness.clock.now()).await.unwrap();
    }
    let hidden = format!("select count(*) from feed.hidden_members where member_id = '{gone}'");
    let hidden: i64 = sqlx::raw_sql(AssertSqlSafe(hidden)).fetch_one(&mut *tx).await.unwrap().get(0);
    assert_eq!(hidden, 1, "until it is done");
    tx.commit().await.unwrap();
    feed::erase::forget_all(stand.pool()).await.unwrap();

    assert!(named_in(&stand, gone).await.is_empty());
    let counted = format!("select impressions from feed.author_stats where member_id = '{stays}'");
    assert_eq!(stand.count(&counted).await, 3, "whoever was shown it, it was shown");
    assert_eq!(stand.count("select count(*) from feed.reports where reporter_id is null and words is null").await, 1);
    assert_eq!(stand.count("select count(*) from feed.reports").await, 1);
    assert_eq!(stand.count("select count(*) from feed.posts where like_count = 1 and comment_count = 2").await, 3);
    assert_eq!(stand.count("select count(*) from feed.posts").await, 3);
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn more_than_one_bite_is_taken() {
    let stand = Stand::new().await;
    // 1,200 posts of another's, each liked by the member and commented on twice.
    let fill = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness, like_count, comment_count)
        select gen_random_uuid(), '{stays}', 'post', to_timestamp(0), 0, 1, 2 from generate_series(1, 1200);
        insert into feed.reactions (post_id, member_id, kind, created_at)
        select id, '{gone}', 'like', to_timestamp(0) from feed.posts;
        insert into feed.comments (id, post_id, author_id, content, created_at)
        select gen_random_uuid(), id, '{gone}', 'hm', to_timestamp(0) from feed.posts, generate_series(1, 2);",
        gone = member(1),
        stays = member(2)
    );
    sqlx::raw_sql(AssertSqlSafe(fill)).execute(stand.pool()).await.unwrap();
    let shown = Impressions::default();
    for n in 0..1_200 {
        let (post, now) =
            (Post::fresh(member(n), member(2), String::new(), stand.harness.clock.now()), stand.harness.clock.now());
        shown.note(Some(member(1)), &[post], now - chrono::TimeDelta::days(i64::try_from(n % 3).unwrap()));
    }
    shown.write(stand.pool()).await.unwrap();
    assert_eq!(stand.count("select count(*) from feed.impressions").await, 1_200);
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::erase::request(&mut conn, &member(1).to_string(), stand.harness.clock.now()).await.unwrap();
    feed::erase::forget_all(stand.pool()).await.unwrap();
    assert!(named_in(&stand, member(1)).await.is_empty());
    stand.assert_counters_true().await;
}

#[tokio::test]
async fn it_happens_when_auth_says_so() {
    let (gone, stays) = (member(1), member(2));
    let speak = Arc::new(Semaphore::new(0));
    let auth = OutboxServer::new(Auth { erased: gone, speak: Arc::clone(&speak) });
    let stand = Stand::beside(|builder| builder.neighbour("auth", Routes::new(auth))).await;
    fill(&stand, gone, stays).await;
    speak.add_permits(1);
    let forgotten = async {
        while !named_in(&stand, gone).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), forgotten).await.expect("the member is forgotten");
    assert_eq!(stand.count("select count(*) from feed.posts").await, 3);
    assert_eq!(stand.count("select count(*) from feed.dead_facts").await, 0);
    stand.assert_counters_true().await;
}
