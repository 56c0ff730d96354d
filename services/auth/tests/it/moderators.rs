//! The role of moderators, and their decisions on members.

use auth::{admin, error::Error};
use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::auth::{
    AccountClosed, AccountReopened, GetMemberStandingRequest, ListModerationLogRequest, ListSuspendedMembersRequest,
    ModerationLogEntry, ModerationReason, ModeratorChanged, RestoreMemberRequest, SuspendMemberRequest,
    SuspendMemberResponse,
};
use rpc::{Call, identity::Actor};
use testkit::member;
use tonic::Status;

use crate::{Auth, PASSWORD, details};

impl Auth {
    pub(crate) async fn grant(&self, username: &str) -> Result<String, Error> {
        let context = &self.harness.context;
        let mut conn = self.pool().acquire().await.unwrap();
        admin::grant_moderator(&mut conn, username, None, &context.ids, &context.clock).await
    }

    async fn revoke(&self, username: &str) -> Result<String, Error> {
        let context = &self.harness.context;
        let mut conn = self.pool().acquire().await.unwrap();
        admin::revoke_moderator(&mut conn, username, None, &context.ids, &context.clock).await
    }

    pub(crate) fn as_moderator(&self, n: u128) -> Call {
        self.harness.actors.moderator(member(n))
    }

    pub(crate) async fn suspend_as(&self, who: &Call, n: u128) -> Result<SuspendMemberResponse, Status> {
        let reason = ModerationReason::Spam.into();
        let request =
            SuspendMemberRequest { member_id: member(n).to_string(), reason, note: Some("Sells essays.".into()) };
        Ok(self.client().suspend_member(who.request(request).unwrap()).await?.into_inner())
    }

    pub(crate) async fn restore_as(&self, who: &Call, n: u128) -> Result<(), Status> {
        let reason = ModerationReason::NoViolation.into();
        let request = RestoreMemberRequest { member_id: member(n).to_string(), reason, note: None };
        self.client().restore_member(who.request(request).unwrap()).await.map(drop)
    }

    async fn log(&self, who: &Call, page_size: i32, page_token: String) -> (Vec<ModerationLogEntry>, String) {
        let request = who.request(ListModerationLogRequest { page_size, page_token }).unwrap();
        let page = self.client().list_moderation_log(request).await.unwrap().into_inner();
        (page.entries, page.next_page_token)
    }
}

#[tokio::test]
async fn the_token_of_a_session_contains_the_role_until_it_is_revoked() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    let keyring = auth.harness.actors.keyring();
    let is_moderator = async |expected: bool| {
        let resolved = auth.resolve(&home.token).await.unwrap();
        let claims = resolved.member_tokens.iter().map(|token| keyring.verify(&token.token, &token.audience));
        let claims: Vec<bool> =
            claims.map(|actor| matches!(actor, Some(Actor::Member { moderator: true, .. }))).collect();
        let claim = claims.iter().all(|claim| *claim);
        assert_eq!(claims.iter().any(|claim| *claim), claim, "the tokens of all services agree");
        assert_eq!((resolved.moderator, claim), (expected, expected));
        assert_eq!(auth.login("member.1", PASSWORD).await.unwrap().moderator, expected);
    };
    is_moderator(false).await;
    assert_eq!(auth.grant("MEMBER.1").await.unwrap(), "Member.1");
    is_moderator(true).await;
    assert!(matches!(auth.grant("member.1").await, Err(Error::StateUnchanged)));
    let mut conn = auth.pool().acquire().await.unwrap();
    let listed = admin::list_moderators(&mut conn).await.unwrap();
    assert_eq!(listed.iter().map(|moderator| moderator.username.as_str()).collect::<Vec<_>>(), ["Member.1"]);
    assert_eq!(auth.revoke("member.1").await.unwrap(), "Member.1");
    is_moderator(false).await;
    assert!(matches!(auth.revoke("member.1").await, Err(Error::StateUnchanged)));
    assert!(matches!(auth.grant("no.such.member").await, Err(Error::AccountNotFound)));
    assert_eq!(auth.facts::<ModeratorChanged>().await.len(), 2);
    let events: Vec<_> = admin::list_actions(&mut conn, 10).await.unwrap().into_iter().map(|row| row.event).collect();
    assert_eq!(events.len(), 2);
    assert!(events.contains(&"moderator granted".to_owned()) && events.contains(&"moderator revoked".to_owned()));
}

