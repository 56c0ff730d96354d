//! Endorsements: only by connections, counted once, hidden by the owner.

use portia_proto::profile::{
    Endorsement, HideEndorsementRequest, ListEndorsementsRequest, ListEndorsementsResponse, ProfileAudience,
    SkillEndorsed, SkillEndorsementRemoved, SkillEndorsements, WithdrawEndorsementRequest,
};
use primitives::error::ErrorKind;
use testkit::member;
use tonic::Status;

use crate::{Profile, details};

impl Profile {
    pub async fn withdraw(&self, n: u128, of: u128, skill: &str) -> Result<SkillEndorsements, Status> {
        let request = WithdrawEndorsementRequest { member_id: member(of).to_string(), skill: skill.to_owned() };
        let request = self.by(n).request(request)?;
        Ok(self.client().withdraw_endorsement(request).await?.into_inner().endorsements.unwrap())
    }

    pub async fn hide(&self, n: u128, skill: &str, by: u128, hidden: bool) -> Result<SkillEndorsements, Status> {
        let request = HideEndorsementRequest { skill: skill.to_owned(), endorser_id: member(by).to_string(), hidden };
        let request = self.by(n).request(request)?;
        Ok(self.client().hide_endorsement(request).await?.into_inner().endorsements.unwrap())
    }

    pub async fn list(&self, n: u128, request: ListEndorsementsRequest) -> Result<ListEndorsementsResponse, Status> {
        Ok(self.client().list_endorsements(self.by(n).request(request)?).await?.into_inner())
    }
}

pub fn of(n: u128, skill: &str) -> ListEndorsementsRequest {
    ListEndorsementsRequest { member_id: member(n).to_string(), skill: skill.to_owned(), ..Default::default() }
}

pub fn endorsers(endorsements: &[Endorsement]) -> Vec<&str> {
    endorsements.iter().map(|endorsement| endorsement.endorser_id.as_str()).collect()
}

#[tokio::test]
async fn a_repeated_endorsement_changes_nothing() {
    let profile = Profile::with_members(2).await;
    profile.with_skills(1, &["Research", "Drafting"]).await;
    for _ in 0..3 {
        let standing = profile.endorse(2, 1, "Research").await.unwrap();
        assert_eq!((standing.skill.as_str(), standing.count, standing.endorsed_by_actor), ("Research", 1, true));
    }
    let seen = profile.view_profile(2, 1).await.unwrap().member.unwrap().endorsements;
    let seen: Vec<(i64, bool)> = seen.iter().map(|standing| (standing.count, standing.endorsed_by_actor)).collect();
    assert_eq!(seen, [(1, true), (0, false)]);
    let visited = profile.get(member(1)).await.unwrap().endorsements;
    assert!(!visited[0].endorsed_by_actor && visited[0].count == 1);
    for _ in 0..2 {
        let standing = profile.withdraw(2, 1, "Research").await.unwrap();
        assert_eq!((standing.count, standing.endorsed_by_actor), (0, false));
    }
    let facts_before =
        (profile.fact_count::<SkillEndorsed>().await, profile.fact_count::<SkillEndorsementRemoved>().await);
    assert_eq!(facts_before, (1, 1));
    profile.assert_counters_match_rows().await;
}

#[tokio::test]
async fn only_connections_may_endorse_and_endorsements_outlive_the_connection() {
    let profile = Profile::with_members(3).await;
    profile.with_skills(2, &["Research"]).await;
    for stranger in [3, 2] {
        let error = details(profile.endorse(stranger, 2, "Research").await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::Forbidden, "NOT_CONNECTED"), "{stranger}");
    }
    assert_eq!(profile.endorse(1, 2, "Research").await.unwrap().count, 1);
    profile.disconnect(1, 2).await;
    assert_eq!(profile.counts(2).await, [("Research".to_owned(), 1)]);
    assert_eq!(details(profile.endorse(1, 2, "Research").await).reason, "NOT_CONNECTED");
    assert_eq!(profile.withdraw(1, 2, "Research").await.unwrap().count, 0, "it can still be withdrawn");
}

#[tokio::test]
async fn an_unknown_skill_is_not_found() {
    let profile = Profile::with_members(2).await;
    profile.with_skills(1, &["Research"]).await;
    for (of, skill) in [(1, "research"), (1, "Cooking"), (9, "Research")] {
        assert_eq!(details(profile.endorse(2, of, skill).await).reason, "SKILL_NOT_FOUND");
        assert_eq!(details(profile.withdraw(2, of, skill).await).reason, "SKILL_NOT_FOUND");
        assert_eq!(details(profile.list(2, self::of(of, skill)).await).reason, "SKILL_NOT_FOUND");
    }
    for bad in ["", " ", "a\0b", "\u{202e}x", &"x".repeat(61), &"x".repeat(1 << 20)] {
        let error = details(profile.endorse(2, 1, bad).await);
        assert_eq!((error.kind, error.violations[0].field.as_str()), (ErrorKind::Invalid, "skill"), "{bad:.20?}");
    }
}

