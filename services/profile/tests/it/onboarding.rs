//! The onboarding of a new member: steps, skips and the dismissal.

use portia_proto::profile::{
    Onboarding, OnboardingItem, OnboardingState as State, OnboardingStep as Step, UpdateMemberRequest,
    UpdateOnboardingRequest, update_onboarding_request::Change,
};
use primitives::error::{ErrorKind, StatusDetails};
use prost_types::FieldMask;

use crate::{Profile, details, registration};

impl Profile {
    pub(crate) async fn change_onboarding(&self, n: u128, change: Change) -> Result<Onboarding, StatusDetails> {
        let request = self.by(n).request(UpdateOnboardingRequest { change: Some(change) }).unwrap();
        match self.client().update_onboarding(request).await {
            Ok(answer) => Ok(answer.into_inner().onboarding.unwrap()),
            Err(status) => Err(StatusDetails::from(&status)),
        }
    }

    async fn onboarding(&self, n: u128) -> Onboarding {
        self.view_profile(n, n).await.unwrap().onboarding.unwrap()
    }
}

fn step(step: Step, state: State) -> Change {
    Change::Item(OnboardingItem { step: step.into(), state: state.into() })
}

fn states(onboarding: &Onboarding) -> Vec<State> {
    onboarding.items.iter().map(OnboardingItem::state).collect()
}

#[tokio::test]
async fn a_new_member_has_five_steps_and_the_registration_answers_some() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    let onboarding = profile.onboarding(1).await;
    let steps: Vec<Step> = onboarding.items.iter().map(OnboardingItem::step).collect();
    assert_eq!(steps, [Step::School, Step::GraduationYear, Step::Interests, Step::People, Step::Communities]);
    use State::{Done, Open};
    assert_eq!(states(&onboarding), [Open, Done, Open, Open, Open], "the registration has a year and no school");
    assert!(!onboarding.dismissed);
}

#[tokio::test]
async fn a_step_is_answered_by_the_profile_from_any_screen() {
    let profile = Profile::with_members(4).await;
    let request = UpdateMemberRequest {
        update_mask: Some(FieldMask { paths: vec!["school".into(), "interests".into()] }),
        school: "Ateneo Law".into(),
        interests: vec!["tax".into()],
        ..Default::default()
    };
    profile.update(1, request).await.unwrap();
    use State::{Done, Open};
    assert_eq!(states(&profile.onboarding(1).await), [Done, Done, Done, Done, Open], "three connections");
}

#[tokio::test]
async fn skipped_and_done_steps_are_stored_and_a_done_step_stays_done() {
    use State::{Done, Open, Skipped};
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for _ in 0..2 {
        let skipped = profile.change_onboarding(1, step(Step::School, Skipped)).await.unwrap();
        assert_eq!(states(&skipped), [Skipped, Done, Open, Open, Open]);
    }
    profile.change_onboarding(1, step(Step::People, Skipped)).await.unwrap();
    profile.change_onboarding(1, step(Step::People, Done)).await.unwrap();
    let after = profile.change_onboarding(1, step(Step::People, Skipped)).await.unwrap();
    assert_eq!(states(&after), [Skipped, Done, Open, Done, Open]);
    assert_eq!(profile.onboarding(1).await, after);
    let stored = "select count(*) from profile.onboarding where done = '{people}' and skipped = '{school}'";
    assert_eq!(profile.count(stored).await, 1);
    assert!(profile.change_onboarding(1, Change::Dismissed(true)).await.unwrap().dismissed);
    assert!(!profile.change_onboarding(1, Change::Dismissed(false)).await.unwrap().dismissed);
}

#[tokio::test]
async fn others_do_not_see_the_onboarding() {
    let profile = Profile::start().await;
    for n in 1..=2 {
        profile.ensure(registration(n)).await.unwrap();
    }
    assert_eq!(profile.view_profile(2, 1).await.unwrap().onboarding, None);
}

#[tokio::test]
async fn invalid_changes_are_refused() {
    let profile = Profile::start().await;
    profile.ensure(registration(1)).await.unwrap();
    for (bad, field) in [
        (step(Step::Unspecified, State::Done), "step"),
        (step(Step::School, State::Open), "state"),
        (Change::Item(OnboardingItem { step: 99, state: 3 }), "step"),
        (Change::Item(OnboardingItem { step: 1, state: -7 }), "state"),
    ] {
        assert_eq!(profile.change_onboarding(1, bad).await.unwrap_err().violations[0].field, field);
    }
    let nothing = profile.by(1).request(UpdateOnboardingRequest { change: None }).unwrap();
    assert_eq!(details(profile.client().update_onboarding(nothing).await).violations[0].field, "step");
    let visitor = profile.gateway().request(UpdateOnboardingRequest::default()).unwrap();
    assert_eq!(details(profile.client().update_onboarding(visitor).await).kind, ErrorKind::Unauthenticated);
    assert_eq!(profile.change_onboarding(9, Change::Dismissed(true)).await.unwrap_err().reason, "MEMBER_NOT_FOUND");
}
