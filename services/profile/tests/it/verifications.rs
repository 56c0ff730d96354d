//! Verifications: stewards and their school, changes by the member, races, and the log.

use std::sync::Arc;

use portia_proto::{
    auth::{AccountClosed, AccountErased, AccountReopened, RegistrationForm},
    profile::{
        EnsureMemberRequest, ListSchoolMembersRequest, ListSchoolMembersResponse, ListVerificationDecisionsRequest,
        MemberChanged, SchoolMember, UpdateMemberRequest, Verification, VerificationCause, VerificationChanged,
        VerificationDecision, VerificationState, VerifyMemberRequest, WithdrawVerificationRequest,
    },
};
use primitives::{error::ErrorKind, ids::Ids, input::Line};
use profile::{admin, error::Error};
use prost_types::FieldMask;
use testkit::member;
use tokio::task::JoinSet;
use tonic::Status;

use crate::{Profile, details, registration};

const ATENEO: &str = "Ateneo Law";

pub fn line<const MAX: usize>(text: &str) -> Line<MAX> {
    Line::parse("text", text, 1, "").unwrap()
}

impl Profile {
    /// A member with a name and a school.
    pub(crate) async fn create_student(&self, n: u128, full_name: &str, school: &str) {
        let form = RegistrationForm {
            full_name: full_name.to_owned(),
            school: Some(school.to_owned()).filter(|school| !school.is_empty()),
            ..Default::default()
        };
        self.ensure(EnsureMemberRequest { form: Some(form), ..registration(n) }).await.unwrap();
        self.harness.clock.advance(chrono::TimeDelta::seconds(1));
    }

    /// Member 1 is the steward of Ateneo Law, to which 1 to 3 belong. Member 4 belongs to another school.
    async fn with_steward() -> Self {
        let profile = Self::start().await;
        for (n, name, school) in [
            (1, "Sol Steward", ATENEO),
            (2, "Maria Santos", "ateneo  LAW"),
            (3, "José Rizal", ATENEO),
            (4, "Ana Cruz", "UP Law"),
        ] {
            profile.create_student(n, name, school).await;
        }
        profile.add_steward(1, ATENEO).await;
        profile
    }

    async fn add_steward(&self, n: u128, school: &str) {
        let mut db = self.harness.pool().acquire().await.unwrap();
        admin::add_steward(&mut db, member(n), &line(school), &self.harness.clock).await.unwrap();
    }

    pub(crate) async fn verify_by_operator(&self, n: u128, school: Option<&str>) -> Result<String, Error> {
        let mut db = self.harness.pool().acquire().await.unwrap();
        let clock = &self.harness.clock;
        let ids = Ids::random(clock.clone());
        admin::verify(&mut db, member(n), school.map(line).as_ref(), &line("Known."), &ids, clock).await
    }

    async fn verify(&self, by: u128, n: u128, full_name: &str) -> Result<SchoolMember, Status> {
        let (member_id, full_name, reason) = (member(n).to_string(), full_name.to_owned(), "Met in class.".to_owned());
        let request = self.by(by).request(VerifyMemberRequest { member_id, full_name, reason })?;
        Ok(self.client().verify_member(request).await?.into_inner().member.unwrap())
    }

    async fn unverify(&self, by: u128, n: u128) -> Result<Option<SchoolMember>, Status> {
        let request = WithdrawVerificationRequest { member_id: member(n).to_string(), reason: "A mistake.".into() };
        Ok(self.client().withdraw_verification(self.by(by).request(request)?).await?.into_inner().member)
    }

    async fn list_school(
        &self,
        by: u128,
        request: ListSchoolMembersRequest,
    ) -> Result<ListSchoolMembersResponse, Status> {
        Ok(self.client().list_school_members(self.by(by).request(request)?).await?.into_inner())
    }

    async fn school_names(&self, request: ListSchoolMembersRequest) -> Vec<String> {
        let listed = self.list_school(1, request).await.unwrap();
        listed.members.into_iter().map(|member| member.card.unwrap().full_name).collect()
    }

    async fn log(
        &self,
        by: u128,
        page_size: i32,
        page_token: &str,
    ) -> Result<(Vec<VerificationDecision>, String), Status> {
        let request = ListVerificationDecisionsRequest { page_size, page_token: page_token.to_owned() };
        let page = self.client().list_verification_decisions(self.by(by).request(request)?).await?.into_inner();
        Ok((page.decisions, page.next_page_token))
    }

