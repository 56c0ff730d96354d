//! Erasure: no row names the member, and the counters of other members stay correct.

use std::{pin::Pin, sync::Arc, time::Duration};

use feed::impressions::ImpressionBuffer;
use futures::{Stream, StreamExt as _, stream};
use outbox::proto::{
    Fact, GetPositionRequest, GetPositionResponse, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
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

use crate::fixtures::{Fixture, community, member};

/// A source with one fact, delivered when the test permits it.
struct Auth {
    erased: Uuid,
    permit: Arc<Semaphore>,
}

type FactStream<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl Outbox for Auth {
    type TailStream = FactStream<TailResponse>;
    type SnapshotStream = FactStream<SnapshotResponse>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        let erased = AccountErased { member_id: self.erased.to_string() };
        let fact = Fact {
            seq: 1,
            kind: AccountErased::full_name(),
            key: erased.member_id.clone(),
            payload: erased.encode_to_vec(),
            traceparent: String::new(),
            created_at: None,
        };
        let fact = (request.get_ref().after_seq == 0).then_some(fact);
        let permit = Arc::clone(&self.permit);
        let facts = stream::once(async move {
            let _permitted = permit.acquire().await;
            Ok(TailResponse { fact, last_seq: 1, ..TailResponse::default() })
        });
        Ok(Response::new(facts.chain(stream::pending()).boxed()))
    }

    async fn snapshot(&self, _: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        let end = SnapshotResponse { end_seq: Some(0), ..SnapshotResponse::default() };
        Ok(Response::new(stream::iter([Ok(end)]).boxed()))
    }

    async fn get_position(&self, _: Request<GetPositionRequest>) -> Result<Response<GetPositionResponse>, Status> {
        Ok(Response::new(GetPositionResponse { last_seq: 1, unnumbered: 0, oldest_at: None }))
    }
}

/// Tables with a row that contains the id.
async fn tables_referencing(fixture: &Fixture, id: Uuid) -> Vec<String> {
    let tables = sqlx::raw_sql("select tablename::text from pg_tables where schemaname = 'feed' order by 1");
    let mut naming = Vec::new();
    for row in tables.fetch_all(fixture.pool()).await.unwrap() {
        let table: String = row.get(0);
        let query = format!("select count(*) from feed.{table} as t where t::text like '%{id}%'");
        if sqlx::raw_sql(AssertSqlSafe(query)).fetch_one(fixture.pool()).await.unwrap().get::<i64, _>(0) > 0 {
            naming.push(table);
        }
    }
    naming
}

