//! A model test: random histories of three members, each step compared with the rules in memory.
//!
//! The model is a pure `ReferenceStateMachine`, so a failing history shrinks. The system under test is Postgres: each
//! history runs in its own transaction, which is rolled back. `StateMachineTest` is not used, because its functions are
//! not async.

mod changes;
mod conversation;
mod facts;
mod rules;
mod transitions;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::TimeDelta;
use outbox::{Changes, Outbox};
use primitives::{
    error::ServiceError as _,
    ids::Ids,
    input::{Line, PageSize, Text},
};
use proptest::{
    prelude::prop_oneof,
    test_runner::{Config, RngSeed, TestRunner},
};
use proptest_state_machine::ReferenceStateMachine;
use sqlx::PgConnection;
use testkit::{Database, clock, member};
use tokio::runtime::Runtime;

use crate::{
    MIGRATOR,
    conversations::{
        self, Folder, blocks,
        connect::{self, Connected},
        list::{self, ConversationCursor, ListConversations},
    },
    deactivation::erase,
    error::Error,
    messages::{
        change::{self, EditedMessage},
        list::{self as message_list, ListMessages, MessageCursor},
        mark_read,
        send::{self, NewMessage},
    },
    publishing::ConversationFact,
    unread,
};
use rules::Model;
use transitions::{Action, History, Transition};

const HISTORIES: u32 = 1_000;
/// The lengths of histories, in steps. Most are short, so that many can run; one in ten is long.
const SHORT: usize = 15;
const LONG: usize = 60;

/// The service with the clock of a history.
struct Service(Changes);

impl Service {
    fn new() -> Self {
        let clock = clock();
        Self(Changes { outbox: Outbox::new("messaging"), ids: Ids::seeded(clock.clone(), 1), clock })
    }

    /// Performs an action like the RPCs and fact handlers within their transaction, and returns the published facts.
    async fn perform(&self, db: &mut PgConnection, action: &Action) -> Result<Vec<ConversationFact>, Error> {
        let work = &mut self.0.work(db);
        match *action {
            Action::Open { who, other, id } => {
                if conversations::find_listed(work.db, member(who), member(other)).await?.is_none() {
                    conversations::transitions::open(work, id, member(who), member(other)).await?;
                }
            }
            Action::Send { who, conversation, id, content, key } => {
                let content = Some(Text::parse("content", content)?);
                let key = key.map(|key| Line::parse("key", key, 1, "")).transpose()?;
                let new = NewMessage { conversation, content, attachments: None, key, reply_to: None };
                send::insert_once(work, id, member(who), &new).await?.effects.apply(work).await?;
            }
            Action::MarkRead { who, conversation, message } => {
                if let Some(seq) = mark_read::find_unread(work.db, member(who), conversation, message).await? {
                    mark_read::mark_read(work, member(who), conversation, seq).await?;
                }
            }
            Action::Clear { who, conversation } => {
                conversations::transitions::clear(work, conversation, member(who)).await?;
            }
            Action::Edit { who, message, content } => {
                let content = Text::parse("content", content)?;
                change::edit(work, member(who), &EditedMessage { message, content }).await?;
            }
            Action::Delete { who, message } => change::delete(work, member(who), message).await?,
            Action::Mute { who, conversation, muted } => {
                conversations::mute::set(work, conversation, member(who), muted).await?;
            }
            Action::Accept { who, conversation } => {
                conversations::transitions::accept(work, conversation, member(who)).await?;
            }
            Action::Connect { one, other, id } => {
                let at = work.now;
                let connected = [Connected { requester: member(one), recipient: member(other), new_id: id, at }];
                connect::connect_all(work.db, &connected).await?;
                connect::publish_connected(work, &connected).await?;
            }
            Action::Block { one, other } => blocks::block(work, member(one), member(other)).await?,
            Action::Unblock { one, other } => blocks::unblock(work, member(one), member(other)).await?,
            Action::Erase { who } => while erase::erase_batch(work, member(who)).await? {},
        }
        Ok(facts::take(work.db).await)
    }

    /// Applies a transition to the service and compares the outcome with the model.
    async fn step(&self, db: &mut PgConnection, model: &Model, transition: &Transition) {
        self.0.clock.advance(TimeDelta::minutes(transition.minutes));
        let outcome = self.perform(db, &transition.action).await.map_err(|error| error.reason()).map(sorted);
        assert_eq!(outcome, model.outcome.clone().map(sorted), "{transition:?} in {model:#?}");
    }
}

fn sorted(facts: Vec<ConversationFact>) -> Vec<String> {
    let mut facts: Vec<String> = facts.iter().map(|fact| format!("{fact:?}")).collect();
    facts.sort();
    facts
}

/// Asserts that the lists, totals and messages of every member equal the model.
async fn assert_same_views(db: &mut PgConnection, model: &Model) {
    for who in model.members() {
        for folder in [Folder::Inbox, Folder::Requests] {
            let (size, after) = (PageSize::parse(100).unwrap(), ConversationCursor::START);
            let query = ListConversations { size, after, folder, other_members: Vec::new(), search: None };
            let rows = list::list(db, member(who), &query).await.unwrap().rows.into_iter().map(|row| {
                let other = row.other_member;
                (row.id, other, row.last_message, row.unread_count, row.waiting, row.muted)
            });
            let rows: BTreeSet<_> = rows.collect();
            assert_eq!(rows, model.listed(who, folder), "{who} {folder:?} in {model:#?}");
        }
        let unread = unread::get(db, member(who)).await.unwrap();
        assert_eq!((unread.messages, unread.requests), model.unread_totals(who), "{who} in {model:#?}");
        for id in model.conversations.keys() {
            let (size, before) = (PageSize::parse(100).unwrap(), MessageCursor::END);
            let query = ListMessages { conversation: *id, size, before, around: None };
            let messages = message_list::list(db, member(who), &query).await.ok().map(|(page, conversation)| {
                assert_eq!(conversation.id, *id);
                page.rows.into_iter().rev().map(|message| (message.content, message.is_read)).collect::<Vec<_>>()
            });
            assert_eq!(messages, model.messages(who, *id), "{who} {id} in {model:#?}");
            assert_eq!(conversations::get(db, member(who), *id).await.is_ok(), messages.is_some());
        }
    }
}

/// Runs a history in a transaction, compares its rows with the model, and rolls it back. `seen` counts the applied
/// transitions for shrinking.
async fn run(database: &Database, mut model: Model, transitions: &[Transition], seen: Option<Arc<AtomicUsize>>) {
    let service = Service::new();
    let mut tx = db::begin(database.pool()).await.unwrap();
    for transition in transitions {
        if let Some(seen) = &seen {
            seen.fetch_add(1, Ordering::SeqCst);
        }
        model = History::apply(model, transition);
        service.step(&mut tx, &model, transition).await;
    }
    let violations = include_str!("../../tests/it/truth.sql");
    let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(violations, Vec::<String>::new(), "{model:#?}");
    assert_same_views(&mut tx, &model).await;
    tx.rollback().await.unwrap();
}

#[test]
fn random_histories_follow_the_rules_of_conversations() {
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::fresh("messaging", &MIGRATOR));
    let histories = prop_oneof![9 => History::sequential_strategy(SHORT), 1 => History::sequential_strategy(LONG)];
    let config =
        Config { cases: HISTORIES, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
    let result = TestRunner::new(config).run(&histories, |(model, transitions, seen)| {
        runtime.block_on(run(&database, model, &transitions, seen));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