    async fn verification(&self, n: u128) -> Option<Verification> {
        let card = self.cards(&[member(n).to_string()]).await.unwrap().pop().unwrap();
        let profile = self.get(member(n)).await.unwrap().verification;
        assert_eq!(card.verification, profile, "card and profile");
        profile
    }

    async fn rename(&self, n: u128, full_name: &str) -> Result<(), Status> {
        let update_mask = Some(FieldMask { paths: vec!["full_name".into()] });
        let request = UpdateMemberRequest { update_mask, full_name: full_name.to_owned(), ..Default::default() };
        self.update(n, request).await.map(drop)
    }

    async fn set_school(&self, n: u128, school: &str) {
        let update_mask = Some(FieldMask { paths: vec!["school".into()] });
        let request = UpdateMemberRequest { update_mask, school: school.to_owned(), ..Default::default() };
        self.update(n, request).await.unwrap();
    }
}

fn by_ateneo() -> Option<Verification> {
    Some(Verification { school: Some(ATENEO.to_owned()) })
}

#[tokio::test]
async fn a_steward_verifies_and_withdraws_with_facts_and_a_log() {
    let profile = Profile::with_steward().await;
    assert_eq!(profile.verification(2).await, None);
    let (changed, facts) = (profile.fact_count::<MemberChanged>().await, profile.fact_count::<VerificationChanged>());
    assert_eq!(facts.await, 0);
    let verified = profile.verify(1, 2, "Maria Santos").await.unwrap();
    assert!(verified.decidable && verified.verified_at.is_some());
    assert_eq!(profile.verification(2).await, by_ateneo());
    assert_eq!(details(profile.verify(1, 2, "Maria Santos").await).reason, "ALREADY_VERIFIED");
    let withdrawn = profile.unverify(1, 2).await.unwrap().unwrap();
    assert!(withdrawn.decidable && withdrawn.verified_at.is_none());
    assert_eq!(profile.verification(2).await, None);
    let again = details(profile.unverify(1, 2).await);
    assert_eq!((again.kind, again.reason.as_str()), (ErrorKind::Conflict, "NOT_VERIFIED"));
    assert_eq!(profile.fact_count::<MemberChanged>().await, changed + 2);
    assert_eq!(profile.fact_count::<VerificationChanged>().await, 2);

    let (newest, next) = profile.log(1, 1, "").await.unwrap();
    let (oldest, end) = profile.log(1, 1, &next).await.unwrap();
    assert_eq!((newest.len(), oldest.len(), end.as_str()), (1, 1, ""));
    assert_eq!((newest[0].verified, newest[0].reason.as_deref()), (false, Some("A mistake.")));
    assert_eq!((oldest[0].verified, oldest[0].reason.as_deref()), (true, Some("Met in class.")));
    for decision in [&newest[0], &oldest[0]] {
        assert_eq!(decision.steward_id, Some(member(1).to_string()));
        assert_eq!((decision.member_id.clone(), decision.cause()), (member(2).to_string(), VerificationCause::Steward));
    }
}

#[tokio::test]
async fn a_steward_decides_about_other_members_of_the_school_only() {
    let profile = Profile::with_steward().await;
    for (n, name) in [(1, "Sol Steward"), (4, "Ana Cruz"), (9, "No Member")] {
        assert_eq!(details(profile.verify(1, n, name).await).reason, "MEMBER_NOT_FOUND", "{n}");
        assert_eq!(
            details(profile.unverify(1, n).await).kind,
            if n == 1 { ErrorKind::Conflict } else { ErrorKind::NotFound }
        );
    }
    // Verified by Portia, or elsewhere: neither is the school's to withdraw.
    profile.verify_by_operator(3, None).await.unwrap();
    assert_eq!(details(profile.unverify(1, 3).await).reason, "NOT_VERIFIED");
    profile.verify_by_operator(4, Some("UP Law")).await.unwrap();
    assert_eq!(details(profile.unverify(1, 4).await).reason, "MEMBER_NOT_FOUND");
    assert_eq!(details(profile.verify(1, 4, "Ana Cruz").await).reason, "MEMBER_NOT_FOUND");
    profile.verify_by_operator(1, Some(ATENEO)).await.unwrap();
    assert_eq!(details(profile.unverify(1, 1).await).reason, "NOT_VERIFIED");
    assert_eq!(profile.verification(1).await, by_ateneo(), "a steward does not decide about themself");
}