/// Inserts posts, reactions and comments of both members, on each other's posts.
async fn insert_rows(fixture: &Fixture, gone: Uuid, stays: Uuid) {
    let mut remaining = String::new();
    for n in 0..3 {
        let theirs = fixture.create_post_of(gone, &format!("going {n}")).await;
        let others = fixture.create_post_of(stays, &format!("staying {n}")).await;
        for post in [&theirs.id, &others.id] {
            for who in [gone, stays] {
                fixture.like(who, post).await;
                let one = fixture.create_comment_of(who, post, "one").await;
                fixture.create_comment_of(who, post, "two").await;
                fixture.like_comment(who, &one.id).await;
            }
        }
        remaining = others.id;
    }
    let request = portia_proto::feed::CreatePostRequest {
        content: "going, with a key".to_owned(),
        idempotency_key: Some("k".to_owned()),
        ..Default::default()
    };
    fixture.create_post(&fixture.as_member(gone), request).await.unwrap();
    let passed = portia_proto::feed::CreatePostRequest { repost_of: Some(remaining.clone()), ..Default::default() };
    fixture.create_post(&fixture.as_member(gone), passed).await.unwrap();
    let kind = SavedKind::Post.into();
    fixture.save_item(&fixture.as_member(gone), SaveItemRequest { kind, id: remaining.clone() }).await.unwrap();
    // Reports by the member stay; reports of the member are deleted.
    let report = |kind: ReportedKind, id: String| ReportItemRequest {
        kind: kind.into(),
        id,
        reason: ReportReason::Other.into(),
        words: Some("In my own words".to_owned()),
        excerpt: Some("As it was".to_owned()),
        ..Default::default()
    };
    fixture.report_item(&fixture.as_member(gone), report(ReportedKind::Post, remaining)).await.unwrap();
    fixture.report_item(&fixture.as_member(stays), report(ReportedKind::Member, gone.to_string())).await.unwrap();
    let picture = fixture.upload_picture(gone, &crate::pictures::small(1), None).await.unwrap().picture_id;
    let shows = portia_proto::feed::CreatePostRequest {
        content: "going, to be seen".to_owned(),
        picture_id: Some(picture),
        ..Default::default()
    };
    fixture.create_post(&fixture.as_member(gone), shows).await.unwrap();
    let pdf = fixture.upload_pdf(gone, "Brief.pdf", &crate::media::pdf(20), None).await.unwrap().pdf_id;
    let shows = portia_proto::feed::CreatePostRequest {
        content: "going, to be read".to_owned(),
        pdf_id: Some(pdf),
        ..Default::default()
    };
    fixture.create_post(&fixture.as_member(gone), shows).await.unwrap();
    fixture.connect_pair(gone, stays).await;
    fixture.join_community(community(1), &[gone, stays]).await;
    fixture.create_post_in(gone, community(1), "going, from a #community").await;
    let follow = portia_proto::feed::FollowTopicRequest { topic: "moot".to_owned() };
    fixture.follow_topic(&fixture.as_member(gone), follow).await.unwrap();
    let stays_post = fixture.create_post_of(member(6), "of another").await.id;
    fixture.hide(1, &stays_post, true).await.unwrap();
    let mute = portia_proto::feed::CreateMuteRequest { kind: 1, word: Some("bar".to_owned()), ..Default::default() };
    fixture.create_mute(&fixture.as_member(gone), mute).await.unwrap();
    let mute =
        portia_proto::feed::CreateMuteRequest { kind: 2, target_id: Some(gone.to_string()), ..Default::default() };
    fixture.create_mute(&fixture.as_member(stays), mute).await.unwrap();
    fixture.follow(stays, gone).await;
    fixture.block_member(gone, member(7)).await;
    fixture.block_member(member(8), gone).await;
    fixture.set_school(gone, "Yale").await;
    fixture.set_privacy(gone, "connections", false).await;
    let impressions = ImpressionBuffer::default();
    for (author, viewer) in [(gone, stays), (stays, gone)] {
        let request = ListPostsRequest { sort: 2, author_id: Some(author.to_string()), ..Default::default() };
        for post in fixture.list_posts(&fixture.as_visitor(), request).await.unwrap().posts {
            let shown = (author, post.id.parse().unwrap());
            impressions.record(Some(viewer), [shown].into_iter(), fixture.harness.clock.now());
        }
    }
    impressions.write(fixture.pool()).await.unwrap();
    // No pages are read here, so that no link is counted.
    let used = format!("insert into feed.link_quotas (member_id, since, used) values ('{gone}', now(), 1)");
    sqlx::raw_sql(AssertSqlSafe(used)).execute(fixture.pool()).await.unwrap();
}

/// The tables that name a member with rows of every kind.
const ALL_TABLES: [&str; 24] = [
    "author_stats",
    "blocks",
    "comment_reactions",
    "comments",
    "connections",
    "daily_allowances",
    "follows",
    "hidden_posts",
    "idempotency_keys",
    "impressions",
    "link_quotas",
    "members",
    "memberships",
    "mutes",
    "pdf_files",
    "pictures",
    "post_topics",
    "posts",
    "privacy_settings",
    "reactions",
    "reports",
    "saved_items",
    "savers",
    "topic_follows",
];