#[tokio::test]
async fn a_moderator_suspends_and_restores_a_member_like_an_operator() {
    let auth = Auth::start().await;
    let home = auth.member(1).await;
    for n in [8, 9] {
        auth.member(n).await;
        auth.grant(&format!("member.{n}")).await.unwrap();
    }
    let (moderator, other) = (auth.as_moderator(9), auth.as_moderator(8));
    auth.harness.clock.advance(TimeDelta::seconds(1));
    let suspended = auth.suspend_as(&moderator, 1).await.unwrap();
    assert_eq!(suspended.ended_session_ids.len(), 1);
    assert!(suspended.standing.unwrap().suspended_at.is_some());
    assert_eq!(details(auth.resolve(&home.token).await).reason, "SESSION_ENDED");
    assert_eq!(details(auth.login("member.1", PASSWORD).await).reason, "ACCOUNT_SUSPENDED");
    assert_eq!(auth.facts::<AccountClosed>().await, [member(1).to_string()]);
    assert_eq!(details(auth.suspend_as(&moderator, 1).await).reason, "ALREADY_DECIDED");

    let request = moderator.request(ListSuspendedMembersRequest::default()).unwrap();
    let listed = auth.client().list_suspended_members(request).await.unwrap().into_inner().members;
    assert_eq!(listed.iter().map(|member| member.username.as_str()).collect::<Vec<_>>(), ["Member.1"]);

    auth.harness.clock.advance(TimeDelta::seconds(1));
    auth.restore_as(&other, 1).await.unwrap();
    assert_eq!(details(auth.restore_as(&moderator, 1).await).reason, "ALREADY_DECIDED");
    assert_eq!(auth.facts::<AccountReopened>().await, [member(1).to_string()]);
    assert!(auth.login("member.1", PASSWORD).await.is_ok());

    let (newest, next) = auth.log(&moderator, 1, String::new()).await;
    let (older, _) = auth.log(&moderator, 1, next).await;
    let [restored, suspended] = [&newest[0], &older[0]];
    assert_eq!((restored.event.as_str(), restored.reason.as_deref()), ("restored", Some("no-violation")));
    assert_eq!((suspended.event.as_str(), suspended.reason.as_deref()), ("suspended", Some("spam")));
    assert_eq!(suspended.note.as_deref(), Some("Sells essays."));
    assert_eq!(suspended.moderator.as_deref(), Some("Member.9"));
    assert_eq!(suspended.username.as_deref(), Some("Member.1"));

    // The export of the member names neither the moderator nor the decision.
    let mine = serde_json::to_string(&auth.sign_in(1, "").await.exported().await).unwrap();
    assert!(!mine.contains(&member(9).to_string()) && !mine.contains("suspended"), "{mine}");
    let own = serde_json::to_string(&auth.sign_in(9, "").await.exported().await).unwrap();
    assert!(own.contains("grantedAt") && !own.contains(&member(1).to_string()), "{own}");
}

#[tokio::test]
async fn moderators_cannot_suspend_moderators_or_themselves() {
    let auth = Auth::start().await;
    for n in [1, 2] {
        auth.member(n).await;
        auth.grant(&format!("member.{n}")).await.unwrap();
    }
    for n in [1, 2] {
        assert_eq!(details(auth.suspend_as(&auth.as_moderator(1), n).await).reason, "MODERATOR_PROTECTED");
    }
    assert_eq!(details(auth.suspend_as(&auth.as_moderator(1), 7).await).reason, "ACCOUNT_NOT_FOUND");
    assert!(auth.facts::<AccountClosed>().await.is_empty());
}

