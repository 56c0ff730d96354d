//! The step 'communities': its answer belongs to social-graph, the rest of the onboarding to profile.

use portia_proto::{
    profile::{Onboarding, OnboardingItem, OnboardingState, OnboardingStep},
    social_graph::{CommunityRole, ListCommunitiesRequest},
};
use rpc::Call;

use crate::edge::upstreams::SocialGraphClient;

/// The memberships after which the step is done without being marked.
const ENOUGH_COMMUNITIES: u8 = 2;

/// Marks the step as done for a member of enough communities, wherever they joined. Social-graph is asked only for a checklist that the
/// member did not dismiss, and for a step that is not done. Without its answer the step keeps its state, and the service is named.
pub async fn complete(
    mut onboarding: Onboarding,
    mut graph: SocialGraphClient,
    call: &Call,
) -> (Onboarding, Option<&'static str>) {
    let is_undone =
        |item: &OnboardingItem| item.step() == OnboardingStep::Communities && item.state() != OnboardingState::Done;
    let undone = onboarding.items.iter_mut().find(|item| is_undone(item));
    let Some(item) = undone.filter(|_| !onboarding.dismissed) else { return (onboarding, None) };
    // The communities of the member come first.
    let request = ListCommunitiesRequest { page_size: ENOUGH_COMMUNITIES.into(), page_token: String::new() };
    let listed = match call.request(request) {
        Ok(request) => graph.list_communities(request).await,
        Err(status) => Err(status),
    };
    match listed {
        Ok(answer) => {
            let communities = answer.into_inner().communities;
            let joined = communities.iter().filter(|community| community.role() != CommunityRole::Unspecified).count();
            if joined >= usize::from(ENOUGH_COMMUNITIES) {
                item.set_state(OnboardingState::Done);
            }
            (onboarding, None)
        }
        Err(status) => {
            tracing::warn!(code = ?status.code(), "a step of the onboarding keeps its stored state");
            (onboarding, Some("social-graph"))
        }
    }
}
