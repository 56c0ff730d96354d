//! A model test: random histories of four members and their communities, while accounts are deactivated, reactivated and
//! erased, each step compared with the rules in memory.
//!
//! The model is a pure `ReferenceStateMachine`, so a failing history shrinks. The system under test is Postgres: each
//! history runs in its own transaction, which is rolled back. `StateMachineTest` is not used, because its functions are
//! not async.

mod rules;
mod steps;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, Utc};
use outbox::{Outbox, UnitOfWork};
use portia_proto::social_graph::{CommunityChanged, CommunityJoined};
use primitives::{clock::Clock, error::ServiceError as _, ids::Ids, input::Line};
use proptest::{
    prelude::prop_oneof,
    test_runner::{Config, RngSeed, TestRunner},
};
use proptest_state_machine::ReferenceStateMachine as _;
use prost::Message as _;
use sqlx::{Connection as _, PgConnection};
use testkit::{Database, member};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::{
    CommunityText, Role,
    access::Access,
    changes::{self, NewCommunity, UpdateCommunity},
    get, joining,
    memberships::{self, SetMemberRole},
    moderation::{self, RemoveMember},
    ownership,
};
use crate::{
    MIGRATOR, deactivation,
    error::Error,
    members::{self, ComparisonKey},
};
use rules::{Fact, Model};
use steps::{Action, History, Step};

const HISTORIES: u32 = 400;
/// The lengths of histories, in steps. Most are short, so that many can run; one in ten is long.
const SHORT: usize = 12;
const LONG: usize = 60;
/// Bounds the time for finding a shorter history that fails.
const MAX_SHRINK_ITERS: u32 = 2_000;

struct Service {
    outbox: Outbox,
}

impl Service {
    /// Does what the RPCs and the handlers of auth's facts do within their transaction.
    async fn perform(
        &self,
        db: &mut PgConnection,
        action: Action,
        (who, other): (u128, u128),
        id: Uuid,
        name: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Error> {
        let clock = Clock::fixed(now);
        let ids = Ids::seeded(clock.clone(), now.timestamp().unsigned_abs());
        let work = &mut UnitOfWork::new(db, &self.outbox, &ids, &clock);
        let (me, them) = (member(who), member(other));
        let name = name.replace("  ", " ");
        let name_key = ComparisonKey::from_text(Some(&name)).0.unwrap();
        let name = Line::parse("name", &name, 1, "").unwrap();
        let text = CommunityText { name, name_key, description: None, rules: None };
        let access = Access::default();
        match action {
            Action::Create => {
                members::lock(work, me).await?;
                changes::create(work, id, me, &NewCommunity { text, access }).await?;
            }
            Action::Update => changes::update(work, me, &UpdateCommunity { community: id, text, access }).await?,
            Action::Join => joining::join(work, id, me).await?,
            Action::Leave => joining::leave(work, id, me).await?,
            Action::SetRole(role) => {
                let set = SetMemberRole { community: id, member: them, role };
                let set = memberships::set_role(work, me, &set).await?;
                assert_eq!((set.member_id, set.role), (them, role));
            }
            Action::Remove { ban } => {
                let removal = RemoveMember { community: id, member: them, ban, reason: None };
                moderation::remove(work, me, &removal).await?;
            }
            Action::Unban => moderation::unban(work, id, me, them).await?,
            Action::Transfer => ownership::transfer(work, id, me, them).await?,
            Action::Dissolve => ownership::dissolve(work, id, me).await?,
            Action::Deactivate => deactivation::deactivate(work, me).await?,
            Action::Reactivate => deactivation::reactivate(work, me).await?,
            Action::Erase => deactivation::erase(work, me).await?,
        }
        Ok(())
    }

    /// Applies a step to the service and compares the outcome with the outcome of the model after the step.
    async fn step(&self, db: &mut PgConnection, model: &Model, step: &Step) {
        let Step { action, who, other, id, name, .. } = *step;
        // A violated constraint would abort the transaction of the history, so these run in a savepoint.
        let outcome = if matches!(action, Action::Create | Action::Update) {
            let mut tx = db.begin().await.unwrap();
            let outcome = self.perform(&mut tx, action, (who, other), id, name, model.now).await;
            if outcome.is_ok() {
                tx.commit().await.unwrap()
            } else {
                tx.rollback().await.unwrap()
            }
            outcome
        } else {
            self.perform(db, action, (who, other), id, name, model.now).await
        };
        let outcome = outcome.map_err(|error| error.reason());
        assert_eq!(outcome, model.outcome, "{step:?} in {model:#?}");
    }
}

fn decode(kind: &str, payload: &[u8]) -> (Uuid, Fact) {
    // Field 1 of each message is the community, field 2 the member or the name.
    let name = kind.strip_prefix("portia.social_graph.v1.").unwrap();
    let id = |raw: &str| raw.parse::<Uuid>().unwrap();
    if name == "CommunityChanged" {
        let fact = CommunityChanged::decode(payload).unwrap();
        return (id(&fact.community_id), Fact::Named(fact.name));
    }
    let joined = CommunityJoined::decode(payload).unwrap();
    let fact = match name {
        "CommunityJoined" => {
            let role = match (joined.is_owner, joined.is_moderator) {
                (true, _) => Role::Owner,
                (false, true) => Role::Moderator,
                (false, false) => Role::Member,
            };
            Fact::Joined(id(&joined.member_id), role)
        }
        "CommunityLeft" => Fact::Left(id(&joined.member_id)),
        "CommunityRemoved" => Fact::Removed,
        other => panic!("{other}"),
    };
    (id(&joined.community_id), fact)
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

    for (id, community) in &model.communities {
        let found = get(&mut tx, None, *id).await.unwrap();
        let visible = community.members.keys().filter(|who| !model.closed.contains(who)).count();
        let expected = (community.name.clone(), i64::try_from(visible).unwrap());
        assert_eq!((found.name, found.member_count), expected, "{model:#?}");
    }
    let rows = "select format('%s %s %s', community_id, member_id, role) from social_graph.memberships";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let expected = model.communities.iter().flat_map(|(id, community)| {
        community
            .members
            .iter()
            .map(move |(who, (role, _))| format!("{id} {} {}", member(*who), format!("{role:?}").to_lowercase()))
    });
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected.collect(), "{model:#?}");
    let bans = "select format('%s %s', community_id, member_id) from social_graph.community_bans";
    let bans: Vec<String> = sqlx::query_scalar(bans).fetch_all(&mut *tx).await.unwrap();
    let expected = model.communities.iter();
    let expected =
        expected.flat_map(|(id, community)| community.bans.iter().map(move |who| format!("{id} {}", member(*who))));
    assert_eq!(bans.into_iter().collect::<BTreeSet<_>>(), expected.collect(), "{model:#?}");

    let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
    let kinds: Vec<String> = kinds.fetch_all(&mut *tx).await.unwrap();
    let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(&mut *tx).await.unwrap();
    let mut facts = BTreeMap::<Uuid, Vec<Fact>>::new();
    // The facts of a member belong to no community.
    let published = kinds.iter().zip(&payloads).filter(|(kind, _)| !kind.contains(".Member"));
    for (kind, payload) in published {
        let (id, fact) = decode(kind, payload);
        facts.entry(id).or_default().push(fact);
    }
    assert_eq!(facts, model.facts, "{model:#?}");
    tx.rollback().await.unwrap();
}

#[test]
fn random_histories_follow_the_rules_of_communities() {
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
