//! A model test: random histories of two or three members, each step compared with the rules in memory.

mod rules;

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use outbox::Outbox;
use portia_proto::social_graph::{ConnectionRequested, MemberBlocked};
use primitives::{error::ServiceError as _, ids::Ids};
use prost::Message as _;
use sqlx::PgConnection;
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{
    Connection,
    transitions::{self, Answer, Transition},
};
use crate::{MIGRATOR, blocks, deactivation, error::Error, facts};
use rules::{Action, Fact, Model, key};

const HISTORIES: usize = 10_000;
/// Histories in one transaction, and concurrent transactions.
const BATCH: usize = 625;
const CONCURRENCY: usize = 4;

impl Model {
    /// Advances the time, may deactivate or reactivate a member, and applies one random action to the service and the rules.
    async fn step(&mut self, service: &Service, db: &mut PgConnection) {
        self.now += self.rng.pick(&[TimeDelta::zero(), TimeDelta::zero(), TimeDelta::days(1), TimeDelta::days(30)]);
        if self.rng.draw(8) == 0 {
            let who = self.rng.pick(&self.members);
            let deactivated = !self.closed.remove(&who);
            if deactivated {
                self.closed.insert(who);
                deactivation::deactivate(db, member(who)).await.unwrap();
            } else {
                deactivation::reactivate(db, member(who)).await.unwrap();
            }
        }
        let who = self.rng.pick(&self.members);
        let others: Vec<u128> = self.members.iter().copied().filter(|other| *other != who).collect();
        let other = self.rng.pick(&others);
        let likely = [
            Action::Request,
            Action::Request,
            Action::Request,
            Action::Accept,
            Action::Accept,
            Action::Reject,
            Action::Remove,
        ];
        let action = match self.rng.draw(10) {
            0 => Action::Block,
            1 => Action::Unblock,
            _ => self.rng.pick(&likely),
        };
        let known = self.rows.get(&key(who, other)).map(|row| row.id);
        let id = known.or_else(|| self.former.get(&key(who, other)).copied()).unwrap_or_else(|| member(1));
        let outcome = service.perform(db, action, (who, other), id, self.now).await;
        let created = outcome.as_ref().ok().and_then(Option::as_ref).map_or(id, |connection| connection.id);
        let expected = self.apply(action, who, other, created);
        match (outcome, expected) {
            (Ok(Some(connection)), Ok(state)) if !matches!(action, Action::Remove | Action::Block) => {
                let seen = (connection.status, connection.requester_id);
                assert_eq!(Some(seen), state.map(|(status, who)| (status, member(who))), "{action:?} in {self:?}");
                assert_eq!(Some(connection.id), self.rows.get(&key(who, other)).map(|row| row.id));
            }
            (Ok(_), Ok(_)) => {}
            (Err(error), Err(expected)) => assert_eq!(error.reason(), expected, "{action:?} in {self:?}"),
            (outcome, expected) => panic!("{who} {action:?} {other}: {outcome:?}, expected {expected:?} in {self:?}"),
        }
    }
}

struct Service {
    outbox: Outbox,
    ids: Ids,
}

impl Service {
    /// Does what the RPCs do within their transaction.
    async fn perform(
        &self,
        db: &mut PgConnection,
        action: Action,
        (who, other): (u128, u128),
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<Connection>, Error> {
        let (me, them) = (member(who), member(other));
        let transition: Option<Transition> = match action {
            Action::Request => Some(transitions::request(db, self.ids.owned_by(me), me, them, now).await?),
            Action::Accept => Some(transitions::answer(db, id, me, Answer::Accept, now).await?),
            Action::Reject => Some(transitions::answer(db, id, me, Answer::Reject, now).await?),
            Action::Remove => Some(transitions::remove(db, id, me).await?),
            Action::Block => {
                let outcome = blocks::block(db, me, them, now).await?;
                if let Some(transition) = &outcome.removed {
                    facts::publish_transition(&self.outbox, db, transition, now).await?;
                }
                if outcome.created {
                    facts::publish_blocked(&self.outbox, db, me, them, now).await?;
                }
                None
            }
            Action::Unblock => {
                if blocks::unblock(db, me, them).await? {
                    facts::publish_unblocked(&self.outbox, db, me, them, now).await?;
                }
                None
            }
        };
        let Some(transition) = transition else { return Ok(None) };
        facts::publish_transition(&self.outbox, db, &transition, now).await?;
        Ok(Some(transition.connection))
    }
}

/// The inverse of `member`, for numbers of at most twenty bits.
fn number(id: Uuid) -> u128 {
    ((id.as_u128() >> 20) & 0x3ff) << 10 | (id.as_u128() & 0x3ff)
}

fn decode(kind: &str, payload: &[u8]) -> Fact {
    let name = kind.strip_prefix("portia.social_graph.v1.").unwrap();
    let (one, other) = if name.starts_with("Member") {
        let fact = MemberBlocked::decode(payload).unwrap();
        (fact.blocker_id, fact.blocked_id)
    } else {
        let fact = ConnectionRequested::decode(payload).unwrap();
        (fact.requester_id, fact.recipient_id)
    };
    let number = |id: String| number(id.parse().unwrap());
    (name.to_owned(), number(one), number(other))
}

/// Runs histories in one transaction, compares its rows and facts with the model, and rolls it back.
async fn run(service: &Service, database: &Database, numbers: Range<usize>) {
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut models: Vec<Model> = numbers.clone().map(Model::new).collect();
    for model in &mut models {
        for _ in 0..model.steps {
            model.step(service, &mut tx).await;
        }
    }
    let violations = include_str!("../../tests/it/truth.sql");
    let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(violations, Vec::<String>::new());

    let rows = "select format('%s asked %s: %s', requester_id, recipient_id, status) from social_graph.connections";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let expected = models.iter().flat_map(|model| &model.rows).map(|(pair, row)| {
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        let status = format!("{:?}", row.status).to_lowercase();
        format!("{} asked {}: {status}", member(row.requester), member(recipient))
    });
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected.collect());

    let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
    let kinds: Vec<String> = kinds.fetch_all(&mut *tx).await.unwrap();
    let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(&mut *tx).await.unwrap();
    let facts: Vec<Fact> = kinds.iter().zip(&payloads).map(|(kind, payload)| decode(kind, payload)).collect();
    let expected: Vec<Fact> = models.into_iter().flat_map(|model| model.facts).collect();
    assert_eq!(facts, expected);
    tx.rollback().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_histories_follow_the_rules_of_connections() {
    let database = Database::fresh("social_graph", &MIGRATOR).await;
    let service = Service { outbox: Outbox::new("social_graph"), ids: Ids::seeded(clock(), 1) };
    let (database, service) = (Arc::new(database), Arc::new(service));
    let tasks = (0..CONCURRENCY).map(|task| {
        let (database, service) = (database.clone(), service.clone());
        tokio::spawn(async move {
            for first in (0..HISTORIES).step_by(BATCH).skip(task).step_by(CONCURRENCY) {
                run(&service, &database, first..HISTORIES.min(first + BATCH)).await;
            }
        })
    });
    for result in join_all(tasks).await {
        result.unwrap();
    }
}
