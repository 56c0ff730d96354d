//! Two at once in communities and about events: somebody always owns a community, counts are true, and facts tell the same
//! story as the rows.

use std::collections::BTreeMap;

use futures::FutureExt as _;
use portia_proto::social_graph::CommunityRole;

use crate::{
    gatherings::VISITOR,
    graph::Graph,
    races::{REPETITIONS, Tally, pair, race, reason},
};

const OWNER: CommunityRole = CommunityRole::Owner;
const MEMBER: CommunityRole = CommunityRole::Member;

impl Graph {
    async fn assert_sound(&self) {
        self.assert_true().await;
        self.assert_told().await;
        self.assert_told_of_events().await;
    }

    /// A community of two who both own it.
    async fn shared(&self, n: u128) -> (String, u128, u128) {
        let (a, b) = pair(n);
        let id = self.founds(a, &format!("Community {n}")).await.unwrap().id;
        self.joins(b, &id).await.unwrap();
        self.appoints(a, &id, b, OWNER).await.unwrap();
        (id, a, b)
    }
}

#[tokio::test]
async fn joining_against_leaving() {
    let graph = Graph::empty().await;
    let id = graph.founds(9_999, "Moot").await.unwrap().id;
    let mut tally = BTreeMap::<bool, u32>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        if n.is_multiple_of(3) {
            graph.joins(who, &id).await.unwrap();
        }
        let (joined, left) = race(n, graph.joins(who, &id), graph.leaves(who, &id)).await;
        assert_eq!((joined.unwrap().role(), left.unwrap().role()), (MEMBER, CommunityRole::Unspecified));
        let stays = graph.community(who, &id).await.unwrap().role() == MEMBER;
        *tally.entry(stays).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}: both happen, or this is no race");
    let stayed = i64::from(tally[&true]);
    assert_eq!(graph.community(VISITOR, &id).await.unwrap().member_count, stayed + 1);
    graph.assert_sound().await;
}

#[tokio::test]
async fn joining_twice_is_once_and_leaving_twice_too() {
    let graph = Graph::empty().await;
    let id = graph.founds(9_999, "Moot").await.unwrap().id;
    for n in 0..REPETITIONS {
        let who = n + 1;
        let (one, other) = race(n, graph.joins(who, &id), graph.joins(who, &id)).await;
        assert_eq!(one.unwrap(), other.unwrap());
        if n.is_multiple_of(2) {
            let (one, other) = race(n / 2, graph.leaves(who, &id), graph.leaves(who, &id)).await;
            assert_eq!(one.unwrap(), other.unwrap());
        }
    }
    graph.assert_sound().await;
}

#[tokio::test]
async fn of_two_owners_who_leave_one_stays() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (id, a, b) = graph.shared(n).await;
        let (one, other) = race(n, graph.leaves(a, &id), graph.leaves(b, &id)).await;
        let outcome = (reason(one), reason(other));
        assert!(["OK", "LAST_OWNER"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1, "{outcome:?}");
        assert_eq!(graph.members(VISITOR, &id, 0).await.len(), 1);
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    graph.assert_sound().await;
}

#[tokio::test]
async fn of_two_owners_who_make_each_other_members_one_stays() {
    let graph = Graph::empty().await;
    for n in 0..REPETITIONS {
        let (id, a, b) = graph.shared(n).await;
        let (one, other) = race(n, graph.appoints(a, &id, b, MEMBER), graph.appoints(b, &id, a, MEMBER)).await;
        let mut outcome = [reason(one), reason(other)];
        outcome.sort();
        assert_eq!(outcome, ["NOT_OWNER", "OK"]);
    }
    graph.assert_sound().await;
}

#[tokio::test]
async fn an_owner_leaves_while_the_heir_does() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.founds(a, &format!("Community {n}")).await.unwrap().id;
        graph.joins(b, &id).await.unwrap();
        let (made, left) = race(n, graph.appoints(a, &id, b, OWNER), graph.leaves(b, &id)).await;
        let outcome = (reason(made), reason(left));
        assert!(["OK", "MEMBER_NOT_FOUND"].contains(&outcome.0.as_str()) && outcome.1 == "OK", "{outcome:?}");
        assert_eq!(graph.members(VISITOR, &id, 0).await, [(a, true)]);
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    graph.assert_sound().await;
}

