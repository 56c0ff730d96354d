//! The read model from the facts of social-graph and profile: changes, repetitions and snapshots.

use futures::{StreamExt as _, stream, stream::BoxStream};
use outbox::{
    Fact,
    proto::{
        GetPositionRequest, GetPositionResponse, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
        outbox_server::{Outbox, OutboxServer},
    },
};
use portia_proto::{
    feed::{GetPostRequest, ListPostsRequest, PostSort},
    profile::{MemberChanged, PrivacyChanged, PrivacySettings, ProfileAudience},
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        MemberBlocked, MemberErased, MemberFollowed, MemberUnblocked, MemberUnfollowed,
    },
};
use primitives::error::ErrorKind;
use prost::{Message, Name};
use sqlx::{AssertSqlSafe, Row as _};
use testkit::FactSource;
use tonic::{Request, Response, Status, service::Routes};
use uuid::Uuid;

use crate::fixtures::{Fixture, community, member};

/// Starts the service with social-graph and profile as sources of facts.
async fn fixture_with_sources() -> (Fixture, FactSource, FactSource) {
    let (graph, profile) = (FactSource::default(), FactSource::default());
    let fixture = Fixture::with_upstreams(|builder| {
        builder.upstream("social-graph", graph.routes()).upstream("profile", profile.routes())
    })
    .await;
    (fixture, graph, profile)
}

fn privacy_changed(member_id: Uuid, settings: Option<(ProfileAudience, bool)>) -> PrivacyChanged {
    let settings = settings.map(|(audience, activity_shown)| PrivacySettings {
        profile_audience: audience.into(),
        activity_shown,
        ..Default::default()
    });
    PrivacyChanged { member_id: member_id.to_string(), settings }
}

fn community_joined(community_id: Uuid, member_id: Uuid) -> CommunityJoined {
    CommunityJoined {
        community_id: community_id.to_string(),
        member_id: member_id.to_string(),
        is_owner: false,
        ..Default::default()
    }
}

fn community_left(community_id: Uuid, member_id: Uuid) -> CommunityLeft {
    CommunityLeft { community_id: community_id.to_string(), member_id: member_id.to_string() }
}

fn community_changed(community_id: Uuid, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: community_id.to_string(), name: name.to_owned(), became_private: false }
}

