//! Own cases of moderators, and the appeals of suspended members.

use chrono::TimeDelta;
use portia_proto::{
    auth::{
        AppealSuspensionRequest, DecideSuspensionAppealRequest, GetMemberStandingRequest, ListSuspendedMembersRequest,
        ListSuspensionAppealsRequest, ModerationReason, SecurityNoticeCreated, SuspensionAppeal,
        SuspensionAppealOutcome as Outcome,
    },
    feed::{AppealCreated, ReportCreated, ReportDecided},
};
use primitives::error::StatusDetails;
use rpc::Call;
use testkit::{FactSource, member};
use tonic::Status;

use crate::{Auth, PASSWORD, browser, details};

const SUSPENDED: u128 = 1;
const MODERATOR: u128 = 8;
const OTHER: u128 = 9;

/// Members 1, 8 and 9; the last two are moderators.
async fn auth_with_moderators(feed: &FactSource) -> Auth {
    let auth = Auth::start_with(|builder| builder.upstream("feed", feed.routes())).await;
    auth.member(SUSPENDED).await;
    for n in [MODERATOR, OTHER] {
        auth.moderator(n).await;
    }
    auth
}

fn report(n: u128, reporter: u128, subject: u128) -> ReportCreated {
    ReportCreated {
        report_id: member(n).to_string(),
        kind: "member".into(),
        item_id: member(subject).to_string(),
        reporter_id: member(reporter).to_string(),
        subject_member_id: member(subject).to_string(),
        decided: false,
    }
}

fn decided(report: &ReportCreated, moderator: Option<u128>) -> ReportDecided {
    ReportDecided {
        report_id: report.report_id.clone(),
        kind: report.kind.clone(),
        item_id: report.item_id.clone(),
        subject_member_id: Some(report.subject_member_id.clone()),
        removed: false,
        moderator_id: moderator.map(|n| member(n).to_string()),
        reason: moderator.map(|_| "no-violation".to_owned()),
        note: None,
        removal_id: None,
    }
}

impl Auth {
    async fn moderator(&self, n: u128) {
        self.member(n).await;
        self.grant(&format!("member.{n}")).await.unwrap();
    }

    async fn apply<M: prost::Message + prost::Name>(&self, feed: &FactSource, fact: &M) {
        let seq = feed.publish("item", fact);
        self.harness.wait_until_applied("feed", seq).await;
    }

    /// The refusal of a sign-in with the right password.
    async fn refused_sign_in(&self) -> StatusDetails {
        details(self.login("member.1", PASSWORD).await)
    }

    async fn appeal_token(&self) -> String {
        self.refused_sign_in().await.metadata["appealToken"].clone()
    }

    async fn appeal(&self, token: &str, text: &str) -> Result<(), Status> {
        let request =
            AppealSuspensionRequest { token: token.into(), text: text.into(), browser: Some(browser("192.0.2.7")) };
        self.client().appeal_suspension(self.request(request)).await.map(drop)
    }

    async fn appeals(&self, who: &Call, decided: bool) -> Vec<SuspensionAppeal> {
        let request = who.request(ListSuspensionAppealsRequest { decided, ..Default::default() }).unwrap();
        self.client().list_suspension_appeals(request).await.unwrap().into_inner().appeals
    }

    async fn decide_appeal(&self, who: &Call, id: &str, outcome: Outcome) -> Result<SuspensionAppeal, Status> {
        let reason = match outcome {
            Outcome::Overturned => ModerationReason::NoViolation,
            _ => ModerationReason::Spam,
        };
        let request = DecideSuspensionAppealRequest {
            suspension_id: id.into(),
            outcome: outcome.into(),
            reason: reason.into(),
            note: Some("Read twice.".into()),
        };
        let decided = self.client().decide_suspension_appeal(who.request(request).unwrap()).await?.into_inner();
        Ok(decided.appeal.unwrap())
    }

    /// Member 1 is suspended by a moderator and appeals. Returns the id of the appeal.
    async fn appealed(&self) -> String {
        self.suspend_as(&self.as_moderator(MODERATOR), SUSPENDED).await.unwrap();
        self.appeal(&self.appeal_token().await, "I sold my own notes.").await.unwrap();
        self.appeals(&self.as_moderator(OTHER), false).await.remove(0).id
    }

    async fn is_decidable(&self, who: u128) -> bool {
        let request = GetMemberStandingRequest { member_id: member(SUSPENDED).to_string() };
        let request = self.as_moderator(who).request(request).unwrap();
        self.client().get_member_standing(request).await.unwrap().into_inner().standing.unwrap().decidable
    }
}