#[tokio::test]
async fn an_erasure_deletes_all_rows_of_the_member() {
    let (gone, stays) = (member(1), member(2));
    let fixture = Fixture::new().await;
    insert_rows(&fixture, gone, stays).await;
    assert_eq!(tables_referencing(&fixture, gone).await, ALL_TABLES);

    // In one transaction, because the running service could finish the erasure before the check.
    let mut tx = db::begin(fixture.pool()).await.unwrap();
    for _ in 0..2 {
        feed::deactivation::request_erasure(&mut tx, &gone.to_string(), fixture.harness.clock.now()).await.unwrap();
    }
    let hidden = format!("select count(*) from feed.hidden_members where member_id = '{gone}'");
    let hidden: i64 = sqlx::raw_sql(AssertSqlSafe(hidden)).fetch_one(&mut *tx).await.unwrap().get(0);
    assert_eq!(hidden, 1, "until it is done");
    tx.commit().await.unwrap();
    feed::deactivation::erase::erase_requested(fixture.pool()).await.unwrap();

    assert!(tables_referencing(&fixture, gone).await.is_empty());
    let counted = format!("select impressions from feed.author_stats where member_id = '{stays}'");
    assert_eq!(fixture.count(&counted).await, 3, "impressions by the erased viewer stay counted");
    assert_eq!(fixture.count("select count(*) from feed.reports where reporter_id is null and words is null").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.reports").await, 1);
    assert_eq!(fixture.count("select count(*) from feed.posts where like_count = 1 and comment_count = 2").await, 3);
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 4);
    fixture.assert_counters().await;
}

#[tokio::test]
async fn an_erasure_of_many_rows_runs_in_several_batches() {
    let fixture = Fixture::new().await;
    // 1,200 posts of another member, each with one like and two comments of the member.
    let fill = format!(
        "insert into feed.posts (id, author_id, content, created_at, freshness, like_count, comment_count)
        select gen_random_uuid(), '{stays}', 'post', to_timestamp(0), 0, 1, 2 from generate_series(1, 1200);
        insert into feed.reactions (post_id, member_id, kind, created_at)
        select id, '{gone}', 'like', to_timestamp(0) from feed.posts;
        insert into feed.comments (id, post_id, author_id, content, created_at)
        select gen_random_uuid(), id, '{gone}', 'hm', to_timestamp(0) from feed.posts, generate_series(1, 2);
        insert into feed.comments (id, post_id, author_id, content, created_at, reply_to)
        select gen_random_uuid(), post_id, '{stays}', 'reply', to_timestamp(1), id from feed.comments;
        update feed.comments set reply_count = 1 where reply_to is null;
        update feed.posts set comment_count = 4;
        update feed.comments set like_count = 1 where reply_to is not null;
        insert into feed.comment_reactions (comment_id, member_id, kind, created_at)
        select id, '{gone}', 'like', to_timestamp(2) from feed.comments where reply_to is not null;",
        gone = member(1),
        stays = member(2)
    );
    sqlx::raw_sql(AssertSqlSafe(fill)).execute(fixture.pool()).await.unwrap();
    let impressions = ImpressionBuffer::default();
    for n in 0..1_200 {
        let day = fixture.harness.clock.now() - chrono::TimeDelta::days(i64::try_from(n % 3).unwrap());
        impressions.record(Some(member(1)), [(member(2), member(n))].into_iter(), day);
    }
    impressions.write(fixture.pool()).await.unwrap();
    assert_eq!(fixture.count("select count(*) from feed.impressions").await, 1_200);
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::deactivation::request_erasure(&mut conn, &member(1).to_string(), fixture.harness.clock.now()).await.unwrap();
    feed::deactivation::erase::erase_requested(fixture.pool()).await.unwrap();
    assert!(tables_referencing(&fixture, member(1)).await.is_empty());
    fixture.assert_counters().await;
}

#[tokio::test]
async fn the_fact_of_auth_starts_an_erasure() {
    let (gone, stays) = (member(1), member(2));
    let permit = Arc::new(Semaphore::new(0));
    let auth = OutboxServer::new(Auth { erased: gone, permit: Arc::clone(&permit) });
    let fixture = Fixture::with_upstreams(|builder| builder.upstream("auth", Routes::new(auth))).await;
    insert_rows(&fixture, gone, stays).await;
    permit.add_permits(1);
    let forgotten = async {
        while !tables_referencing(&fixture, gone).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), forgotten).await.expect("the member is erased");
    assert_eq!(fixture.count("select count(*) from feed.posts").await, 4);
    assert_eq!(fixture.count("select count(*) from feed.dead_facts").await, 0);
    fixture.assert_counters().await;
}
