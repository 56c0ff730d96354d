//! Concurrent moderation: a ban beside a join, and a transfer beside the end of an account.

use std::collections::BTreeMap;

use portia_proto::social_graph::CommunityRole;

use crate::{
    actors::VISITOR,
    connection_races::{REPETITIONS, Tally, pair, race, reason},
    fixtures::Fixture,
};

#[tokio::test]
async fn a_member_banned_while_joining_is_not_a_member_afterwards() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(9_999, "Moot").await.unwrap().id;
    let other = graph.create_community(9_998, "Review").await.unwrap().id;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        // Known to the service.
        graph.join_community(who, &other).await.unwrap();
        let (joined, banned) =
            race(n, graph.join_community(who, &id), graph.remove_member(9_999, &id, who, true)).await;
        banned.unwrap();
        *tally.entry(reason(joined)).or_default() += 1;
        assert_eq!(graph.join_community(who, &id).await.unwrap_err().reason, "BANNED");
    }
    assert_eq!(graph.members(VISITOR, &id, 100).await, [(9_999, true)]);
    assert_eq!(graph.community(VISITOR, &id).await.unwrap().member_count, 1);
    assert_eq!(tally.keys().collect::<Vec<_>>(), ["BANNED", "OK"], "both outcomes must occur");
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn of_two_moderators_who_ban_one_member_concurrently_one_is_logged() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(9_999, "Moot").await.unwrap().id;
    graph.join_community(9_998, &id).await.unwrap();
    graph.set_role(9_999, &id, 9_998, CommunityRole::Moderator).await.unwrap();
    for n in 0..REPETITIONS {
        let who = n + 1;
        graph.join_community(who, &id).await.unwrap();
        let (one, other) =
            race(n, graph.remove_member(9_999, &id, who, true), graph.remove_member(9_998, &id, who, true)).await;
        one.unwrap();
        other.unwrap();
    }
    let entries = "select count(*) from social_graph.community_log where action = 'member_banned'";
    let entries: i64 = sqlx::query_scalar(entries).fetch_one(graph.harness.pool()).await.unwrap();
    assert_eq!(u128::try_from(entries).unwrap(), REPETITIONS);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}

#[tokio::test]
async fn a_transfer_concurrent_with_an_erasure_leaves_an_owner() {
    let graph = Fixture::empty().await;
    let mut tally = BTreeMap::<String, u32>::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_community(a, &format!("Community {n}")).await.unwrap().id;
        graph.join_community(b, &id).await.unwrap();
        graph.join_community(9_999, &id).await.unwrap();
        graph.set_role(a, &id, b, CommunityRole::Moderator).await.unwrap();
        let erased = if n % 4 < 2 { a } else { b };
        let (transferred, ()) = race(n, graph.transfer(a, &id, b), graph.erase(erased)).await;
        *tally.entry(reason(transferred)).or_default() += 1;
        let owners = graph.members(VISITOR, &id, 0).await.iter().filter(|(_, is_owner)| *is_owner).count();
        assert_eq!(owners, 1);
        let references = graph.harness.database().tables_referencing(testkit::member(erased)).await;
        assert!(references.is_empty(), "{references:?}");
    }
    assert!(tally.contains_key("OK"), "{tally:?}");
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}