#[tokio::test]
async fn the_owner_hides_an_endorsement_and_shows_it_again() {
    let profile = Profile::with_members(4).await;
    profile.with_skills(1, &["Research"]).await;
    for n in 2..=3 {
        profile.endorse(n, 1, "Research").await.unwrap();
    }
    for _ in 0..2 {
        assert_eq!(profile.hide(1, "Research", 2, true).await.unwrap().count, 1);
    }
    let seen = profile.list(4, of(1, "Research")).await.unwrap().endorsements;
    assert_eq!(endorsers(&seen), [member(3).to_string()]);
    let own = profile.list(1, of(1, "Research")).await.unwrap().endorsements;
    assert_eq!(own.iter().map(|endorsement| endorsement.hidden).collect::<Vec<_>>(), [false, true]);
    assert_eq!(profile.endorse(2, 1, "Research").await.unwrap().count, 1, "a repetition does not show it");
    assert_eq!(profile.hide(1, "Research", 2, false).await.unwrap().count, 2);
    profile.hide(1, "Research", 2, true).await.unwrap();
    assert_eq!(profile.withdraw(2, 1, "Research").await.unwrap().count, 1);
    for (owner, skill, endorser) in [(1, "Research", 2), (1, "Research", 4), (1, "Cooking", 3), (2, "Research", 3)] {
        let error = details(profile.hide(owner, skill, endorser, true).await);
        assert_eq!((error.kind, error.reason.as_str()), (ErrorKind::NotFound, "ENDORSEMENT_NOT_FOUND"));
    }
    profile.assert_counters_match_rows().await;
    assert_eq!(profile.fact_count::<SkillEndorsed>().await, 3, "two endorsed, one shown again");
    assert_eq!(
        profile.fact_count::<SkillEndorsementRemoved>().await,
        2,
        "hidden twice; the withdrawal of a hidden one publishes none"
    );
}

#[tokio::test]
async fn endorsements_are_paged_newest_first() {
    let profile = Profile::with_members(26).await;
    profile.with_skills(1, &["Research"]).await;
    for n in 2..=26 {
        profile.endorse(n, 1, "Research").await.unwrap();
        // Several endorsements have the same time.
        profile.harness.clock.advance(chrono::TimeDelta::seconds(i64::from(n % 3 == 0)));
    }
    let (mut met, mut token) = (Vec::new(), String::new());
    loop {
        let page = ListEndorsementsRequest { page_size: 4, page_token: token, ..of(1, "Research") };
        let page = profile.list(2, page).await.unwrap();
        met.extend(page.endorsements.into_iter().map(|endorsement| endorsement.endorser_id));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let newest_first: Vec<String> = (2..=26).rev().map(|n| member(n).to_string()).collect();
    assert_eq!(met, newest_first);
}

#[tokio::test]
async fn an_invalid_page_token_is_refused() {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let profile = Profile::with_members(2).await;
    profile.with_skills(1, &["Research"]).await;
    profile.endorse(2, 1, "Research").await.unwrap();
    let id = member(2);
    for at in [i64::MIN, i64::MAX, -1, 0] {
        let token = URL_SAFE_NO_PAD.encode(format!(r#"{{"endorsed":{at},"id":"{id}"}}"#));
        let answer = profile.list(2, ListEndorsementsRequest { page_token: token, ..of(1, "Research") }).await;
        assert!(answer.is_ok_and(|page| page.endorsements.is_empty()) || at == 0, "{at}");
    }
    for bad in ["x", "\0", &"A".repeat(100_000), &URL_SAFE_NO_PAD.encode(r#"{"recent":1}"#)] {
        let answer = profile.list(2, ListEndorsementsRequest { page_token: bad.into(), ..of(1, "Research") }).await;
        assert_eq!(details(answer).violations[0].field, "pageToken");
    }
    let answer = profile.list(2, ListEndorsementsRequest { page_size: -1, ..of(1, "Research") }).await;
    assert_eq!(details(answer).violations[0].field, "pageSize");
}

#[tokio::test]
async fn the_skills_of_a_profile_for_connections_are_unknown_to_others() {
    let profile = Profile::with_members(3).await;
    profile.with_skills(2, &["Research"]).await;
    profile.endorse(1, 2, "Research").await.unwrap();
    profile.set_audience(2, ProfileAudience::Connections).await;
    for skill in ["Research", "Unknown"] {
        for refused in [profile.endorse(3, 2, skill).await, profile.withdraw(3, 2, skill).await] {
            assert_eq!(details(refused).reason, "SKILL_NOT_FOUND", "{skill}");
        }
    }
    assert_eq!(profile.endorse(1, 2, "Research").await.unwrap().count, 1, "a connection");
    profile.disconnect(1, 2).await;
    assert_eq!(profile.withdraw(1, 2, "Research").await.unwrap().count, 0, "the own one can still be withdrawn");
    assert_eq!(details(profile.withdraw(1, 2, "Research").await).reason, "SKILL_NOT_FOUND");
    profile.assert_counters_match_rows().await;
}
