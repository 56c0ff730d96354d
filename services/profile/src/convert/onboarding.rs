//! Requests about the onboarding.

use portia_proto::profile::{self as pb, update_onboarding_request::Change};
use primitives::{error::Violation, input::InvalidRequest};

use crate::onboarding::{Onboarding, OnboardingChange, State, Step};

impl TryFrom<pb::UpdateOnboardingRequest> for OnboardingChange {
    type Error = InvalidRequest;

    fn try_from(request: pb::UpdateOnboardingRequest) -> Result<Self, InvalidRequest> {
        let item = match request.change {
            Some(Change::Dismissed(dismissed)) => return Ok(Self::Dismissed(dismissed)),
            Some(Change::Item(item)) => item,
            None => return Err(Violation::new("step", "Name a step.").into()),
        };
        let step = match item.step() {
            pb::OnboardingStep::School => Step::School,
            pb::OnboardingStep::GraduationYear => Step::GraduationYear,
            pb::OnboardingStep::Interests => Step::Interests,
            pb::OnboardingStep::People => Step::People,
            pb::OnboardingStep::Communities => Step::Communities,
            pb::OnboardingStep::Unspecified => return Err(Violation::new("step", "Name a step.").into()),
        };
        match item.state() {
            pb::OnboardingState::Done => Ok(Self::Step(step, true)),
            pb::OnboardingState::Skipped => Ok(Self::Step(step, false)),
            _ => Err(Violation::new("state", "A step can be done or skipped.").into()),
        }
    }
}

impl From<Onboarding> for pb::Onboarding {
    fn from(onboarding: Onboarding) -> Self {
        let item = |(step, state)| {
            let step = match step {
                Step::School => pb::OnboardingStep::School,
                Step::GraduationYear => pb::OnboardingStep::GraduationYear,
                Step::Interests => pb::OnboardingStep::Interests,
                Step::People => pb::OnboardingStep::People,
                Step::Communities => pb::OnboardingStep::Communities,
            };
            let state = match state {
                State::Open => pb::OnboardingState::Open,
                State::Skipped => pb::OnboardingState::Skipped,
                State::Done => pb::OnboardingState::Done,
            };
            pb::OnboardingItem { step: step.into(), state: state.into() }
        };
        Self { items: onboarding.items.into_iter().map(item).collect(), dismissed: onboarding.dismissed }
    }
}
