//! A closed account: nobody sees the member, nothing counts them; and all of it comes back.

use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    profile::{ListEndorsementsRequest, MemberChanged},
};
use testkit::member;

use crate::{Profile, explained};

fn closed(n: u128) -> AccountClosed {
    AccountClosed { member_id: member(n).to_string() }
}

fn reopened(n: u128) -> AccountReopened {
    AccountReopened { member_id: member(n).to_string() }
}

async fn endorsers(profile: &Profile, of: u128, skill: &str) -> usize {
    let request =
        ListEndorsementsRequest { member_id: member(of).to_string(), skill: skill.into(), ..Default::default() };
    let request = profile.by(of).request(request).unwrap();
    profile.client().list_endorsements(request).await.unwrap().into_inner().endorsements.len()
}

#[tokio::test]
async fn a_closed_member_is_nowhere_and_a_reopened_one_is_back() {
    let profile = Profile::with_members(3).await;
    profile.with_skills(1, &["Research"]).await;
    profile.with_skills(2, &["Drafting"]).await;
    profile.endorse(2, 1, "Research").await.unwrap();
    profile.endorse(3, 1, "Research").await.unwrap();
    profile.endorse(1, 2, "Drafting").await.unwrap();
    let told = profile.told_of::<MemberChanged>().await;

    for _ in 0..2 {
        profile.auth_tells(2, &closed(2)).await;
        assert_eq!(explained(profile.get(member(2)).await).reason, "MEMBER_NOT_FOUND");
        let cards = profile.cards(&[1, 2, 3].map(|n| member(n).to_string())).await.unwrap();
        assert!(cards.len() == 2 && cards.iter().all(|card| card.id != member(2).to_string()));
        assert_eq!(profile.counts(1).await, [("Research".to_owned(), 1)]);
        assert_eq!((endorsers(&profile, 1, "Research").await, profile.connections(1).await), (1, 1));
        assert_eq!(explained(profile.endorse(1, 2, "Drafting").await).reason, "SKILL_NOT_FOUND");
        profile.assert_counters_true().await;
    }
    for _ in 0..2 {
        profile.auth_tells(2, &reopened(2)).await;
        assert_eq!(profile.counts(1).await, [("Research".to_owned(), 2)]);
        assert_eq!(profile.counts(2).await, [("Drafting".to_owned(), 1)]);
        assert_eq!((endorsers(&profile, 1, "Research").await, profile.connections(1).await), (2, 2));
        profile.assert_counters_true().await;
    }
    assert_eq!(profile.told_of::<MemberChanged>().await - told, 2, "closed and reopened, once each");
}

#[tokio::test]
async fn what_happens_while_a_member_is_hidden_is_counted_when_they_are_back() {
    let profile = Profile::with_members(4).await;
    profile.auth_tells(2, &closed(2)).await;
    profile.disconnect(1, 2).await;
    profile.connect(2, 3).await;
    profile.assert_counters_true().await;
    assert_eq!((profile.connections(1).await, profile.connections(3).await), (2, 1));
    profile.auth_tells(2, &reopened(2)).await;
    profile.assert_counters_true().await;
    assert_eq!((profile.connections(2).await, profile.connections(3).await), (1, 2));
}

#[tokio::test]
async fn two_who_are_both_hidden_come_back_one_by_one() {
    let profile = Profile::with_members(3).await;
    for n in [1, 2] {
        profile.auth_tells(n, &closed(n)).await;
        profile.assert_counters_true().await;
    }
    for n in [2, 1] {
        profile.auth_tells(n, &reopened(n)).await;
        profile.assert_counters_true().await;
    }
    assert_eq!(profile.connections(1).await, 2);
}

#[tokio::test]
async fn a_closed_member_nobody_knows_is_no_trouble() {
    let profile = Profile::with_members(1).await;
    profile.auth_tells(9, &closed(9)).await;
    profile.auth_tells(9, &reopened(9)).await;
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}
