//! The random steps of the model of communities.

use chrono::TimeDelta;
use primitives::ids::Ids;
use proptest::{prelude::*, sample::select};
use proptest_state_machine::ReferenceStateMachine;
use testkit::{clock, member};
use uuid::Uuid;

use super::rules::Model;
use crate::communities::Role;

/// The first two are one name to the service.
const NAMES: [&str; 3] = ["Moot 1", "MOOT  1", "Review 1"];

#[derive(Clone, Copy, Debug)]
pub enum Action {
    Create,
    Update,
    Join,
    Leave,
    SetRole(Role),
    Remove { ban: bool },
    Unban,
    Transfer,
    Dissolve,
    Deactivate,
    Reactivate,
    Erase,
}

/// An action, after a time.
#[derive(Clone, Debug)]
pub struct Step {
    pub minutes: i64,
    pub action: Action,
    pub who: u128,
    pub other: u128,
    /// The community, or the id of the one that the action creates.
    pub id: Uuid,
    pub name: &'static str,
}

/// Random histories of four members.
pub struct History;

impl ReferenceStateMachine for History {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        let action = prop_oneof![
            3 => Just(Action::Create),
            1 => Just(Action::Update),
            6 => Just(Action::Join),
            3 => Just(Action::Leave),
            3 => Just(Action::SetRole(Role::Owner)),
            1 => Just(Action::SetRole(Role::Member)),
            3 => Just(Action::SetRole(Role::Moderator)),
            2 => Just(Action::Remove { ban: true }),
            1 => Just(Action::Remove { ban: false }),
            1 => Just(Action::Unban),
            2 => Just(Action::Transfer),
            1 => Just(Action::Dissolve),
            1 => Just(Action::Deactivate),
            1 => Just(Action::Reactivate),
            1 => Just(Action::Erase),
        ];
        let mut known: Vec<Uuid> = model.communities.keys().chain(&model.former).copied().collect();
        if known.is_empty() {
            known.push(member(1));
        }
        let new = Ids::seeded(clock(), model.steps).new_owner();
        let members = model.members.clone();
        (select(vec![0, 1]), action, select(members.clone()), select(members), select(known), select(&NAMES[..]))
            .prop_map(move |(minutes, action, who, other, known, name)| {
                let id = if matches!(action, Action::Create) { new } else { known };
                Step { minutes, action, who, other, id, name }
            })
            .boxed()
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.steps += 1;
        model.now += TimeDelta::minutes(step.minutes);
        model.outcome = model.apply(step.action, step.who, step.other, step.id, step.name);
        model
    }
}
