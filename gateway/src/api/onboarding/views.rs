//! The steps of the onboarding with their states.

use portia_proto::profile::{self as pb, update_onboarding_request::Change};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::problem::Problem;

/// A step of the onboarding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnboardingStep {
    /// The law school.
    School,
    /// The year of graduation.
    GraduationYear,
    /// Jurisdictions and interests.
    Interests,
    /// Three people.
    People,
    /// Two communities.
    Communities,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnboardingState {
    /// Neither done nor skipped.
    Open,
    /// Skipped by the member.
    Skipped,
    /// Marked as done, or answered by the profile or the memberships of the member.
    Done,
}

/// The state that a member gives to a step.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    /// The member skips the step. A step that is done stays done.
    Skipped,
    /// The step is done.
    Done,
}

/// A step with its state.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OnboardingItem {
    /// The step.
    pub step: OnboardingStep,
    /// Its state.
    pub state: OnboardingState,
}

/// The onboarding of the signed-in member.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Onboarding {
    /// Every step, in order.
    pub items: Vec<OnboardingItem>,
    /// Whether the member dismissed the checklist.
    pub dismissed: bool,
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

impl From<pb::Onboarding> for Onboarding {
    fn from(onboarding: pb::Onboarding) -> Self {
        let item = |item: &pb::OnboardingItem| {
            let step = match item.step() {
                pb::OnboardingStep::School => OnboardingStep::School,
                pb::OnboardingStep::GraduationYear => OnboardingStep::GraduationYear,
                pb::OnboardingStep::Interests => OnboardingStep::Interests,
                pb::OnboardingStep::People => OnboardingStep::People,
                pb::OnboardingStep::Communities => OnboardingStep::Communities,
                // A step that this version does not know.
                pb::OnboardingStep::Unspecified => return None,
            };
            let state = match item.state() {
                pb::OnboardingState::Done => OnboardingState::Done,
                pb::OnboardingState::Skipped => OnboardingState::Skipped,
                pb::OnboardingState::Open | pb::OnboardingState::Unspecified => OnboardingState::Open,
            };
            Some(OnboardingItem { step, state })
        };
        Self { items: onboarding.items.iter().filter_map(item).collect(), dismissed: onboarding.dismissed }
    }
}