#[tokio::test]
async fn other_members_and_former_stewards_get_not_found() {
    let profile = Profile::with_steward().await;
    profile.add_steward(4, "UP Law").await;
    assert_eq!(details(profile.verify(4, 2, "Maria Santos").await).reason, "MEMBER_NOT_FOUND", "another school");
    assert_eq!(profile.view_profile(1, 1).await.unwrap().steward_of.as_deref(), Some(ATENEO));
    assert_eq!(profile.view_profile(2, 1).await.unwrap().steward_of, None);
    profile.verify(1, 2, "Maria Santos").await.unwrap();
    let mut db = profile.harness.pool().acquire().await.unwrap();
    admin::remove_steward(&mut db, member(1)).await.unwrap();
    assert!(matches!(admin::remove_steward(&mut db, member(1)).await, Err(Error::StateUnchanged)));
    for n in [1, 2] {
        let refused = [
            details(profile.verify(n, 3, "José Rizal").await),
            details(profile.unverify(n, 2).await),
            details(profile.list_school(n, ListSchoolMembersRequest::default()).await),
            details(profile.log(n, 0, "").await),
        ];
        for refusal in refused {
            assert_eq!((refusal.kind, refusal.reason.as_str()), (ErrorKind::NotFound, "NOT_FOUND"));
            assert_eq!(refusal.message, "This does not exist.");
        }
    }
    assert_eq!(profile.verification(2).await, by_ateneo(), "the verification stays");
    // A closed steward has no role until the account is reopened.
    profile.publish_auth(4, &AccountClosed { member_id: member(4).to_string() }).await;
    assert_eq!(details(profile.log(4, 0, "").await).reason, "NOT_FOUND");
    profile.publish_auth(4, &AccountReopened { member_id: member(4).to_string() }).await;
    assert!(profile.log(4, 0, "").await.is_ok());
}

#[tokio::test]
async fn a_change_of_what_was_confirmed_ends_the_verification() {
    let profile = Profile::with_steward().await;
    let causes = async || {
        let rows =
            sqlx::query_scalar("select cause from profile.verification_decisions where not verified order by at, id");
        let causes: Vec<String> = rows.fetch_all(profile.harness.pool()).await.unwrap();
        causes
    };
    profile.verify(1, 2, "Maria Santos").await.unwrap();
    // Another spelling of the school, and other fields, are no change.
    profile.set_school(2, "ATENEO law.").await;
    profile.rename(2, "Maria Santos").await.unwrap();
    assert_eq!(profile.verification(2).await, by_ateneo());
    profile.rename(2, "Maria Reyes").await.unwrap();
    assert_eq!(profile.verification(2).await, None);
    profile.harness.clock.advance(chrono::TimeDelta::seconds(1));
    profile.verify(1, 2, "Maria Reyes").await.unwrap();
    profile.set_school(2, "").await;
    assert_eq!(profile.verification(2).await, None);
    // Portia confirmed the person, not the school.
    profile.verify_by_operator(2, None).await.unwrap();
    profile.set_school(2, "UP Law").await;
    assert_eq!(profile.verification(2).await, Some(Verification { school: None }));
    profile.harness.clock.advance(chrono::TimeDelta::seconds(1));
    assert_eq!(profile.fact_count::<VerificationChanged>().await, 5);
    profile.publish_auth(2, &AccountClosed { member_id: member(2).to_string() }).await;
    profile.publish_auth(2, &AccountReopened { member_id: member(2).to_string() }).await;
    assert_eq!(profile.verification(2).await, None, "a closed account loses it");
    assert_eq!(causes().await, ["name_changed", "school_changed", "account_closed"]);
    assert_eq!(profile.fact_count::<VerificationChanged>().await, 5, "a closed account gets no notification");
    let (log, _) = profile.log(1, 0, "").await.unwrap();
    assert_eq!(log.iter().filter(|decision| decision.cause() == VerificationCause::SchoolChanged).count(), 1);
}

