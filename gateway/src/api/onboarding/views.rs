//! The steps of the onboarding with their states.

use portia_proto::profile::{self as pb, update_onboarding_request::Change};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::problem::Problem;

pub use crate::api::contract::profile::{Onboarding, OnboardingItem, OnboardingState, OnboardingStep};

/// The state that a member gives to a step.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    /// The member skips the step. A step that is done stays done.
    Skipped,
    /// The step is done.
    Done,
}

/// A change of the onboarding: a step with its outcome, or the dismissal.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateOnboarding {
    /// The step.
    step: Option<OnboardingStep>,
    /// The outcome of the step.
    state: Option<StepOutcome>,
    /// Whether the checklist is dismissed.
    dismissed: Option<bool>,
}

impl TryFrom<UpdateOnboarding> for pb::UpdateOnboardingRequest {
    type Error = Problem;

    fn try_from(body: UpdateOnboarding) -> Result<Self, Problem> {
        let change = match (body.step, body.state, body.dismissed) {
            (Some(step), Some(outcome), None) => {
                let step = match step {
                    OnboardingStep::School => pb::OnboardingStep::School,
                    OnboardingStep::GraduationYear => pb::OnboardingStep::GraduationYear,
                    OnboardingStep::Interests => pb::OnboardingStep::Interests,
                    OnboardingStep::People => pb::OnboardingStep::People,
                    OnboardingStep::Communities => pb::OnboardingStep::Communities,
                };
                let state = match outcome {
                    StepOutcome::Skipped => pb::OnboardingState::Skipped,
                    StepOutcome::Done => pb::OnboardingState::Done,
                };
                Change::Item(pb::OnboardingItem { step: step.into(), state: state.into() })
            }
            (None, None, Some(dismissed)) => Change::Dismissed(dismissed),
            _ => return Err(Problem::field("step", "Send either a step with its state or dismissed.")),
        };
        Ok(Self { change: Some(change) })
    }
}
