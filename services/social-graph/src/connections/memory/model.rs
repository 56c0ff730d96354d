//! A model test: random histories of members and replicas, in which every list of suggestions equals the list of one
//! statement.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use outbox::{Outbox, UnitOfWork};
use primitives::{clock::Clock, ids::Ids, input::PageSize};
use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, RngSeed, TestRunner},
};
use sqlx::PgConnection;
use testkit::{Database, member};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::{
    super::{
        suggestions::{self, Reason, Suggestion},
        transitions,
    },
    GraphMemory,
};
use crate::{
    MIGRATOR, blocks, deactivation,
    error::Error,
    members::{self, ComparisonKey},
};

const HISTORIES: u32 = 60;
const MAX_SHRINK_ITERS: u32 = 500;
const MEMBERS: u128 = 7;
const REPLICAS: usize = 2;
/// So large that no history uses up the allowance of requests.
const SCALE: u32 = 1_000;
/// So few that some members have more connections.
const SCANNED: u8 = 3;

#[derive(Clone, Copy, Debug)]
enum Action {
    /// Requests a connection, or accepts the other's request.
    Request,
    Remove,
    Block,
    Unblock,
    Dismiss,
    Register,
    Unlist,
    List,
    Close,
    Reopen,
    Erase,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Act {
        action: Action,
        who: u128,
        other: u128,
    },
    /// Connects two members, as a request and an acceptance do.
    Connect(u128, u128),
    /// The sequencer numbers all facts.
    Number,
    /// A replica looks for changes.
    Look(usize),
    Merge(usize),
    /// A replica is killed; the next one has loaded nothing yet.
    Kill(usize),
    /// Postgres restarts, so the numbers of facts belong to another history.
    Restart,
    /// Old facts are pruned.
    Prune,
    /// More facts are published than are read at once.
    Flood,
}

fn step() -> impl Strategy<Value = Step> {
    use Action::{Block, Close, Dismiss, Erase, List, Register, Remove, Reopen, Request, Unblock, Unlist};
    let actions = vec![
        Request, Request, Request, Remove, Remove, Block, Unblock, Dismiss, Dismiss, Register, Register, Unlist, List,
        Close, Reopen, Erase,
    ];
    let replica = || 0..REPLICAS;
    let pair = || (0..MEMBERS, 1..MEMBERS).prop_map(|(who, by)| (who, (who + by) % MEMBERS));
    prop_oneof![
        12 => (select(actions), pair()).prop_map(|(action, (who, other))| Step::Act { action, who, other }),
        12 => pair().prop_map(|(who, other)| Step::Connect(who, other)),
        5 => Just(Step::Number),
        4 => replica().prop_map(Step::Look),
        2 => replica().prop_map(Step::Merge),
        2 => replica().prop_map(Step::Kill),
        1 => Just(Step::Restart),
        1 => Just(Step::Prune),
        1 => Just(Step::Flood),
    ]
}

struct Service {
    outbox: Outbox,
    ids: Ids,
    now: DateTime<Utc>,
    replicas: Vec<Arc<GraphMemory>>,
}

impl Service {
    async fn step(&mut self, db: &mut PgConnection, step: Step) {
        // Some connections are accepted at the same time.
        self.now += TimeDelta::seconds(i64::from(matches!(step, Step::Act { .. })));
        match step {
            Step::Act { action, who, other } => {
                // A refusal changes nothing.
                self.act(db, action, member(who), member(other)).await.ok();
            }
            Step::Connect(who, other) => {
                for (who, other) in [(who, other), (other, who)] {
                    self.act(db, Action::Request, member(who), member(other)).await.ok();
                }
            }
            Step::Number => {
                let number = "
                    update social_graph.outbox o
                    set seq = numbered.seq
                    from (
                        select id, (select n from social_graph.outbox_sequence) + row_number() over (order by id) as seq
                        from social_graph.outbox
                        where seq is null
                    ) as numbered
                    where o.id = numbered.id;
                    update social_graph.outbox_sequence
                    set n = greatest(n, (select max(seq) from social_graph.outbox))";
                sqlx::raw_sql(number).execute(db).await.unwrap();
            }
            Step::Look(replica) => self.replicas[replica].catch_up(db, &testkit::clock()).await.unwrap(),
            Step::Merge(replica) => self.replicas[replica].merge_now(),
            Step::Kill(replica) => self.replicas[replica] = Arc::new(GraphMemory::new(SCANNED)),
            Step::Restart => {
                let restart = "update social_graph.outbox_sequence set history = gen_random_uuid()";
                sqlx::raw_sql(restart).execute(db).await.unwrap();
            }
            Step::Flood => {
                let flood = "
                    insert into social_graph.outbox (kind, key, payload, at)
                    select 'portia.social_graph.v1.EventAttended', 'key', '', '2026-01-01'
                    from generate_series(1, 2100)";
                sqlx::raw_sql(flood).execute(db).await.unwrap();
            }
            Step::Prune => {
                sqlx::raw_sql("delete from social_graph.outbox where seq is not null").execute(db).await.unwrap();
            }
        }
    }

