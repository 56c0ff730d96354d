//! Concurrent calls on communities and events: every community keeps an owner, and counts and facts match the rows.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use portia_proto::social_graph::CommunityRole;

use crate::{
    actors::VISITOR,
    connection_races::{REPETITIONS, Tally, pair, race, reason},
    fixtures::Fixture,
};

const OWNER: CommunityRole = CommunityRole::Owner;
const MEMBER: CommunityRole = CommunityRole::Member;

impl Fixture {
    async fn assert_consistent(&self) {
        self.assert_invariants().await;
        self.assert_community_facts().await;
        self.assert_event_facts().await;
    }

    /// A community with two owners.
    async fn community_of_two_owners(&self, n: u128) -> (String, u128, u128) {
        let (a, b) = pair(n);
        let id = self.create_community(a, &format!("Community {n}")).await.unwrap().id;
        self.join_community(b, &id).await.unwrap();
        self.set_role(a, &id, b, OWNER).await.unwrap();
        (id, a, b)
    }
}

#[tokio::test]
async fn concurrent_join_and_leave_keep_the_count() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(9_999, "Moot").await.unwrap().id;
    let mut tally = BTreeMap::<bool, u32>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        if n.is_multiple_of(3) {
            graph.join_community(who, &id).await.unwrap();
        }
        let (joined, left) = race(n, graph.join_community(who, &id), graph.leave_community(who, &id)).await;
        assert_eq!((joined.unwrap().role(), left.unwrap().role()), (MEMBER, CommunityRole::Unspecified));
        let stays = graph.community(who, &id).await.unwrap().role() == MEMBER;
        *tally.entry(stays).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}: both outcomes must occur");
    let stayed = i64::from(tally[&true]);
    assert_eq!(graph.community(VISITOR, &id).await.unwrap().member_count, stayed + 1);
    graph.assert_consistent().await;
}

#[tokio::test]
async fn concurrent_duplicate_joins_and_leaves_have_one_effect() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(9_999, "Moot").await.unwrap().id;
    for n in 0..REPETITIONS {
        let who = n + 1;
        let (one, other) = race(n, graph.join_community(who, &id), graph.join_community(who, &id)).await;
        assert_eq!(one.unwrap(), other.unwrap());
        if n.is_multiple_of(2) {
            let (one, other) = race(n / 2, graph.leave_community(who, &id), graph.leave_community(who, &id)).await;
            assert_eq!(one.unwrap(), other.unwrap());
        }
    }
    graph.assert_consistent().await;
}

#[tokio::test]
async fn of_two_owners_who_leave_concurrently_one_is_refused() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (id, a, b) = graph.community_of_two_owners(n).await;
        let (one, other) = race(n, graph.leave_community(a, &id), graph.leave_community(b, &id)).await;
        let outcome = (reason(one), reason(other));
        assert!(["OK", "LAST_OWNER"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1, "{outcome:?}");
        assert_eq!(graph.members(VISITOR, &id, 0).await.len(), 1);
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    graph.assert_consistent().await;
}

#[tokio::test]
async fn of_two_owners_who_demote_each_other_concurrently_one_is_refused() {
    let graph = Fixture::empty().await;
    for n in 0..REPETITIONS {
        let (id, a, b) = graph.community_of_two_owners(n).await;
        let (one, other) = race(n, graph.set_role(a, &id, b, MEMBER), graph.set_role(b, &id, a, MEMBER)).await;
        let mut outcome = [reason(one), reason(other)];
        outcome.sort();
        assert_eq!(outcome, ["NOT_OWNER", "OK"]);
    }
    graph.assert_consistent().await;
}

#[tokio::test]
async fn a_member_who_leaves_while_becoming_an_owner_leaves_an_owner_behind() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_community(a, &format!("Community {n}")).await.unwrap().id;
        graph.join_community(b, &id).await.unwrap();
        let (made, left) = race(n, graph.set_role(a, &id, b, OWNER), graph.leave_community(b, &id)).await;
        let outcome = (reason(made), reason(left));
        assert!(["OK", "MEMBER_NOT_FOUND"].contains(&outcome.0.as_str()) && outcome.1 == "OK", "{outcome:?}");
        assert_eq!(graph.members(VISITOR, &id, 0).await, [(a, true)]);
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    graph.assert_consistent().await;
}