#[tokio::test]
async fn a_steward_verifies_the_name_on_the_screen() {
    let profile = Profile::with_steward().await;
    profile.rename(2, "Someone Famous").await.unwrap();
    let refused = details(profile.verify(1, 2, "Maria Santos").await);
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Conflict, "NAME_CHANGED"));
    assert_eq!(profile.verification(2).await, None);
    assert_eq!(profile.count("select count(*) from profile.verification_decisions").await, 0);
}

/// In any order of the two transactions, the new name is not verified.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_rename_beside_a_verification_leaves_no_verified_new_name() {
    let profile = Arc::new(Profile::with_steward().await);
    for n in 0..20_u32 {
        let (old, new) = (format!("Maria {n}"), format!("Maria {}", n + 1));
        profile.rename(2, &old).await.unwrap();
        let mut tasks = JoinSet::new();
        let (one, other) = (Arc::clone(&profile), Arc::clone(&profile));
        tasks.spawn(async move { one.verify(1, 2, &old).await.map(drop) });
        tasks.spawn(async move { other.rename(2, &new).await });
        tasks.join_all().await;
        assert_eq!(profile.verification(2).await, None, "{n}");
    }
    let unequal =
        "select count(*) from profile.verification_decisions where member_id = '01930000-0000-7000-8000-000000000802'";
    assert_eq!(profile.count(unequal).await % 2, 0, "each verification ended");
}

/// Of two decisions at once, one counts; a removed steward does not decide after the removal.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_decisions_are_serial() {
    let profile = Arc::new(Profile::with_steward().await);
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let profile = Arc::clone(&profile);
        tasks.spawn(async move { profile.verify(1, 2, "Maria Santos").await.map(drop) });
    }
    let answers = tasks.join_all().await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "{answers:?}");
    assert_eq!(profile.count("select count(*) from profile.verification_decisions").await, 1);
    let erased = Arc::clone(&profile);
    let mut tasks = JoinSet::new();
    for n in [2, 3, 2, 3] {
        let profile = Arc::clone(&profile);
        tasks.spawn(async move { profile.unverify(1, n).await.map(drop).unwrap_or_default() });
    }
    tasks.spawn(async move { erased.publish_auth(1, &AccountErased { member_id: member(1).to_string() }).await });
    tasks.join_all().await;
    assert_eq!(profile.count("select count(*) from profile.stewards").await, 0);
    assert_eq!(
        profile.count("select count(*) from profile.verification_decisions where steward_id is not null").await,
        0
    );
    assert_eq!(profile.count("select count(*) from profile.dead_facts").await, 0);
}