    /// Does what the RPCs and the handlers of facts do within their transaction.
    async fn act(&self, db: &mut PgConnection, action: Action, me: Uuid, other: Uuid) -> Result<(), Error> {
        let work = &mut UnitOfWork::new(db, &self.outbox, &self.ids, &Clock::fixed(self.now));
        match action {
            Action::Request => transitions::request(work, me, other, SCALE).await.map(drop),
            Action::Remove => {
                let row = super::super::batch_find(work.db, me, &[other]).await?.pop();
                transitions::remove(work, row.ok_or(Error::ConnectionNotFound)?.id, me).await
            }
            Action::Block => blocks::block(work, me, other).await,
            Action::Unblock => blocks::unblock(work, me, other).await,
            Action::Dismiss => suggestions::dismiss(work, me, other).await,
            Action::Register => {
                let key = |raw: &str| ComparisonKey::from_text(Some(raw));
                members::apply_registration(work.db, me, work.now, &key("Yale"), &key("Boston")).await
            }
            Action::Unlist | Action::List => members::set_unlisted(work.db, me, matches!(action, Action::Unlist)).await,
            Action::Close => deactivation::deactivate(work, me).await,
            Action::Reopen => deactivation::reactivate(work, me).await,
            Action::Erase => deactivation::erase(work, me).await,
        }
    }

    /// Compares the lists of all replicas with the lists of one statement, after the step number `n`.
    async fn assert_same(&self, db: &mut PgConnection, n: usize) {
        for (who, size) in (0..MEMBERS).zip([1, 3, 20].into_iter().cycle().skip(n)) {
            let expected = one_statement(db, member(who), size).await;
            for (place, replica) in self.replicas.iter().enumerate() {
                let size = PageSize::parse(size).unwrap();
                let listed = suggestions::list(db, replica, member(who), size).await.unwrap();
                assert_eq!(listed, expected, "member {who} at replica {place}");
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the statement is only for this comparison")]
async fn one_statement(db: &mut PgConnection, who: Uuid, size: i32) -> Vec<Suggestion> {
    let rows = sqlx::query_as::<_, (Uuid, i32, Reason)>(include_str!("one_statement.sql"));
    let rows = rows.bind(who).bind(i64::from(size)).bind(i64::from(SCANNED)).fetch_all(db).await.unwrap();
    rows.into_iter()
        .map(|(member_id, mutual_connections, reason)| Suggestion { member_id, mutual_connections, reason })
        .collect()
}

/// Runs a history in a transaction and rolls it back. Returns how many lists a loaded memory was asked for.
async fn run(database: &Database, steps: &[Step]) -> usize {
    let replicas = (0..REPLICAS).map(|_| Arc::new(GraphMemory::new(SCANNED))).collect();
    let clock = testkit::clock();
    let ids = Ids::seeded(clock.clone(), 1);
    let mut service = Service { outbox: Outbox::new("social_graph"), ids, now: clock.now(), replicas };
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut loaded = 0;
    for (n, step) in steps.iter().enumerate() {
        service.step(&mut tx, *step).await;
        loaded += service.replicas.iter().filter(|replica| replica.candidates(member(0), 1).is_some()).count();
        service.assert_same(&mut tx, n).await;
    }
    tx.rollback().await.unwrap();
    loaded
}

#[test]
fn suggestions_from_memory_equal_those_of_one_statement() {
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(Database::fresh("social_graph", &MIGRATOR));
    let histories = proptest::collection::vec(step(), 1..40);
    let config = Config {
        cases: HISTORIES,
        max_shrink_iters: MAX_SHRINK_ITERS,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..Config::default()
    };
    let loaded = std::cell::Cell::new(0);
    let result = TestRunner::new(config).run(&histories, |steps| {
        loaded.set(loaded.get() + runtime.block_on(run(&database, &steps)));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    assert!(loaded.get() > 500, "the memory answered after {} steps", loaded.get());
}
