//! The allowances of requests to connect and of follows: small for a new account, larger with its age and its connections.

use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::social_graph::{
    CommunityInvited, ConnectionStatus, FollowMemberRequest, RequestConnectionRequest, RequestConnectionResponse,
    UnfollowMemberRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use testkit::member;
use uuid::{Builder, Uuid};

use crate::{
    community_admission::{INVITATION, PRIVATE},
    fixtures::{Fixture, into_result},
};

/// The id of an account of this age.
fn account(fixture: &Fixture, age: TimeDelta) -> Uuid {
    let millis = u64::try_from((fixture.harness.clock.now() - age).timestamp_millis()).unwrap();
    Builder::from_unix_timestamp_millis(millis, &[9; 10]).into_uuid()
}

async fn ask(fixture: &Fixture, who: Uuid, other: u128) -> Result<RequestConnectionResponse, StatusDetails> {
    let request = RequestConnectionRequest { member_id: member(other).to_string() };
    let request = fixture.harness.actors.member(who).request(request).unwrap();
    into_result(fixture.client.clone().request_connection(request).await)
}

/// The number of members who could be asked, from `from` on, and the refusal of the next one.
async fn ask_until_refused(fixture: &Fixture, who: Uuid, from: u128) -> (u128, StatusDetails) {
    for other in from.. {
        if let Err(refused) = ask(fixture, who, other).await {
            return (other - from, refused);
        }
    }
    unreachable!("every request was accepted")
}

#[tokio::test]
async fn a_new_account_asks_twenty_members_a_day() {
    let fixture = Fixture::empty().await;
    let who = account(&fixture, TimeDelta::seconds(5));
    let (asked, refused) = ask_until_refused(&fixture, who, 1).await;
    assert_eq!((asked, refused.kind, refused.reason.as_str()), (20, ErrorKind::Limited, "CONNECTION_REQUESTS_WAITING"));
    // Withdrawing makes room among the waiting ones, but not in the day.
    let mut pending = sqlx::query_scalar::<_, Uuid>("select id from social_graph.connections where requester_id = $1");
    pending = pending.bind(who);
    for id in pending.fetch_all(fixture.harness.pool()).await.unwrap() {
        let remove = portia_proto::social_graph::RemoveConnectionRequest { connection_id: id.to_string() };
        let remove = fixture.harness.actors.member(who).request(remove).unwrap();
        into_result(fixture.client.clone().remove_connection(remove).await).unwrap();
    }
    let (asked, refused) = ask_until_refused(&fixture, who, 100).await;
    assert_eq!((asked, refused.reason.as_str()), (0, "CONNECTION_REQUESTS_OF_DAY"));
    assert_eq!(refused.retry_after.map(|after| after.as_secs()), Some(24 * 3_600 / 20));
    fixture.harness.clock.advance(TimeDelta::minutes(72));
    assert_eq!(ask_until_refused(&fixture, who, 100).await.0, 1, "one becomes free again");
    assert!(ask(&fixture, member(900), 901).await.is_ok(), "an old account is not concerned");
}

async fn follow(fixture: &Fixture, who: Uuid, other: u128) -> Result<(), StatusDetails> {
    let request = FollowMemberRequest { member_id: member(other).to_string() };
    let request = fixture.harness.actors.member(who).request(request).unwrap();
    into_result(fixture.client.clone().follow_member(request).await).map(drop)
}

#[tokio::test]
async fn a_new_account_follows_twenty_members_a_day() {
    let fixture = Fixture::empty().await;
    let connected = member(500);
    fixture.connect_pair(500, 501).await;
    // Old without a connection, and new.
    for who in [member(400), account(&fixture, TimeDelta::hours(47))] {
        for other in 1..=20 {
            follow(&fixture, who, other).await.unwrap();
        }
        let refused = follow(&fixture, who, 21).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "FOLLOWS_OF_DAY"));
        assert_eq!(refused.retry_after.map(|after| after.as_secs()), Some(24 * 3_600 / 20));
        // A repeated follow is not a new one, and unfollowing frees none.
        follow(&fixture, who, 20).await.unwrap();
        let unfollow = UnfollowMemberRequest { member_id: member(20).to_string() };
        let unfollow = fixture.harness.actors.member(who).request(unfollow).unwrap();
        into_result(fixture.client.clone().unfollow_member(unfollow).await).unwrap();
        assert_eq!(follow(&fixture, who, 20).await.unwrap_err().reason, "FOLLOWS_OF_DAY");
    }
    for other in 1..=40 {
        follow(&fixture, connected, other).await.unwrap();
    }
    fixture.harness.clock.advance(TimeDelta::minutes(72));
    follow(&fixture, member(400), 21).await.unwrap();
    assert_eq!(follow(&fixture, member(400), 22).await.unwrap_err().reason, "FOLLOWS_OF_DAY");
}

