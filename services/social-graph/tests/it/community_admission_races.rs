//! Concurrent admissions: one membership whatever comes first, and no erasure that waits in a circle.

use crate::{
    community_admission::{INVITATION, PUBLIC, REQUEST},
    connection_races::{Tally, race, reason},
    fixtures::Fixture,
};

const REPETITIONS: u128 = 60;

#[tokio::test]
async fn an_approval_concurrent_with_a_withdrawal_leaves_no_request() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(9_999, "Moot", PUBLIC, REQUEST).await.unwrap().id;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        graph.join_community(who, &id).await.unwrap();
        let (approved, left) =
            race(n, graph.answer_join_request(9_999, &id, who, true), graph.leave_community(who, &id)).await;
        left.unwrap();
        *tally.entry(reason(approved)).or_default() += 1;
    }
    assert!(graph.join_requests(9_999, &id, 100).await.unwrap().is_empty());
    assert!(tally.contains_key("JOIN_REQUEST_NOT_FOUND") || tally.contains_key("OK"), "{tally:?}");
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn an_invitation_concurrent_with_a_ban_does_not_survive_it() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(9_999, "Moot", PUBLIC, INVITATION).await.unwrap().id;
    for n in 0..REPETITIONS {
        let who = n + 1;
        graph.create_community(who, &format!("Own {n}")).await.unwrap();
        let (invited, banned) =
            race(n, graph.invite(9_999, &id, who), graph.remove_member(9_999, &id, who, true)).await;
        banned.unwrap();
        assert!(["OK", "MEMBER_BANNED"].contains(&reason(invited).as_str()));
        assert_eq!(graph.join_community(who, &id).await.unwrap_err().reason, "BANNED");
    }
    assert!(graph.invitations(9_999, &id, 100).await.unwrap().is_empty());
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_dissolution_concurrent_with_an_erasure_succeeds() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (owner, erased) = (2 * n + 1, 2 * n + 2);
        let id = graph.create_community(owner, &format!("Moot {n}")).await.unwrap().id;
        // The erasure deletes the community of the member alone, and so locks the totals; the dissolution deletes the ban.
        graph.create_community(erased, &format!("Own {n}")).await.unwrap();
        graph.remove_member(owner, &id, erased, true).await.unwrap();
        let (dissolved, ()) = race(n, graph.dissolve(owner, &id), graph.erase(erased)).await;
        dissolved.unwrap();
    }
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}