#[tokio::test]
async fn the_list_is_filtered_and_paginated_by_name() {
    let profile = Profile::with_steward().await;
    profile.create_student(5, "Áron Abad", ATENEO).await;
    profile.create_student(6, "maria santos", ATENEO).await;
    profile.create_student(7, "Blocking Member", ATENEO).await;
    profile.block(7, 1).await;
    profile.verify(1, 3, "José Rizal").await.unwrap();
    let request = ListSchoolMembersRequest::default;
    let all = ["Áron Abad", "José Rizal", "Maria Santos", "maria santos", "Sol Steward"];
    assert_eq!(profile.school_names(request()).await, all);
    let mut walked = Vec::new();
    let mut token = String::new();
    loop {
        let page = ListSchoolMembersRequest { page_size: 2, page_token: token, ..request() };
        let page = profile.list_school(1, page).await.unwrap();
        walked.extend(page.members.into_iter().map(|member| member.card.unwrap().full_name));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(walked, all);
    for (query, found) in [
        ("jose", vec!["José Rizal"]),
        ("SAN mar", vec!["Maria Santos", "maria santos"]),
        ("antos", vec![]),
        ("%", vec![]),
    ] {
        assert_eq!(
            profile.school_names(ListSchoolMembersRequest { query: query.into(), ..request() }).await,
            found,
            "{query}"
        );
    }
    let state = |state: VerificationState| ListSchoolMembersRequest { state: state.into(), ..request() };
    assert_eq!(profile.school_names(state(VerificationState::Verified)).await, ["José Rizal"]);
    assert_eq!(profile.school_names(state(VerificationState::Unverified)).await.len(), 4);
    // A later block does not protect a verification of the school.
    profile.block(3, 1).await;
    assert_eq!(profile.school_names(state(VerificationState::Verified)).await, ["José Rizal"]);
    assert!(profile.unverify(1, 3).await.unwrap().is_none());
    assert_eq!(details(profile.verify(1, 3, "José Rizal").await).reason, "MEMBER_NOT_FOUND");
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let profile = Profile::with_steward().await;
    let field = |refused: Result<(), Status>| {
        let refused = details(refused);
        assert_eq!(refused.kind, ErrorKind::Invalid);
        refused.violations[0].field.clone()
    };
    for (member_id, full_name, reason, expected) in [
        ("x", "Maria", "Met", "memberId"),
        ("01930000-0000-7000-8000-000000000802", "", "Met", "fullName"),
        ("01930000-0000-7000-8000-000000000802", "a\0", "Met", "fullName"),
        ("01930000-0000-7000-8000-000000000802", "Maria", " ", "reason"),
        ("01930000-0000-7000-8000-000000000802", "Maria", &"a".repeat(501), "reason"),
    ] {
        let [member_id, full_name, reason] = [member_id, full_name, reason].map(str::to_owned);
        let request = VerifyMemberRequest { member_id, full_name, reason };
        let answer = profile.client().verify_member(profile.by(1).request(request).unwrap()).await;
        assert_eq!(field(answer.map(drop)), expected);
    }
    let request = WithdrawVerificationRequest { member_id: "x".into(), reason: "r".into() };
    let answer = profile.client().withdraw_verification(profile.by(1).request(request).unwrap()).await;
    assert_eq!(field(answer.map(drop)), "memberId");
    // A forged cursor with U+0000 in the name.
    let nul = "eyJuIjoiXHUwMDAwIiwiaSI6IjAxOTMwMDAwLTAwMDAtNzAwMC04MDAwLTAwMDAwMDAwMDQwMSJ9";
    for (query, page_token, expected) in [("a\0", "", "query"), ("", "x", "pageToken"), ("", nul, "pageToken")] {
        let request =
            ListSchoolMembersRequest { query: query.into(), page_token: page_token.into(), ..Default::default() };
        assert_eq!(field(profile.list_school(1, request).await.map(drop)), expected);
    }
    assert_eq!(field(profile.log(1, -1, "").await.map(drop)), "pageSize");
    let visitor = profile.gateway().request(ListSchoolMembersRequest::default()).unwrap();
    assert_eq!(details(profile.client().list_school_members(visitor).await).kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn an_operator_verifies_with_a_stated_school_and_withdraws_any() {
    let profile = Profile::with_steward().await;
    assert!(matches!(profile.verify_by_operator(4, Some(ATENEO)).await, Err(Error::OtherSchool)));
    assert!(matches!(profile.verify_by_operator(9, None).await, Err(Error::MemberNotFound)));
    assert_eq!(profile.verify_by_operator(4, Some("up law")).await.unwrap(), "Ana Cruz");
    assert!(matches!(profile.verify_by_operator(4, None).await, Err(Error::AlreadyVerified)));
    let clock = &profile.harness.clock;
    let ids = Ids::random(clock.clone());
    let mut db = profile.harness.pool().acquire().await.unwrap();
    clock.advance(chrono::TimeDelta::seconds(1));
    let reason = line("Left the school.");
    assert_eq!(admin::withdraw(&mut db, member(4), &reason, &ids, clock).await.unwrap(), "Ana Cruz");
    assert!(matches!(admin::withdraw(&mut db, member(4), &reason, &ids, clock).await, Err(Error::StateUnchanged)));
    let stewards = admin::list_stewards(&mut db).await.unwrap();
    assert_eq!((stewards.len(), stewards[0].username.as_str(), stewards[0].school.as_str()), (1, "member.1", ATENEO));
    assert!(matches!(admin::add_steward(&mut db, member(1), &line(ATENEO), clock).await, Err(Error::StateUnchanged)));
    admin::add_steward(&mut db, member(1), &line("UP Law"), clock).await.unwrap();
    assert_eq!(profile.view_profile(1, 1).await.unwrap().steward_of.as_deref(), Some("UP Law"));
    let decisions = admin::list_decisions(&mut db, 10).await.unwrap();
    assert_eq!(decisions.iter().map(|decision| decision.verified).collect::<Vec<_>>(), [true, false]);
}
