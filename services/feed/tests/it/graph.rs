//! What feed copies of the graph and of profiles: facts come and go, come twice, come anew.

use futures::{StreamExt as _, stream, stream::BoxStream};
use outbox::{
    Fact,
    proto::{
        SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
        outbox_server::{Outbox, OutboxServer},
    },
};
use portia_proto::{
    feed::{GetPostRequest, ListPostsRequest, PostSort},
    profile::MemberChanged,
    social_graph::{
        CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
        MemberBlocked, MemberUnblocked,
    },
};
use primitives::error::ErrorKind;
use prost::{Message, Name};
use sqlx::{AssertSqlSafe, Row as _};
use testkit::FactSource;
use tonic::{Request, Response, Status, service::Routes};
use uuid::Uuid;

use crate::stand::{Stand, community, member};

/// A feed beside a social-graph and a profile that tell what the test has them tell.
async fn heard() -> (Stand, FactSource, FactSource) {
    let (graph, profile) = (FactSource::default(), FactSource::default());
    let stand = Stand::beside(|builder| {
        builder.neighbour("social-graph", graph.routes()).neighbour("profile", profile.routes())
    })
    .await;
    (stand, graph, profile)
}

fn joined(community_id: Uuid, member_id: Uuid) -> CommunityJoined {
    CommunityJoined { community_id: community_id.to_string(), member_id: member_id.to_string(), is_owner: false }
}

fn left(community_id: Uuid, member_id: Uuid) -> CommunityLeft {
    CommunityLeft { community_id: community_id.to_string(), member_id: member_id.to_string() }
}

fn called(community_id: Uuid, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: community_id.to_string(), name: name.to_owned() }
}