#[tokio::test]
async fn a_reporter_neither_suspends_nor_restores_the_reported_member() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let (reporter, other) = (auth.as_moderator(MODERATOR), auth.as_moderator(OTHER));
    let filed = report(1, MODERATOR, SUSPENDED);
    auth.apply(&feed, &filed).await;
    assert!(!auth.is_decidable(MODERATOR).await && auth.is_decidable(OTHER).await);
    assert_eq!(details(auth.suspend_as(&reporter, SUSPENDED).await).reason, "OWN_CASE");
    // Also after the decision on the report.
    auth.apply(&feed, &decided(&filed, Some(OTHER))).await;
    assert_eq!(details(auth.suspend_as(&reporter, SUSPENDED).await).reason, "OWN_CASE");
    auth.suspend_as(&other, SUSPENDED).await.unwrap();
    assert_eq!(details(auth.restore_as(&reporter, SUSPENDED).await).reason, "OWN_CASE");
    let request = reporter.request(ListSuspendedMembersRequest::default()).unwrap();
    let listed = auth.client().list_suspended_members(request).await.unwrap().into_inner().members;
    assert!(!listed[0].decidable);
}

#[tokio::test]
async fn a_moderator_does_not_suspend_a_member_who_reports_them_until_another_one_decided() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let reported = auth.as_moderator(MODERATOR);
    let (first, second) = (report(1, SUSPENDED, MODERATOR), report(2, SUSPENDED, MODERATOR));
    auth.apply(&feed, &first).await;
    assert_eq!(details(auth.suspend_as(&reported, SUSPENDED).await).reason, "OWN_CASE");
    auth.apply(&feed, &second).await;
    // An operator dismisses one report; the other one stays open.
    auth.apply(&feed, &decided(&first, None)).await;
    assert_eq!(details(auth.suspend_as(&reported, SUSPENDED).await).reason, "OWN_CASE");
    auth.apply(&feed, &decided(&second, Some(OTHER))).await;
    auth.suspend_as(&reported, SUSPENDED).await.unwrap();
}

#[tokio::test]
async fn a_moderator_does_not_suspend_an_author_who_appealed_against_them() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let appealed = |removed_by: Option<u128>, n| AppealCreated {
        removal_id: member(n).to_string(),
        kind: "post".into(),
        item_id: member(n).to_string(),
        author_id: member(SUSPENDED).to_string(),
        removed_by: removed_by.map(|n| member(n).to_string()),
    };
    auth.apply(&feed, &appealed(None, 1)).await;
    auth.apply(&feed, &appealed(Some(MODERATOR), 2)).await;
    assert_eq!(details(auth.suspend_as(&auth.as_moderator(MODERATOR), SUSPENDED).await).reason, "OWN_CASE");
    auth.suspend_as(&auth.as_moderator(OTHER), SUSPENDED).await.unwrap();
}

#[tokio::test]
async fn the_disputes_of_an_erased_or_unknown_account_are_not_stored() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    auth.apply(&feed, &report(1, 77, MODERATOR)).await;
    assert_eq!(auth.value::<i64>("select count(*) from auth.disputes").await, 0);
    auth.apply(&feed, &report(2, SUSPENDED, MODERATOR)).await;
    assert_eq!(auth.value::<i64>("select count(*) from auth.disputes").await, 1);
    auth.harness.database().run(format!("delete from auth.accounts where id = '{}'", member(SUSPENDED))).await;
    assert_eq!(auth.value::<i64>("select count(*) from auth.disputes").await, 0);
}

#[tokio::test]
async fn the_moderator_who_suspended_does_not_decide_again() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let (one, other) = (auth.as_moderator(MODERATOR), auth.as_moderator(OTHER));
    auth.suspend_as(&one, SUSPENDED).await.unwrap();
    assert_eq!(details(auth.suspend_as(&one, SUSPENDED).await).reason, "ALREADY_DECIDED");
    assert_eq!(details(auth.restore_as(&one, SUSPENDED).await).reason, "OWN_CASE");
    auth.restore_as(&other, SUSPENDED).await.unwrap();
    assert_eq!(details(auth.suspend_as(&one, SUSPENDED).await).reason, "OWN_CASE");
}