#[tokio::test]
async fn an_account_closed_during_its_joins_and_leaves_is_in_no_count() {
    let graph = Fixture::empty().await;
    let moot = graph.create_community(9_998, "Moot").await.unwrap().id;
    let review = graph.create_community(9_999, "Review").await.unwrap().id;
    let event = graph.create_event(9_999, graph.event_text("Finals")).await.unwrap().id;
    let mut tally = BTreeMap::<i64, u32>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        graph.join_community(who, &review).await.unwrap();
        // The fact of the closed account takes as long as several calls; the number depends on the load of the machine.
        let (join_delay, close_delay) = if n % 32 < 16 { (n % 16, 0) } else { (0, n % 16) };
        let wait = async |calls| {
            for _ in 0..calls {
                graph.community(who, &review).await.unwrap();
            }
        };
        let close = wait(close_delay).then(|()| graph.deactivate(who));
        let ((), (joined, left, said)) = race(n, close, async {
            wait(join_delay).await;
            tokio::join!(
                graph.join_community(who, &moot),
                graph.leave_community(who, &review),
                graph.attend_event(who, &event)
            )
        })
        .await;
        assert!(left.is_ok() && said.is_ok());
        // A member who joins after the account is closed is not counted.
        *tally.entry(joined.unwrap().member_count).or_default() += 1;
        if n.is_multiple_of(4) {
            let ((), left) = race(n / 4, graph.reactivate(who), graph.leave_community(who, &moot)).await;
            left.unwrap();
        }
    }
    assert!(tally.keys().eq(&[1, 2]), "{tally:?}: both outcomes must occur");
    assert_eq!(graph.community(VISITOR, &moot).await.unwrap().member_count, 1, "all others are closed or left");
    graph.assert_consistent().await;
}

#[tokio::test]
async fn an_account_erased_during_joins_and_leaves_leaves_an_owner_behind() {
    let graph = Fixture::empty().await;
    for n in 0..100 {
        let (a, b) = pair(n);
        let id = graph.create_community(a, &format!("Community {n}")).await.unwrap().id;
        if n.is_multiple_of(3) {
            graph.join_community(b, &id).await.unwrap();
        }
        let ((), came) = race(n, graph.erase(a), async {
            if n.is_multiple_of(6) { graph.leave_community(b, &id).await } else { graph.join_community(b, &id).await }
        })
        .await;
        assert!(["OK", "COMMUNITY_NOT_FOUND", "LAST_OWNER"].contains(&reason(came).as_str()));
    }
    graph.assert_consistent().await;
}

#[tokio::test]
async fn of_two_concurrent_communities_with_one_name_one_is_created() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (name, twin) = (format!("Community {n}"), format!(" COMMUNITY  {n}"));
        let (one, other) = race(n, graph.create_community(a, &name), graph.create_community(b, &twin)).await;
        let outcome = (reason(one), reason(other));
        assert!(["OK", "COMMUNITY_NAME_TAKEN"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1, "{outcome:?}");
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    assert_eq!(i64::try_from(REPETITIONS).unwrap(), graph.communities(VISITOR, Default::default()).await.total);
    graph.assert_consistent().await;
}

#[tokio::test]
async fn concurrent_attend_and_unattend_keep_the_count() {
    let graph = Fixture::empty().await;
    let id = graph.create_event(9_999, graph.event_text("Finals")).await.unwrap().id;
    let mut tally = BTreeMap::<bool, i64>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        if n.is_multiple_of(3) {
            graph.attend_event(who, &id).await.unwrap();
        }
        let (said, unsaid) = race(n, graph.attend_event(who, &id), graph.unattend_event(who, &id)).await;
        assert!(said.unwrap().attending && !unsaid.unwrap().attending);
        *tally.entry(graph.event(who, &id).await.unwrap().attending).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    assert_eq!(graph.event(VISITOR, &id).await.unwrap().attendee_count, tally[&true] + 1);
    graph.assert_consistent().await;
}

#[tokio::test]
async fn an_event_cancelled_during_an_attend_leaves_no_attendance() {
    let graph = Fixture::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.create_event(a, graph.event_text("Finals")).await.unwrap().id;
        let (cancelled, said) = race(n, graph.cancel_event(a, &id), graph.attend_event(b, &id)).await;
        cancelled.unwrap();
        *tally.entry(reason(said)).or_default() += 1;
    }
    assert!(tally.keys().eq(["EVENT_NOT_FOUND", "OK"]), "{tally:?}");
    let rows: i64 = sqlx::query_scalar("select count(*) from social_graph.attendances")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert_eq!(rows, 0);
    graph.assert_consistent().await;
}