#[tokio::test]
async fn parallel_follows_of_a_new_account_do_not_exceed_the_allowance() {
    let fixture = Fixture::empty().await;
    let who = account(&fixture, TimeDelta::seconds(5));
    let followed = join_all((1..=30).map(|other| follow(&fixture, who, other))).await;
    assert_eq!(followed.iter().filter(|one| one.is_ok()).count(), 20);
}

#[tokio::test]
async fn the_allowance_grows_with_accepted_requests_and_age() {
    let fixture = Fixture::empty().await;
    let who = account(&fixture, TimeDelta::seconds(5));
    for other in 1..=10 {
        let id = ask(&fixture, who, other).await.unwrap().connection.unwrap().id;
        fixture.answer(other, &id, ConnectionStatus::Accepted).await.unwrap();
    }
    let (asked, _) = ask_until_refused(&fixture, who, 100).await;
    assert!((15..=25).contains(&asked), "{asked}");
    let older = account(&fixture, TimeDelta::days(8));
    assert_eq!(ask_until_refused(&fixture, older, 200).await.0, 50);
}

#[tokio::test]
async fn accepting_and_repeating_need_no_allowance() {
    let fixture = Fixture::empty().await;
    let who = account(&fixture, TimeDelta::seconds(5));
    for other in 1..=30 {
        let request = RequestConnectionRequest { member_id: who.to_string() };
        into_result(fixture.client.clone().request_connection(fixture.as_member(other, request)).await).unwrap();
    }
    for other in 1..=30 {
        let accepted = ask(&fixture, who, other).await.unwrap().connection.unwrap();
        assert_eq!(accepted.status(), ConnectionStatus::Accepted);
    }
    let (asked, _) = ask_until_refused(&fixture, who, 100).await;
    assert_eq!(asked, 50, "twenty, and one for each connection");
    assert!(ask(&fixture, who, 100).await.is_ok(), "a repeated request returns the pending one");
}

#[tokio::test]
async fn parallel_requests_do_not_exceed_the_allowance() {
    let fixture = Fixture::empty().await;
    let who = account(&fixture, TimeDelta::seconds(5));
    let asked = join_all((1..=40).map(|other| ask(&fixture, who, other))).await;
    assert_eq!(asked.iter().filter(|answer| answer.is_ok()).count(), 20);
    let stored = sqlx::query_scalar::<_, i64>("select count(*) from social_graph.connections");
    assert_eq!(stored.fetch_one(fixture.harness.pool()).await.unwrap(), 20);
}

#[tokio::test]
async fn invitations_of_strangers_use_the_same_allowance() {
    let graph = Fixture::empty().await;
    graph.register(1..=120).await;
    let mut communities = Vec::new();
    for name in ["Moot", "Debate"] {
        communities.push(graph.create_community_with(1, name, PRIVATE, INVITATION).await.unwrap().id);
    }
    graph.connect_pair(120, 1).await;
    let invited = graph.count_facts::<CommunityInvited>().await;
    // An account of more than a month, with one connection.
    for (stranger, community) in (10..=111).zip(communities.iter().cycle()) {
        let sent = graph.invite(1, community, stranger).await;
        assert_eq!(sent.is_ok(), stranger < 111, "{stranger}");
    }
    let refused = graph.invite(1, &communities[0], 112).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Limited, "INVITATIONS_OF_DAY"));
    assert!(refused.retry_after.is_some());
    assert_eq!(ask(&graph, member(1), 113).await.unwrap_err().reason, "CONNECTION_REQUESTS_OF_DAY");
    graph.invite(1, &communities[0], 120).await.unwrap();
    graph.invite(1, &communities[0], 10).await.unwrap();
    assert_eq!(
        graph.count_facts::<CommunityInvited>().await - invited,
        102,
        "a connection, and a repeated one, are free"
    );
}