#[tokio::test]
async fn a_suspended_member_appeals_once_and_another_moderator_lifts_the_suspension() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let (one, other) = (auth.as_moderator(MODERATOR), auth.as_moderator(OTHER));
    auth.suspend_as(&one, SUSPENDED).await.unwrap();
    assert!(details(auth.login("member.1", "wrong password").await).metadata.is_empty());
    let refused = auth.refused_sign_in().await;
    assert_eq!((refused.reason.as_str(), refused.metadata["appealState"].as_str()), ("ACCOUNT_SUSPENDED", "possible"));
    let earlier = refused.metadata["appealToken"].clone();
    let token = auth.appeal_token().await;
    assert_eq!(details(auth.appeal(&earlier, "One").await).reason, "APPEAL_TOKEN_REFUSED", "a sign-in replaced it");
    auth.appeal(&token, "I sold my own notes.").await.unwrap();
    assert_eq!(details(auth.appeal(&token, "Two").await).reason, "APPEAL_TOKEN_REFUSED");
    let waiting = auth.refused_sign_in().await;
    assert_eq!((waiting.metadata["appealState"].as_str(), waiting.metadata.get("appealToken")), ("waiting", None));

    assert!(!auth.appeals(&one, false).await[0].decidable);
    let listed = auth.appeals(&other, false).await.remove(0);
    assert!(listed.decidable);
    assert_eq!((listed.username.as_str(), listed.appeal.as_str()), ("Member.1", "I sold my own notes."));
    assert_eq!((listed.moderator.as_deref(), listed.reason.as_deref()), (Some("Member.8"), Some("spam")));
    assert_eq!(details(auth.decide_appeal(&one, &listed.id, Outcome::Overturned).await).reason, "OWN_CASE");
    for _ in 0..2 {
        let decided = auth.decide_appeal(&other, &listed.id, Outcome::Overturned).await.unwrap();
        assert_eq!((decided.outcome(), decided.decider.as_deref()), (Outcome::Overturned, Some("Member.9")));
    }
    assert!(auth.login("member.1", PASSWORD).await.is_ok());
    assert!(auth.appeals(&other, false).await.is_empty());
    assert_eq!(auth.appeals(&other, true).await.len(), 1);
    let audit = auth.audit_of(member(SUSPENDED)).await;
    for event in ["suspension appealed", "appeal overturned", "restored"] {
        assert_eq!(audit.iter().filter(|row| *row == event).count(), 1, "{event}: {audit:?}");
    }
    // The first moderator does not undo the decision.
    assert_eq!(details(auth.suspend_as(&one, SUSPENDED).await).reason, "OWN_CASE");
    // The export has the appeal, and names no moderator.
    let mine = serde_json::to_string(&auth.sign_in(1, "").await.exported().await).unwrap();
    assert!(mine.contains("I sold my own notes.") && mine.contains("overturned"), "{mine}");
    assert!(!mine.contains("Read twice.") && !mine.contains(&member(OTHER).to_string()), "{mine}");
}

#[tokio::test]
async fn a_lifted_suspension_is_a_notice_to_the_member() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let id = auth.appealed().await;
    let notices = || async {
        let keys = auth.facts::<SecurityNoticeCreated>().await;
        keys.iter().filter(|key| **key == member(SUSPENDED).to_string()).count()
    };
    assert_eq!(notices().await, 0);
    auth.decide_appeal(&auth.as_moderator(OTHER), &id, Outcome::Overturned).await.unwrap();
    assert_eq!(notices().await, 1);
}

#[tokio::test]
async fn an_upheld_appeal_is_shown_at_the_sign_in_and_a_new_suspension_can_be_appealed() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let id = auth.appealed().await;
    let other = auth.as_moderator(OTHER);
    auth.decide_appeal(&other, &id, Outcome::Upheld).await.unwrap();
    let refused = auth.refused_sign_in().await;
    assert_eq!((refused.metadata["appealState"].as_str(), refused.metadata.len()), ("upheld", 1));
    auth.moderator(10).await;
    let third = auth.as_moderator(10);
    assert_eq!(details(auth.decide_appeal(&third, &id, Outcome::Overturned).await).reason, "ALREADY_DECIDED");
    auth.restore("member.1").await.unwrap();
    auth.suspend_as(&third, SUSPENDED).await.unwrap();
    assert_eq!(auth.refused_sign_in().await.metadata["appealState"], "possible");
}

#[tokio::test]
async fn a_suspension_by_an_operator_is_not_appealed_in_portia() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    auth.suspend("member.1", None).await.unwrap();
    let refused = auth.refused_sign_in().await;
    assert_eq!((refused.metadata["appealState"].as_str(), refused.metadata.len()), ("unavailable", 1));
}