fn blocked(blocker: Uuid, blocked: Uuid) -> MemberBlocked {
    MemberBlocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn unblocked(blocker: Uuid, blocked: Uuid) -> MemberUnblocked {
    MemberUnblocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn accepted(id: Uuid, one: Uuid, other: Uuid) -> ConnectionAccepted {
    ConnectionAccepted { connection_id: id.to_string(), requester_id: one.to_string(), recipient_id: other.to_string() }
}

fn studies(member_id: Uuid, school: Option<&str>) -> MemberChanged {
    MemberChanged { member_id: member_id.to_string(), school: school.map(str::to_owned), location: None }
}

/// Whether somebody sees a post.
async fn sees(stand: &Stand, who: Uuid, post: &str) -> bool {
    let one = stand.get_post(&stand.by(who), GetPostRequest { post_id: post.to_owned() }).await;
    let request = ListPostsRequest { sort: PostSort::Recent.into(), ..Default::default() };
    let listed = stand.list_posts(&stand.by(who), request).await.unwrap().posts;
    assert_eq!(one.is_ok(), listed.iter().any(|listed| listed.id == post), "list and post are of one mind");
    one.map_err(|refused| assert_eq!(refused.kind, ErrorKind::NotFound)).is_ok()
}

#[tokio::test]
async fn a_block_parts_the_two_until_the_last_is_lifted() {
    let (stand, graph, _profile) = heard().await;
    let (one, other) = (member(1), member(2));
    let mine = stand.post(one, "mine").await.id;
    let theirs = stand.post(other, "theirs").await.id;
    let both = async |expected: bool| {
        assert_eq!(sees(&stand, one, &theirs).await, expected);
        assert_eq!(sees(&stand, other, &mine).await, expected);
        assert!(sees(&stand, one, &mine).await && sees(&stand, member(3), &mine).await);
    };
    both(true).await;
    stand.harness.heard("social-graph", graph.tell(one, &blocked(one, other))).await;
    both(false).await;
    stand.harness.heard("social-graph", graph.tell(other, &blocked(other, one))).await;
    stand.harness.heard("social-graph", graph.tell(one, &unblocked(one, other))).await;
    both(false).await;
    stand.harness.heard("social-graph", graph.tell(other, &unblocked(other, one))).await;
    both(true).await;
    assert_eq!(stand.count("select count(*) from feed.dead_facts").await, 0);
    stand.harness.stop().await;
}

#[tokio::test]
async fn whoever_joins_sees_and_whoever_leaves_does_not() {
    let (stand, graph, _profile) = heard().await;
    let society = community(1);
    graph.tell(society, &called(society, "Moot Court Society"));
    graph.tell(society, &joined(society, member(1)));
    stand.harness.heard("social-graph", graph.tell(society, &joined(society, member(2)))).await;
    let first = stand.post_in(member(1), society, "by one").await.id;
    let second = stand.post_in(member(2), society, "by the other").await.id;
    assert!(sees(&stand, member(2), &first).await && !sees(&stand, member(3), &first).await);

    // Another role there is the same membership.
    for is_owner in [true, false, true] {
        let again = CommunityJoined { is_owner, ..joined(society, member(2)) };
        stand.harness.heard("social-graph", graph.tell(society, &again)).await;
    }
    assert_eq!(stand.count("select count(*) from feed.memberships").await, 2);
    assert!(sees(&stand, member(2), &first).await && !sees(&stand, member(3), &first).await);

    stand.harness.heard("social-graph", graph.tell(society, &left(society, member(2)))).await;
    assert!(!sees(&stand, member(2), &first).await, "membership lost hides the others' posts");
    assert!(sees(&stand, member(2), &second).await, "not one's own");
    assert!(sees(&stand, member(1), &second).await, "nor does it take them from the others");
    stand.harness.heard("social-graph", graph.tell(society, &joined(society, member(2)))).await;
    assert!(sees(&stand, member(2), &first).await);

    let removed = CommunityRemoved { community_id: society.to_string() };
    stand.harness.heard("social-graph", graph.tell(society, &removed)).await;
    assert!(!sees(&stand, member(2), &first).await && !sees(&stand, member(1), &second).await);
    assert!(sees(&stand, member(1), &first).await, "a community that is gone leaves each their own");
    stand.harness.stop().await;
}

/// All that is copied, as text.
async fn copied(stand: &Stand) -> Vec<String> {
    let mut rows = Vec::new();
    for table in ["connections", "communities", "memberships", "blocks", "members"] {
        let all = format!("select '{table} ' || t::text from feed.{table} t order by 1");
        let found = sqlx::raw_sql(AssertSqlSafe(all)).fetch_all(stand.pool()).await.unwrap();
        rows.extend(found.iter().map(|row| row.get::<String, _>(0)));
    }
    rows
}

/// A neighbour that begins with a snapshot of what is, and goes on with facts.
#[derive(Clone, Default)]
struct Telling {
    present: Vec<Fact>,
    told: Vec<Fact>,
}

#[tonic::async_trait]
impl Outbox for Telling {
    type TailStream = BoxStream<'static, Result<TailResponse, Status>>;
    type SnapshotStream = BoxStream<'static, Result<SnapshotResponse, Status>>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        let last_seq = i64::try_from(self.told.len()).unwrap();
        let after = usize::try_from(request.get_ref().after_seq).unwrap();
        let numbered = (1..).zip(self.told.clone()).skip(after);
        let facts: Vec<_> =
            numbered.map(|(seq, fact)| Ok(TailResponse { fact: Some(Fact { seq, ..fact }), last_seq })).collect();
        Ok(Response::new(stream::iter(facts).chain(stream::pending()).boxed()))
    }

    async fn snapshot(&self, _: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        let present = self.present.clone().into_iter().map(|fact| SnapshotResponse { fact: Some(fact), end_seq: None });
        let end = SnapshotResponse { fact: None, end_seq: Some(0) };
        let rows: Vec<_> = present.chain([end]).map(Ok).collect();
        Ok(Response::new(stream::iter(rows).boxed()))
    }
}

fn fact<M: Message + Name>(key: Uuid, fact: &M) -> Fact {
    let (kind, payload) = (M::full_name(), fact.encode_to_vec());
    Fact { seq: 0, kind, key: key.to_string(), payload, traceparent: String::new() }
}

/// What a feed copies that hears these.
async fn copied_from(graph: Telling, profile: Telling) -> Vec<String> {
    let last = |telling: &Telling| i64::try_from(telling.told.len()).unwrap();
    let (graph_last, profile_last) = (last(&graph), last(&profile));
    let stand = Stand::beside(|builder| {
        builder
            .neighbour("social-graph", Routes::new(OutboxServer::new(graph)))
            .neighbour("profile", Routes::new(OutboxServer::new(profile)))
    })
    .await;
    stand.harness.heard("social-graph", graph_last).await;
    stand.harness.heard("profile", profile_last).await;
    assert_eq!(stand.count("select count(*) from feed.dead_facts").await, 0);
    let copied = copied(&stand).await;
    stand.harness.stop().await;
    copied
}

#[tokio::test]
async fn told_once_or_twice_or_as_it_is_now_it_is_the_same() {
    let [one, two, three, four, five] = [1, 2, 3, 4, 5].map(member);
    let (here, gone) = (community(1), community(2));
    let (stood, ended) = (member(50), member(51));
    let removed = ConnectionRemoved {
        connection_id: ended.to_string(),
        requester_id: three.to_string(),
        recipient_id: one.to_string(),
    };
    let of_graph = vec![
        fact(stood, &accepted(stood, one, two)),
        fact(ended, &accepted(ended, three, one)),
        fact(here, &called(here, "Moot Court")),
        fact(gone, &called(gone, "Gone")),
        fact(here, &joined(here, one)),
        fact(here, &joined(here, four)),
        fact(gone, &joined(gone, one)),
        fact(one, &blocked(one, five)),
        fact(five, &blocked(five, one)),
        fact(ended, &removed),
        fact(here, &called(here, "Moot Court Society")),
        fact(here, &left(here, four)),
        fact(one, &unblocked(one, five)),
        fact(gone, &CommunityRemoved { community_id: gone.to_string() }),
    ];
    let of_profile = vec![
        fact(one, &studies(one, Some("Yale  Law School"))),
        fact(two, &studies(two, Some("Ateneo"))),
        fact(three, &studies(three, Some("Ateneo"))),
        fact(two, &studies(two, Some(""))),
        // Hidden, or gone.
        fact(three, &studies(three, None)),
        fact(one, &studies(one, Some("YALE law school"))),
    ];
    let mut expected = vec![
        format!("connections ({one},{stood},{two})"),
        format!("connections ({two},{stood},{one})"),
        format!("communities ({here},\"Moot Court Society\")"),
        format!("memberships ({one},{here})"),
        format!("blocks ({five},{one})"),
        format!("members ({one},\"yale law school\")"),
    ];
    expected.sort();
    let told = |told: &[Fact], times: usize| Telling { present: vec![], told: vec![told; times].concat() };
    for times in [1, 2] {
        let mut copied = copied_from(told(&of_graph, times), told(&of_profile, times)).await;
        copied.sort();
        assert_eq!(copied, expected, "told {times} times");
    }
    let present = vec![
        fact(here, &called(here, "Moot Court Society")),
        fact(here, &joined(here, one)),
        fact(stood, &accepted(stood, one, two)),
        fact(five, &blocked(five, one)),
    ];
    let of_members = vec![fact(one, &studies(one, Some("Yale Law School"))), fact(three, &studies(three, None))];
    let now = |present: Vec<Fact>| Telling { present, told: vec![] };
    let mut copied = copied_from(now(present), now(of_members)).await;
    copied.sort();
    assert_eq!(copied, expected, "from a snapshot");
}

#[tokio::test]
async fn a_copy_is_emptied_before_it_is_filled_anew() {
    let stand = Stand::new().await;
    stand.connect(member(1), member(2)).await;
    stand.join(community(1), &[member(1)]).await;
    stand.block(member(1), member(3)).await;
    stand.study(member(1), "Yale").await;
    assert_eq!(copied(&stand).await.len(), 6);
    let mut conn = stand.pool().acquire().await.unwrap();
    feed::graph::clear(&mut conn).await.unwrap();
    feed::schools::clear(&mut conn).await.unwrap();
    assert_eq!(copied(&stand).await, [""; 0]);
}
