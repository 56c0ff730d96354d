//! Hidden members: not shown and not counted, until the account is reopened.

use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    profile::{ListEndorsementsRequest, MemberChanged},
};
use testkit::member;

use crate::{Profile, details};

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
async fn a_closed_member_is_hidden_and_a_reopened_member_is_shown() {
    let profile = Profile::with_members(3).await;
    profile.with_skills(1, &["Research"]).await;
    profile.with_skills(2, &["Drafting"]).await;
    profile.endorse(2, 1, "Research").await.unwrap();
    profile.endorse(3, 1, "Research").await.unwrap();
    profile.endorse(1, 2, "Drafting").await.unwrap();
    let facts_before = profile.fact_count::<MemberChanged>().await;

    for _ in 0..2 {
        profile.publish_auth(2, &closed(2)).await;
        assert_eq!(details(profile.get(member(2)).await).reason, "MEMBER_NOT_FOUND");
        let cards = profile.cards(&[1, 2, 3].map(|n| member(n).to_string())).await.unwrap();
        assert!(cards.len() == 2 && cards.iter().all(|card| card.id != member(2).to_string()));
        assert_eq!(profile.counts(1).await, [("Research".to_owned(), 1)]);
        assert_eq!((endorsers(&profile, 1, "Research").await, profile.connections(1).await), (1, 1));
        assert_eq!(details(profile.endorse(1, 2, "Drafting").await).reason, "SKILL_NOT_FOUND");
        profile.assert_counters_match_rows().await;
    }
    for _ in 0..2 {
        profile.publish_auth(2, &reopened(2)).await;
        assert_eq!(profile.counts(1).await, [("Research".to_owned(), 2)]);
        assert_eq!(profile.counts(2).await, [("Drafting".to_owned(), 1)]);
        assert_eq!((endorsers(&profile, 1, "Research").await, profile.connections(1).await), (2, 2));
        profile.assert_counters_match_rows().await;
    }
    assert_eq!(profile.fact_count::<MemberChanged>().await - facts_before, 2, "closed and reopened, once each");
}

#[tokio::test]
async fn changes_while_a_member_is_hidden_are_counted_after_reopening() {
    let profile = Profile::with_members(4).await;
    profile.publish_auth(2, &closed(2)).await;
    profile.disconnect(1, 2).await;
    profile.connect(2, 3).await;
    profile.assert_counters_match_rows().await;
    assert_eq!((profile.connections(1).await, profile.connections(3).await), (2, 1));
    profile.publish_auth(2, &reopened(2)).await;
    profile.assert_counters_match_rows().await;
    assert_eq!((profile.connections(2).await, profile.connections(3).await), (1, 2));
}

#[tokio::test]
async fn two_hidden_members_are_reopened_one_by_one() {
    let profile = Profile::with_members(3).await;
    for n in [1, 2] {
        profile.publish_auth(n, &closed(n)).await;
        profile.assert_counters_match_rows().await;
    }
    for n in [2, 1] {
        profile.publish_auth(n, &reopened(n)).await;
        profile.assert_counters_match_rows().await;
    }
    assert_eq!(profile.connections(1).await, 2);
}

#[tokio::test]
async fn closing_an_unknown_member_has_no_effect() {
    let profile = Profile::with_members(1).await;
    profile.publish_auth(9, &closed(9)).await;
    profile.publish_auth(9, &reopened(9)).await;
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}