fn member_blocked(blocker: Uuid, blocked: Uuid) -> MemberBlocked {
    MemberBlocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn member_unblocked(blocker: Uuid, blocked: Uuid) -> MemberUnblocked {
    MemberUnblocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn member_followed(follower: Uuid, followed: Uuid) -> MemberFollowed {
    let followed_at = Some(primitives::clock::timestamp(testkit::clock().now()));
    MemberFollowed { follower_id: follower.to_string(), followed_id: followed.to_string(), followed_at }
}

fn connection_accepted(id: Uuid, one: Uuid, other: Uuid) -> ConnectionAccepted {
    ConnectionAccepted { connection_id: id.to_string(), requester_id: one.to_string(), recipient_id: other.to_string() }
}

fn member_changed(member_id: Uuid, school: Option<&str>) -> MemberChanged {
    MemberChanged { member_id: member_id.to_string(), school: school.map(str::to_owned), location: None }
}

/// Returns whether a member sees a post, alone and in the list.
async fn sees(fixture: &Fixture, who: Uuid, post: &str) -> bool {
    let one = fixture
        .get_post(&fixture.as_member(who), GetPostRequest { post_id: post.to_owned(), ..Default::default() })
        .await;
    let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    let listed = fixture.list_posts(&fixture.as_member(who), request).await.unwrap().posts;
    assert_eq!(one.is_ok(), listed.iter().any(|listed| listed.id == post), "the list agrees with the post");
    one.map_err(|refused| assert_eq!(refused.kind, ErrorKind::NotFound)).is_ok()
}

/// A snapshot that began before the erasure is applied after auth's fact. The fact of social-graph follows all its rows.
#[tokio::test]
async fn rows_of_an_erased_member_that_arrive_later_are_erased_by_social_graphs_fact() {
    let (fixture, graph, _profile) = fixture_with_sources().await;
    let (erased, other) = (member(1), member(2));
    graph.publish(erased, &connection_accepted(Uuid::from_u128(7), erased, other));
    graph.publish(erased, &member_blocked(other, erased));
    graph.publish(erased, &member_followed(erased, other));
    graph.publish(erased, &community_joined(community(1), erased));
    let rows = "select (select count(*) from feed.connections) + (select count(*) from feed.blocks)
        + (select count(*) from feed.follows) + (select count(*) from feed.memberships)";
    for _ in 0..2 {
        let seq = graph.publish(erased, &MemberErased { member_id: erased.to_string() });
        fixture.harness.wait_until_applied("social-graph", seq).await;
        let done = async {
            while fixture.count("select count(*) from feed.erasures").await > 0 {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), done).await.expect("the member is erased");
    }
    assert_eq!(fixture.count(rows).await, 0);
}

#[tokio::test]
async fn a_block_hides_posts_of_both_until_both_directions_are_unblocked() {
    let (fixture, graph, _profile) = fixture_with_sources().await;
    let (one, other) = (member(1), member(2));
    let mine = fixture.create_post_of(one, "mine").await.id;
    let theirs = fixture.create_post_of(other, "theirs").await.id;
    let both = async |expected: bool| {
        assert_eq!(sees(&fixture, one, &theirs).await, expected);
        assert_eq!(sees(&fixture, other, &mine).await, expected);
        assert!(sees(&fixture, one, &mine).await && sees(&fixture, member(3), &mine).await);
    };
    both(true).await;
    fixture.harness.wait_until_applied("social-graph", graph.publish(one, &member_blocked(one, other))).await;
    both(false).await;
    fixture.harness.wait_until_applied("social-graph", graph.publish(other, &member_blocked(other, one))).await;
    fixture.harness.wait_until_applied("social-graph", graph.publish(one, &member_unblocked(one, other))).await;
    both(false).await;
    fixture.harness.wait_until_applied("social-graph", graph.publish(other, &member_unblocked(other, one))).await;
    both(true).await;
    assert_eq!(fixture.count("select count(*) from feed.dead_facts").await, 0);
    fixture.harness.stop().await;
}

#[tokio::test]
async fn posts_of_a_community_are_visible_from_joining_to_leaving() {
    let (fixture, graph, _profile) = fixture_with_sources().await;
    let society = community(1);
    graph.publish(society, &community_changed(society, "Moot Court Society"));
    graph.publish(society, &community_joined(society, member(1)));
    fixture
        .harness
        .wait_until_applied("social-graph", graph.publish(society, &community_joined(society, member(2))))
        .await;
    let first = fixture.create_post_in(member(1), society, "by one").await.id;
    let second = fixture.create_post_in(member(2), society, "by the other").await.id;
    assert!(sees(&fixture, member(2), &first).await && !sees(&fixture, member(3), &first).await);

    // Another role is the same membership.
    for is_owner in [true, false, true] {
        let again = CommunityJoined { is_owner, ..community_joined(society, member(2)) };
        fixture.harness.wait_until_applied("social-graph", graph.publish(society, &again)).await;
    }
    assert_eq!(fixture.count("select count(*) from feed.memberships").await, 2);
    let moderators = "select count(*) from feed.memberships where moderates";
    assert_eq!(fixture.count(moderators).await, 1, "an owner moderates");
    for is_moderator in [false, true] {
        let again = CommunityJoined { is_moderator, ..community_joined(society, member(2)) };
        fixture.harness.wait_until_applied("social-graph", graph.publish(society, &again)).await;
        assert_eq!(fixture.count(moderators).await, i64::from(is_moderator));
    }
    assert!(sees(&fixture, member(2), &first).await && !sees(&fixture, member(3), &first).await);

    fixture
        .harness
        .wait_until_applied("social-graph", graph.publish(society, &community_left(society, member(2))))
        .await;
    assert!(!sees(&fixture, member(2), &first).await, "membership lost hides the others' posts");
    assert!(sees(&fixture, member(2), &second).await, "not an own post");
    assert!(sees(&fixture, member(1), &second).await, "own posts stay visible to others");
    fixture
        .harness
        .wait_until_applied("social-graph", graph.publish(society, &community_joined(society, member(2))))
        .await;
    assert!(sees(&fixture, member(2), &first).await);

    let removed = CommunityRemoved { community_id: society.to_string() };
    fixture.harness.wait_until_applied("social-graph", graph.publish(society, &removed)).await;
    assert!(!sees(&fixture, member(2), &first).await && !sees(&fixture, member(1), &second).await);
    assert!(sees(&fixture, member(1), &first).await, "after the deletion of a community only own posts are visible");
    fixture.harness.stop().await;
}

/// Returns all rows of the read model as text.
async fn read_model_rows(fixture: &Fixture) -> Vec<String> {
    let mut rows = Vec::new();
    for table in ["connections", "communities", "memberships", "blocks", "follows", "members", "privacy_settings"] {
        let all = format!("select '{table} ' || t::text from feed.{table} t order by 1");
        let found = sqlx::raw_sql(AssertSqlSafe(all)).fetch_all(fixture.pool()).await.unwrap();
        rows.extend(found.iter().map(|row| row.get::<String, _>(0)));
    }
    rows
}

/// A source with a snapshot followed by facts.
#[derive(Clone, Default)]
struct Source {
    snapshot_rows: Vec<Fact>,
    facts: Vec<Fact>,
}

#[tonic::async_trait]
impl Outbox for Source {
    type TailStream = BoxStream<'static, Result<TailResponse, Status>>;
    type SnapshotStream = BoxStream<'static, Result<SnapshotResponse, Status>>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        let last_seq = i64::try_from(self.facts.len()).unwrap();
        let after = usize::try_from(request.get_ref().after_seq).unwrap();
        let numbered = (1..).zip(self.facts.clone()).skip(after);
        let facts: Vec<_> = numbered
            .map(|(seq, fact)| {
                Ok(TailResponse { fact: Some(Fact { seq, ..fact }), last_seq, ..TailResponse::default() })
            })
            .collect();
        Ok(Response::new(stream::iter(facts).chain(stream::pending()).boxed()))
    }

    async fn snapshot(&self, _: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        let snapshot_rows = self
            .snapshot_rows
            .clone()
            .into_iter()
            .map(|fact| SnapshotResponse { fact: Some(fact), ..SnapshotResponse::default() });
        let end = SnapshotResponse { end_seq: Some(0), ..SnapshotResponse::default() };
        let rows: Vec<_> = snapshot_rows.chain([end]).map(Ok).collect();
        Ok(Response::new(stream::iter(rows).boxed()))
    }

    async fn get_position(&self, _: Request<GetPositionRequest>) -> Result<Response<GetPositionResponse>, Status> {
        let last_seq = i64::try_from(self.facts.len()).unwrap();
        Ok(Response::new(GetPositionResponse { last_seq, unnumbered: 0, oldest_at: None }))
    }
}

fn fact<M: Message + Name>(key: Uuid, fact: &M) -> Fact {
    let (kind, payload) = (M::full_name(), fact.encode_to_vec());
    Fact { seq: 0, kind, key: key.to_string(), payload, traceparent: String::new(), created_at: None }
}

/// Returns the read model of a service that consumes these sources.
async fn read_model_of(graph: Source, profile: Source) -> Vec<String> {
    let last = |source: &Source| i64::try_from(source.facts.len()).unwrap();
    let (graph_last, profile_last) = (last(&graph), last(&profile));
    let fixture = Fixture::with_upstreams(|builder| {
        builder
            .upstream("social-graph", Routes::new(OutboxServer::new(graph)))
            .upstream("profile", Routes::new(OutboxServer::new(profile)))
    })
    .await;
    fixture.harness.wait_until_applied("social-graph", graph_last).await;
    fixture.harness.wait_until_applied("profile", profile_last).await;
    assert_eq!(fixture.count("select count(*) from feed.dead_facts").await, 0);
    let copied = read_model_rows(&fixture).await;
    fixture.harness.stop().await;
    copied
}

#[tokio::test]
async fn facts_repeated_facts_and_a_snapshot_give_the_same_read_model() {
    let [one, two, three, four, five] = [1, 2, 3, 4, 5].map(member);
    let (here, gone) = (community(1), community(2));
    let (stood, ended) = (member(50), member(51));
    let removed = ConnectionRemoved {
        connection_id: ended.to_string(),
        requester_id: three.to_string(),
        recipient_id: one.to_string(),
    };
    let of_graph = vec![
        fact(stood, &connection_accepted(stood, one, two)),
        fact(ended, &connection_accepted(ended, three, one)),
        fact(here, &community_changed(here, "Moot Court")),
        fact(gone, &community_changed(gone, "Gone")),
        fact(here, &community_joined(here, one)),
        fact(here, &community_joined(here, four)),
        fact(gone, &community_joined(gone, one)),
        fact(one, &member_blocked(one, five)),
        fact(five, &member_blocked(five, one)),
        fact(ended, &removed),
        fact(here, &community_changed(here, "Moot Court Society")),
        fact(here, &community_left(here, four)),
        fact(one, &member_unblocked(one, five)),
        fact(one, &member_followed(one, two)),
        fact(one, &member_followed(one, three)),
        fact(one, &MemberUnfollowed { follower_id: one.to_string(), followed_id: three.to_string() }),
        fact(gone, &CommunityRemoved { community_id: gone.to_string() }),
    ];
    let of_profile = vec![
        fact(one, &member_changed(one, Some("Yale  Law School"))),
        fact(two, &member_changed(two, Some("Ateneo"))),
        fact(three, &member_changed(three, Some("Ateneo"))),
        fact(two, &member_changed(two, Some(""))),
        // Hidden or erased.
        fact(three, &member_changed(three, None)),
        fact(one, &member_changed(one, Some("YALE law school"))),
        fact(one, &privacy_changed(one, Some((ProfileAudience::Public, false)))),
        fact(two, &privacy_changed(two, Some((ProfileAudience::Connections, true)))),
        fact(two, &privacy_changed(two, Some((ProfileAudience::Public, true)))),
        fact(three, &privacy_changed(three, Some((ProfileAudience::Members, true)))),
        // Erased.
        fact(three, &privacy_changed(three, None)),
    ];
    let mut expected = vec![
        format!("connections ({one},{stood},{two})"),
        format!("connections ({two},{stood},{one})"),
        format!("communities ({here},\"Moot Court Society\")"),
        format!("memberships ({one},{here},f)"),
        format!("blocks ({five},{one})"),
        format!("follows ({one},{two},\"2026-03-02 09:00:00+00\")"),
        format!("members ({one},\"yale law school\")"),
        format!("privacy_settings ({one},public,f)"),
    ];
    expected.sort();
    let published = |facts: &[Fact], times: usize| Source { snapshot_rows: vec![], facts: vec![facts; times].concat() };
    for times in [1, 2] {
        let mut copied = read_model_of(published(&of_graph, times), published(&of_profile, times)).await;
        copied.sort();
        assert_eq!(copied, expected, "published {times} times");
    }
    let snapshot_rows = vec![
        fact(here, &community_changed(here, "Moot Court Society")),
        fact(here, &community_joined(here, one)),
        fact(stood, &connection_accepted(stood, one, two)),
        fact(five, &member_blocked(five, one)),
        fact(one, &member_followed(one, two)),
    ];
    let of_members = vec![
        fact(one, &member_changed(one, Some("Yale Law School"))),
        fact(three, &member_changed(three, None)),
        fact(one, &privacy_changed(one, Some((ProfileAudience::Public, false)))),
    ];
    let now = |snapshot_rows: Vec<Fact>| Source { snapshot_rows, facts: vec![] };
    let mut copied = read_model_of(now(snapshot_rows), now(of_members)).await;
    copied.sort();
    assert_eq!(copied, expected, "from a snapshot");
}

#[tokio::test]
async fn a_read_model_is_cleared_before_a_new_snapshot() {
    let fixture = Fixture::new().await;
    fixture.connect_pair(member(1), member(2)).await;
    fixture.join_community(community(1), &[member(1)]).await;
    fixture.block_member(member(1), member(3)).await;
    fixture.follow(member(1), member(4)).await;
    fixture.set_school(member(1), "Yale").await;
    fixture.set_privacy(member(1), "members", true).await;
    assert_eq!(read_model_rows(&fixture).await.len(), 8);
    let mut conn = fixture.pool().acquire().await.unwrap();
    feed::read_model::clear_social_graph(&mut conn).await.unwrap();
    feed::read_model::schools::clear(&mut conn).await.unwrap();
    feed::read_model::privacy::clear(&mut conn).await.unwrap();
    assert_eq!(read_model_rows(&fixture).await, [""; 0]);
}