#[tokio::test]
async fn operators_only_restore_a_moderator_and_a_suspended_one_decides_nothing() {
    let auth = Auth::start().await;
    for n in [1, 2, 3] {
        auth.member(n).await;
    }
    for n in [1, 2] {
        auth.grant(&format!("member.{n}")).await.unwrap();
    }
    auth.suspend("member.1", None).await.unwrap();
    assert_eq!(details(auth.restore_as(&auth.as_moderator(2), 1).await).reason, "MODERATOR_PROTECTED");
    // The token is older than the suspension.
    assert_eq!(details(auth.restore_as(&auth.as_moderator(1), 1).await).reason, "NOT_FOUND");
    assert_eq!(details(auth.suspend_as(&auth.as_moderator(1), 3).await).reason, "NOT_FOUND");
}

#[tokio::test]
async fn only_moderators_may_call_and_an_old_token_does_not_suffice() {
    let auth = Auth::start().await;
    for n in [1, 2] {
        auth.member(n).await;
    }
    // A token with the claim whose member lost the role, and one without it.
    for who in [auth.as_moderator(1), auth.harness.actors.member(member(1))] {
        assert_eq!(details(auth.suspend_as(&who, 2).await).reason, "NOT_FOUND");
        assert_eq!(details(auth.restore_as(&who, 2).await).reason, "NOT_FOUND");
        let request = who.request(GetMemberStandingRequest { member_id: member(2).to_string() }).unwrap();
        let refused = details(auth.client().get_member_standing(request).await);
        assert_eq!(refused.kind, primitives::error::ErrorKind::NotFound);
    }
    assert!(auth.log(&auth.as_moderator(1), 10, String::new()).await.0.is_empty());
    let member_call = auth.harness.actors.member(member(1));
    let request = member_call.request(ListModerationLogRequest::default()).unwrap();
    assert_eq!(details(auth.client().list_moderation_log(request).await).reason, "NOT_FOUND");
}

#[tokio::test]
async fn of_concurrent_suspensions_by_moderators_one_succeeds() {
    let auth = Auth::start().await;
    for n in 1..=3 {
        auth.member(n).await;
    }
    for n in [2, 3] {
        auth.grant(&format!("member.{n}")).await.unwrap();
    }
    let (one, other) = (auth.as_moderator(2), auth.as_moderator(3));
    let results = join_all([&one, &other, &one, &other].map(|who| auth.suspend_as(who, 1))).await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert_eq!(auth.facts::<AccountClosed>().await.len(), 1);
}

#[tokio::test]
async fn an_invalid_decision_on_a_member_names_its_field() {
    let auth = Auth::start().await;
    for n in [1, 9] {
        auth.member(n).await;
    }
    auth.grant("member.9").await.unwrap();
    let moderator = auth.as_moderator(9);
    let valid =
        || SuspendMemberRequest { member_id: member(1).to_string(), reason: ModerationReason::Spam.into(), note: None };
    for (request, field) in [
        (SuspendMemberRequest { member_id: "x".into(), ..valid() }, "memberId"),
        (SuspendMemberRequest { reason: 0, ..valid() }, "reason"),
        (SuspendMemberRequest { reason: ModerationReason::NoViolation.into(), ..valid() }, "reason"),
        (SuspendMemberRequest { reason: 99, ..valid() }, "reason"),
        (SuspendMemberRequest { note: Some("x".repeat(1_001)), ..valid() }, "note"),
        (SuspendMemberRequest { note: Some("a\0b".into()), ..valid() }, "note"),
    ] {
        let refused = details(auth.client().suspend_member(moderator.request(request).unwrap()).await);
        assert_eq!(refused.violations[0].field, field);
    }
    for page_token in ["x", "eyJyIjoxfQ"] {
        let request = ListModerationLogRequest { page_size: 0, page_token: page_token.into() };
        let refused = details(auth.client().list_moderation_log(moderator.request(request).unwrap()).await);
        assert_eq!(refused.violations[0].field, "pageToken");
    }
}
