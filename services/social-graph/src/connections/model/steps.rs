//! The random steps of the model of connections.

use chrono::TimeDelta;
use primitives::ids::Ids;
use proptest::{prelude::*, sample::select};
use proptest_state_machine::ReferenceStateMachine;
use testkit::{clock, member};
use uuid::Uuid;

use super::rules::{Model, key};

#[derive(Clone, Copy, Debug)]
pub enum Action {
    Request,
    Accept,
    Reject,
    Remove,
    Block,
    Unblock,
}

#[derive(Clone, Debug)]
pub enum Step {
    Wait {
        days: i64,
    },
    /// Deactivates an account, or reactivates a deactivated one.
    Toggle {
        who: u128,
    },
    /// `id` is the connection of the two members, or the one that a request creates.
    Act {
        action: Action,
        who: u128,
        other: u128,
        id: Uuid,
    },
}

/// Random histories of two or three members.
pub struct History;

impl ReferenceStateMachine for History {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        (2..=3_u128).prop_map(Model::new).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        let members = &model.members;
        let pairs = members.iter().flat_map(|who| members.iter().map(|other| (*who, *other)));
        let new_id = |who| Ids::seeded(clock(), model.steps).owned_by(member(who));
        let pairs = pairs.filter(|(who, other)| who != other).map(|(who, other)| {
            let pair = key(who, other);
            let known = model.rows.get(&pair).map(|row| row.id).or_else(|| model.former.get(&pair).copied());
            (who, other, known.unwrap_or_else(|| member(1)), new_id(who))
        });
        let action = prop_oneof![
            24 => Just(Action::Request),
            12 => Just(Action::Accept),
            12 => Just(Action::Reject),
            8 => Just(Action::Remove),
            4 => Just(Action::Block),
            6 => Just(Action::Unblock),
        ];
        let act = (action, select(pairs.collect::<Vec<_>>())).prop_map(|(action, (who, other, known, new))| {
            let id = if matches!(action, Action::Request) { new } else { known };
            Step::Act { action, who, other, id }
        });
        prop_oneof![
            16 => act,
            8 => select(vec![1, 30]).prop_map(|days| Step::Wait { days }),
            2 => select(members.clone()).prop_map(|who| Step::Toggle { who }),
        ]
        .boxed()
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.steps += 1;
        match *step {
            Step::Wait { days } => model.now += TimeDelta::days(days),
            Step::Toggle { who } => {
                if !model.closed.remove(&who) {
                    model.closed.insert(who);
                }
            }
            Step::Act { action, who, other, id } => model.outcome = model.apply(action, who, other, id),
        }
        model
    }
}