#[tokio::test]
async fn a_token_expires_and_ends_with_the_suspension() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    auth.suspend_as(&auth.as_moderator(MODERATOR), SUSPENDED).await.unwrap();
    let token = auth.appeal_token().await;
    auth.harness.clock.advance(TimeDelta::minutes(30));
    assert_eq!(details(auth.appeal(&token, "Late").await).reason, "APPEAL_TOKEN_REFUSED");
    let token = auth.appeal_token().await;
    auth.restore("member.1").await.unwrap();
    assert_eq!(details(auth.appeal(&token, "Free").await).reason, "APPEAL_TOKEN_REFUSED");
    for token in ["", "x", "\0", &"A".repeat(43)] {
        assert_eq!(details(auth.appeal(token, "Guess").await).reason, "APPEAL_TOKEN_REFUSED");
    }
}

#[tokio::test]
async fn an_open_appeal_ends_with_the_suspension() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let id = auth.appealed().await;
    auth.restore("member.1").await.unwrap();
    let other = auth.as_moderator(OTHER);
    assert!(auth.appeals(&other, false).await.is_empty());
    assert_eq!(details(auth.decide_appeal(&other, &id, Outcome::Upheld).await).reason, "ALREADY_DECIDED");
}

#[tokio::test]
async fn of_concurrent_appeals_and_decisions_one_counts() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    auth.moderator(10).await;
    auth.suspend_as(&auth.as_moderator(MODERATOR), SUSPENDED).await.unwrap();
    let token = auth.appeal_token().await;
    let appeals = futures::future::join_all((0..4).map(|_| auth.appeal(&token, "Please."))).await;
    assert_eq!(appeals.iter().filter(|appeal| appeal.is_ok()).count(), 1);
    let (one, other) = (auth.as_moderator(OTHER), auth.as_moderator(10));
    let id = auth.appeals(&one, false).await.remove(0).id;
    let (upheld, overturned) = futures::join!(
        auth.decide_appeal(&one, &id, Outcome::Upheld),
        auth.decide_appeal(&other, &id, Outcome::Overturned)
    );
    assert!(upheld.is_ok() != overturned.is_ok());
    assert_eq!(auth.login("member.1", PASSWORD).await.is_ok(), overturned.is_ok());
}

#[tokio::test]
async fn only_moderators_list_and_decide_appeals() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let id = auth.appealed().await;
    // A token with the claim whose member lost the role.
    auth.member(2).await;
    let former = auth.as_moderator(2);
    assert!(auth.appeals(&former, false).await.is_empty());
    assert_eq!(details(auth.decide_appeal(&former, &id, Outcome::Overturned).await).reason, "NOT_FOUND");
    let plain = auth.harness.actors.member(member(2));
    assert_eq!(details(auth.decide_appeal(&plain, &id, Outcome::Overturned).await).reason, "NOT_FOUND");
}

#[tokio::test]
async fn an_invalid_appeal_or_decision_names_its_field() {
    let feed = FactSource::default();
    let auth = auth_with_moderators(&feed).await;
    let id = auth.appealed().await;
    for text in ["", " ", "a\0b", &"x".repeat(1_001)] {
        assert_eq!(details(auth.appeal("x", text).await).violations[0].field, "text");
    }
    let other = auth.as_moderator(OTHER);
    let valid = || DecideSuspensionAppealRequest {
        suspension_id: id.clone(),
        outcome: Outcome::Upheld.into(),
        reason: ModerationReason::Spam.into(),
        note: None,
    };
    for (request, field) in [
        (DecideSuspensionAppealRequest { suspension_id: "x".into(), ..valid() }, "id"),
        (DecideSuspensionAppealRequest { outcome: 0, ..valid() }, "outcome"),
        (DecideSuspensionAppealRequest { outcome: Outcome::Overturned.into(), ..valid() }, "reason"),
        (DecideSuspensionAppealRequest { reason: ModerationReason::Resolved.into(), ..valid() }, "reason"),
        (DecideSuspensionAppealRequest { note: Some("x".repeat(1_001)), ..valid() }, "note"),
    ] {
        let refused = details(auth.client().decide_suspension_appeal(other.request(request).unwrap()).await);
        assert_eq!(refused.violations[0].field, field);
    }
    let unknown = auth.decide_appeal(&other, &member(77).to_string(), Outcome::Upheld).await;
    assert_eq!(details(unknown).reason, "APPEAL_NOT_FOUND");
}