#[tokio::test]
async fn an_account_closed_while_its_member_joins_comes_and_leaves_is_in_no_count() {
    let graph = Graph::empty().await;
    let moot = graph.founds(9_998, "Moot").await.unwrap().id;
    let review = graph.founds(9_999, "Review").await.unwrap().id;
    let event = graph.announces(9_999, graph.poster("Finals")).await.unwrap().id;
    let mut tally = BTreeMap::<i64, u32>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        graph.joins(who, &review).await.unwrap();
        // Word of a closed account takes as long as some calls do, and nobody knows how many on a busy machine.
        let (joiner, told) = if n % 32 < 16 { (n % 16, 0) } else { (0, n % 16) };
        let wait = async |calls| {
            for _ in 0..calls {
                graph.community(who, &review).await.unwrap();
            }
        };
        let ((), (joined, left, said)) = tokio::join!(wait(told).then(|()| graph.close(who)), async {
            wait(joiner).await;
            tokio::join!(graph.joins(who, &moot), graph.leaves(who, &review), graph.attends(who, &event))
        });
        assert!(left.is_ok() && said.is_ok());
        // One more, or as many as before: whoever joins after the account is closed is not counted.
        *tally.entry(joined.unwrap().member_count).or_default() += 1;
        if n.is_multiple_of(4) {
            let ((), left) = race(n / 4, graph.reopen(who), graph.leaves(who, &moot)).await;
            left.unwrap();
        }
    }
    assert!(tally.keys().eq(&[1, 2]), "{tally:?}: both happen, or this is no race");
    assert_eq!(graph.community(VISITOR, &moot).await.unwrap().member_count, 1, "the rest is closed or left");
    graph.assert_sound().await;
}

#[tokio::test]
async fn an_account_erased_while_others_come_and_go_leaves_its_community_owned() {
    let graph = Graph::empty().await;
    for n in 0..100 {
        let (a, b) = pair(n);
        let id = graph.founds(a, &format!("Community {n}")).await.unwrap().id;
        if n.is_multiple_of(3) {
            graph.joins(b, &id).await.unwrap();
        }
        let ((), came) = race(n, graph.erase(a), async {
            if n.is_multiple_of(6) { graph.leaves(b, &id).await } else { graph.joins(b, &id).await }
        })
        .await;
        assert!(["OK", "COMMUNITY_NOT_FOUND", "LAST_OWNER"].contains(&reason(came).as_str()));
    }
    graph.assert_sound().await;
}

#[tokio::test]
async fn of_two_communities_of_one_name_one_is_founded() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let (name, twin) = (format!("Community {n}"), format!(" COMMUNITY  {n}"));
        let (one, other) = race(n, graph.founds(a, &name), graph.founds(b, &twin)).await;
        let outcome = (reason(one), reason(other));
        assert!(["OK", "COMMUNITY_NAME_TAKEN"].contains(&outcome.0.as_str()) && outcome.0 != outcome.1, "{outcome:?}");
        *tally.entry(outcome.0).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    assert_eq!(i64::try_from(REPETITIONS).unwrap(), graph.communities(VISITOR, Default::default()).await.total);
    graph.assert_sound().await;
}

#[tokio::test]
async fn attending_against_not_attending() {
    let graph = Graph::empty().await;
    let id = graph.announces(9_999, graph.poster("Finals")).await.unwrap().id;
    let mut tally = BTreeMap::<bool, i64>::new();
    for n in 0..REPETITIONS {
        let who = n + 1;
        if n.is_multiple_of(3) {
            graph.attends(who, &id).await.unwrap();
        }
        let (said, unsaid) = race(n, graph.attends(who, &id), graph.unattends(who, &id)).await;
        assert!(said.unwrap().attending && !unsaid.unwrap().attending);
        *tally.entry(graph.event(who, &id).await.unwrap().attending).or_default() += 1;
    }
    assert_eq!(tally.len(), 2, "{tally:?}");
    assert_eq!(graph.event(VISITOR, &id).await.unwrap().attendee_count, tally[&true] + 1);
    graph.assert_sound().await;
}

#[tokio::test]
async fn an_event_called_off_while_others_say_that_they_come_leaves_nothing() {
    let graph = Graph::empty().await;
    let mut tally = Tally::new();
    for n in 0..REPETITIONS {
        let (a, b) = pair(n);
        let id = graph.announces(a, graph.poster("Finals")).await.unwrap().id;
        let (cancelled, said) = race(n, graph.cancels(a, &id), graph.attends(b, &id)).await;
        cancelled.unwrap();
        *tally.entry(reason(said)).or_default() += 1;
    }
    assert!(tally.keys().eq(["EVENT_NOT_FOUND", "OK"]), "{tally:?}");
    let rows: i64 = sqlx::query_scalar("select count(*) from social_graph.attendances")
        .fetch_one(graph.harness.pool())
        .await
        .unwrap();
    assert_eq!(rows, 0);
    graph.assert_sound().await;
}
