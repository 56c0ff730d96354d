//! A model test: random histories of two or three members, each step compared with the rules in memory.
//!
//! The model is a pure `ReferenceStateMachine`, so a failing history shrinks. The system under test is Postgres: each
//! history runs in its own transaction, which is rolled back. `StateMachineTest` is not used, because its functions are
//! not async.

mod rules;
mod steps;

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use outbox::{Outbox, UnitOfWork};
use portia_proto::social_graph::{ConnectionRequested, MemberBlocked};
use primitives::{clock::Clock, error::ServiceError as _, ids::Ids};
use proptest::{
    prelude::prop_oneof,
    test_runner::{Config, RngSeed, TestRunner},
};
use proptest_state_machine::ReferenceStateMachine as _;
use prost::Message as _;
use sqlx::PgConnection;
use testkit::{Database, clock, member};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::{
    Connection,
    transitions::{self, Answer},
};
use crate::{MIGRATOR, blocks, deactivation, error::Error};
use rules::{Model, key};
use steps::{Action, History, Step};

const HISTORIES: u32 = 1_000;
/// The lengths of histories, in steps. Most are short, so that many can run; one in ten is long.
const SHORT: usize = 12;
const LONG: usize = 60;
/// Bounds the time for finding a shorter history that fails.
const MAX_SHRINK_ITERS: u32 = 2_000;

/// So large that no history uses up the allowance of requests.
const SCALE: u32 = 1_000;

struct Service {
    outbox: Outbox,
}

impl Service {
    /// Does what the RPCs do within their transaction.
    async fn perform(
        work: &mut UnitOfWork<'_>,
        action: Action,
        (who, other): (u128, u128),
        id: Uuid,
    ) -> Result<Option<Connection>, Error> {
        let (me, them) = (member(who), member(other));
        match action {
            Action::Request => Ok(Some(transitions::request(work, me, them, SCALE).await?.0)),
            Action::Accept => Ok(Some(transitions::answer(work, id, me, Answer::Accept).await?)),
            Action::Reject => Ok(Some(transitions::answer(work, id, me, Answer::Reject).await?)),
            Action::Remove => transitions::remove(work, id, me).await.map(|()| None),
            Action::Block => blocks::block(work, me, them).await.map(|()| None),
            Action::Unblock => blocks::unblock(work, me, them).await.map(|()| None),
        }
    }

    /// Applies a step to the service and compares the outcome with the outcome of the model after the step.
    async fn step(&self, db: &mut PgConnection, model: &Model, step: &Step) {
        // The model made the id of a request with the same seed.
        let ids = Ids::seeded(clock(), model.steps - 1);
        let work = &mut UnitOfWork::new(db, &self.outbox, &ids, &Clock::fixed(model.now));
        let (action, who, other, id) = match *step {
            Step::Wait { .. } => return,
            Step::Toggle { who } if model.closed.contains(&who) => {
                return deactivation::deactivate(work, member(who)).await.unwrap();
            }
            Step::Toggle { who } => return deactivation::reactivate(work, member(who)).await.unwrap(),
            Step::Act { action, who, other, id } => (action, who, other, id),
        };
        let outcome = Self::perform(work, action, (who, other), id).await;
        match (outcome, &model.outcome) {
            (Ok(Some(connection)), Ok(state)) if !matches!(action, Action::Remove | Action::Block) => {
                let seen = (connection.status, connection.requester_id);
                assert_eq!(Some(seen), state.map(|(status, who)| (status, member(who))), "{step:?} in {model:?}");
                assert_eq!(Some(connection.id), model.rows.get(&key(who, other)).map(|row| row.id));
            }
            (Ok(_), Ok(_)) => {}
            (Err(error), Err(expected)) => assert_eq!(error.reason(), *expected, "{step:?} in {model:?}"),
            (outcome, expected) => panic!("{step:?}: {outcome:?}, expected {expected:?} in {model:?}"),
        }
    }
}

fn decode(kind: &str, payload: &[u8]) -> (String, Uuid, Uuid) {
    let name = kind.strip_prefix("portia.social_graph.v1.").unwrap();
    let (one, other) = if name.starts_with("Member") {
        let fact = MemberBlocked::decode(payload).unwrap();
        (fact.blocker_id, fact.blocked_id)
    } else {
        let fact = ConnectionRequested::decode(payload).unwrap();
        (fact.requester_id, fact.recipient_id)
    };
    (name.to_owned(), one.parse().unwrap(), other.parse().unwrap())
}

/// Runs a history in a transaction, compares its rows and facts with the model, and rolls it back. `seen` counts the applied
/// steps for shrinking.
async fn run(database: &Database, mut model: Model, steps: &[Step], seen: Option<Arc<AtomicUsize>>) {
    let service = Service { outbox: Outbox::new("social_graph") };
    let mut tx = db::begin(database.pool()).await.unwrap();
    for step in steps {
        if let Some(seen) = &seen {
            seen.fetch_add(1, Ordering::SeqCst);
        }
        model = History::apply(model, step);
        service.step(&mut tx, &model, step).await;
    }
    let violations = include_str!("../../tests/it/truth.sql");
    let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(violations, Vec::<String>::new(), "{model:#?}");

    let rows = "select format('%s asked %s: %s', requester_id, recipient_id, status) from social_graph.connections";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let expected = model.rows.iter().map(|(pair, row)| {
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        let status = format!("{:?}", row.status).to_lowercase();
        format!("{} asked {}: {status}", member(row.requester), member(recipient))
    });
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected.collect(), "{model:#?}");

    let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
    let kinds: Vec<String> = kinds.fetch_all(&mut *tx).await.unwrap();
    let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(&mut *tx).await.unwrap();
    // The facts of a closed account concern no pair.
    let published = kinds.iter().zip(&payloads).filter(|(kind, _)| !kind.ends_with(".MemberVisibilityChanged"));
    let facts: Vec<_> = published.map(|(kind, payload)| decode(kind, payload)).collect();
    let expected = model.facts.iter().map(|(name, one, other)| (name.clone(), member(*one), member(*other)));
    assert_eq!(facts, expected.collect::<Vec<_>>(), "{model:#?}");
    tx.rollback().await.unwrap();
}

#[test]
fn random_histories_follow_the_rules_of_connections() {
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::fresh("social_graph", &MIGRATOR));
    let histories = prop_oneof![9 => History::sequential_strategy(SHORT), 1 => History::sequential_strategy(LONG)];
    let config = Config {
        cases: HISTORIES,
        max_shrink_iters: MAX_SHRINK_ITERS,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&histories, |(model, steps, seen)| {
        runtime.block_on(run(&database, model, &steps, seen));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}
