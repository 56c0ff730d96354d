//! Random transitions that are valid in the state of the model.

use proptest::{
    prelude::{BoxedStrategy, Just, Strategy, any},
    sample::{Index, select},
    strategy::Union,
};
use proptest_state_machine::ReferenceStateMachine;
use testkit::member;
use uuid::Uuid;

use super::rules::Model;
use crate::messages::change::MessageRef;

/// The member numbers of a history.
pub const MEMBERS: [u128; 3] = [1, 2, 3];

#[derive(Clone, Debug)]
pub struct Transition {
    /// The time since the previous transition.
    pub minutes: i64,
    pub action: Action,
}

#[derive(Clone, Copy, Debug)]
pub enum Action {
    Open { who: u128, other: u128, id: Uuid },
    Send { who: u128, conversation: Uuid, id: Uuid, content: &'static str, key: Option<&'static str> },
    MarkRead { who: u128, conversation: Uuid, message: Uuid },
    Edit { who: u128, message: MessageRef, content: &'static str },
    Delete { who: u128, message: MessageRef },
    Mute { who: u128, conversation: Uuid, muted: bool },
    Clear { who: u128, conversation: Uuid },
    Accept { who: u128, conversation: Uuid },
    Connect { one: u128, other: u128, id: Uuid },
    Block { one: u128, other: u128 },
    Unblock { one: u128, other: u128 },
    Erase { who: u128 },
}

/// Histories of the model.
pub struct History;

impl ReferenceStateMachine for History {
    type State = Model;
    type Transition = Transition;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::default()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Transition> {
        // The sender can change a message for 15 minutes.
        (select(vec![0, 0, 0, 1, 1, 16]), actions(model))
            .prop_map(|(minutes, action)| Transition { minutes, action })
            .boxed()
    }

    fn apply(mut model: Model, transition: &Transition) -> Model {
        model.minutes += transition.minutes;
        model.apply(&transition.action);
        model
    }

    /// Excludes transitions that the generator never makes from a history that shrank.
    fn preconditions(model: &Model, transition: &Transition) -> bool {
        let members = model.members();
        match transition.action {
            Action::Open { who, .. }
            | Action::Send { who, .. }
            | Action::MarkRead { who, .. }
            | Action::Edit { who, .. }
            | Action::Delete { who, .. }
            | Action::Mute { who, .. }
            | Action::Clear { who, .. }
            | Action::Accept { who, .. } => members.contains(&who),
            Action::Connect { one, other, .. } => !model.is_blocked(one, other),
            Action::Block { .. } | Action::Unblock { .. } => true,
            Action::Erase { .. } => members.len() > 1,
        }
    }
}

/// Draws an action. The weights keep erasures rare, because each leaves fewer possible transitions.
fn actions(model: &Model) -> BoxedStrategy<Action> {
    let members = model.members();
    let id = model.next_id();
    let who = select(members.clone());
    let conversation = select(known_conversations(model));
    let of_conversation = (who.clone(), conversation).boxed();
    let mut weighted = vec![
        (64, sends(of_conversation.clone(), id)),
        (64, read_marks(model, of_conversation.clone())),
        (32, changes(model, of_conversation.clone())),
        (16, mutes(of_conversation.clone())),
        (24, of_conversation.clone().prop_map(|(who, conversation)| Action::Clear { who, conversation }).boxed()),
        (31, of_conversation.clone().prop_map(|(who, conversation)| Action::Accept { who, conversation }).boxed()),
    ];
    // Random senders rarely reach the limit of a request, so its sender writes more often.
    let requests = pending_requests(model);
    let senders = if requests.is_empty() { of_conversation } else { select(requests).boxed() };
    weighted.push((64, sends(senders, id)));
    let pairs: Vec<(u128, u128)> = members
        .iter()
        .flat_map(|one| members.iter().map(|other| (*one, *other)))
        .filter(|(one, other)| one != other)
        .collect();
    if !pairs.is_empty() {
        let pair = select(pairs.clone());
        weighted.push((32, pair.clone().prop_map(move |(who, other)| Action::Open { who, other, id }).boxed()));
        weighted.push((8, pair.clone().prop_map(|(one, other)| Action::Block { one, other }).boxed()));
        weighted.push((16, pair.prop_map(|(one, other)| Action::Unblock { one, other }).boxed()));
        weighted.push((1, who.prop_map(|who| Action::Erase { who }).boxed()));
    }
    let unblocked: Vec<(u128, u128)> =
        pairs.into_iter().filter(|(one, other)| !model.is_blocked(*one, *other)).collect();
    if !unblocked.is_empty() {
        let connect = select(unblocked).prop_map(move |(one, other)| Action::Connect { one, other, id });
        weighted.push((16, connect.boxed()));
    }
    Union::new_weighted(weighted).boxed()
}

fn sends(of_conversation: BoxedStrategy<(u128, Uuid)>, id: Uuid) -> BoxedStrategy<Action> {
    let content = select(vec!["Yes", "No"]);
    let key = select(vec![None, None, None, Some("a"), Some("b")]);
    let send = move |((who, conversation), content, key)| Action::Send { who, conversation, id, content, key };
    (of_conversation, content, key).prop_map(send).boxed()
}

/// Edits or deletes a message of the conversation, or one with an invalid id if it has none.
fn changes(model: &Model, of_conversation: BoxedStrategy<(u128, Uuid)>) -> BoxedStrategy<Action> {
    let conversations = model.conversations.clone();
    let content = select(vec![None, Some("Yes"), Some("Perhaps")]);
    let change = move |((who, conversation), position, content): ((u128, Uuid), Index, Option<&'static str>)| {
        let found = conversations.get(&conversation).filter(|found| !found.messages.is_empty());
        let id = found.map_or(conversation, |found| position.get(&found.messages).id);
        let message = MessageRef { conversation, id };
        content.map_or(Action::Delete { who, message }, |content| Action::Edit { who, message, content })
    };
    (of_conversation, any::<Index>(), content).prop_map(change).boxed()
}

fn mutes(of_conversation: BoxedStrategy<(u128, Uuid)>) -> BoxedStrategy<Action> {
    let mute = |((who, conversation), muted)| Action::Mute { who, conversation, muted };
    (of_conversation, any::<bool>()).prop_map(mute).boxed()
}

/// Marks messages as read up to a message of the conversation, or with an invalid message id if it has none.
fn read_marks(model: &Model, of_conversation: BoxedStrategy<(u128, Uuid)>) -> BoxedStrategy<Action> {
    let conversations = model.conversations.clone();
    let mark = move |((who, conversation), position): ((u128, Uuid), Index)| {
        let found = conversations.get(&conversation).filter(|found| !found.messages.is_empty());
        let message = found.map_or(conversation, |found| position.get(&found.messages).id);
        Action::MarkRead { who, conversation, message }
    };
    (of_conversation, any::<Index>()).prop_map(mark).boxed()
}

/// Returns existing and deleted conversations, or an unknown id if there are none.
fn known_conversations(model: &Model) -> Vec<Uuid> {
    let known: Vec<Uuid> = model.conversations.keys().chain(&model.deleted).copied().collect();
    if known.is_empty() { vec![member(1)] } else { known }
}

/// Returns the senders of requests that are not accepted, with the conversation.
fn pending_requests(model: &Model) -> Vec<(u128, Uuid)> {
    let conversations = model.conversations.iter();
    conversations.filter_map(|(id, conversation)| conversation.requested_by.map(|who| (who, *id))).collect()
}
