//! A model test: random histories of four members and their communities, while accounts are deactivated, reactivated and
//! erased, each step compared with the rules in memory.

mod rules;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use portia_proto::social_graph::{CommunityChanged, CommunityJoined};
use primitives::{error::ServiceError as _, ids::Ids, input::Line};
use prost::Message as _;
use sqlx::{Connection as _, PgConnection};
use testkit::{Database, clock, member};
use uuid::Uuid;

use super::{CommunityText, Role, changes, get, memberships};
use crate::{
    MIGRATOR, deactivation,
    error::Error,
    facts,
    members::{self, ComparisonKey},
};
use rules::{Action, Fact, Model};

const HISTORIES: usize = 2_000;
/// Histories in one transaction. Transactions run one after the other: creating a community locks the totals.
const BATCH: usize = 100;

struct Service {
    outbox: Outbox,
    ids: Ids,
}

impl Model {
    /// May advance the time and applies one random action to the service and the rules.
    async fn step(&mut self, service: &Service, db: &mut PgConnection) {
        self.now += self.rng.pick(&[TimeDelta::zero(), TimeDelta::minutes(1)]);
        let (who, other) = (self.rng.pick(&self.members), self.rng.pick(&self.members));
        let name = self.names[self.rng.draw(self.names.len())].clone();
        let action = match self.rng.draw(20) {
            0..3 => Action::Create,
            3 => Action::Update,
            4..9 => Action::Join,
            9..12 => Action::Leave,
            12..15 => Action::SetRole(Role::Owner),
            15 => Action::SetRole(Role::Member),
            16 => Action::Deactivate,
            17 => Action::Reactivate,
            18 => Action::Erase,
            _ => Action::Join,
        };
        let known: Vec<Uuid> = self.communities.keys().chain(&self.former).copied().collect();
        let id = match action {
            Action::Create => service.ids.new_owner(),
            _ if known.is_empty() => member(1),
            _ => self.rng.pick(&known),
        };
        // A violated constraint would abort the transaction of the whole batch, so these run in a savepoint.
        let outcome = if matches!(action, Action::Create | Action::Update) {
            let mut tx = db.begin().await.unwrap();
            let outcome = service.perform(&mut tx, action, (who, other), id, &name, self.now).await;
            if outcome.is_ok() {
                tx.commit().await.unwrap()
            } else {
                tx.rollback().await.unwrap()
            }
            outcome
        } else {
            service.perform(db, action, (who, other), id, &name, self.now).await
        };
        let outcome = outcome.map_err(|error| error.reason());
        let expected = self.apply(action, who, other, id, &name);
        assert_eq!(outcome, expected, "{who} {action:?} {other} {name}, {id} in {self:#?}");
    }
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
        let (me, them) = (member(who), member(other));
        let name = name.replace("  ", " ");
        let name_key = ComparisonKey::from_text(Some(&name)).0.unwrap();
        let name = Line::parse("name", &name, 1, "").unwrap();
        let text = CommunityText { name, name_key, description: None, rules: None };
        match action {
            Action::Create => {
                members::lock(db, me, now).await?;
                changes::create(db, id, me, &text, now).await?;
                facts::publish_community_changed(&self.outbox, db, id, &text.name, now).await?;
                facts::publish_community_joined(&self.outbox, db, id, me, Role::Owner, now).await?;
            }
            Action::Update => {
                if changes::update(db, id, me, &text).await? {
                    facts::publish_community_changed(&self.outbox, db, id, &text.name, now).await?;
                }
            }
            Action::Join => {
                if memberships::join(db, id, me, now).await? {
                    facts::publish_community_joined(&self.outbox, db, id, me, Role::Member, now).await?;
                }
            }
            Action::Leave => {
                if memberships::leave(db, id, me, now).await? {
                    facts::publish_community_left(&self.outbox, db, id, me, now).await?;
                }
            }
            Action::SetRole(role) => {
                let (set, changed) = memberships::set_role(db, id, me, them, role).await?;
                assert_eq!((set.member_id, set.role), (them, role));
                if changed {
                    facts::publish_community_joined(&self.outbox, db, id, them, role, now).await?;
                }
            }
            Action::Deactivate => deactivation::deactivate(db, me).await?,
            Action::Reactivate => deactivation::reactivate(db, me).await?,
            Action::Erase => deactivation::erase(db, &self.outbox, me, now).await?,
        }
        Ok(())
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
            Fact::Joined(id(&joined.member_id), if joined.is_owner { Role::Owner } else { Role::Member })
        }
        "CommunityLeft" => Fact::Left(id(&joined.member_id)),
        "CommunityRemoved" => Fact::Removed,
        other => panic!("{other}"),
    };
    (id(&joined.community_id), fact)
}

/// Runs histories in one transaction, compares its rows and facts with the model, and rolls it back.
async fn run(service: &Service, database: &Database, numbers: Range<usize>) {
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut models: Vec<Model> = numbers.map(Model::new).collect();
    for model in &mut models {
        for _ in 0..model.steps {
            model.step(service, &mut tx).await;
        }
    }
    let violations = include_str!("../../tests/it/truth.sql");
    let violations: Vec<String> = sqlx::query_scalar(violations).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(violations, Vec::<String>::new());

    for model in &models {
        for (id, community) in &model.communities {
            let found = get(&mut tx, None, *id).await.unwrap();
            let visible = community.members.keys().filter(|who| !model.closed.contains(who)).count();
            let expected = (community.name.clone(), i64::try_from(visible).unwrap());
            assert_eq!((found.name, found.member_count), expected, "{model:#?}");
        }
    }
    let rows = "select format('%s %s %s', community_id, member_id, role) from social_graph.memberships";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let communities = models.iter().flat_map(|model| &model.communities);
    let expected = communities.flat_map(|(id, community)| {
        community
            .members
            .iter()
            .map(move |(who, (role, _))| format!("{id} {} {}", member(*who), format!("{role:?}").to_lowercase()))
    });
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected.collect());

    let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
    let kinds: Vec<String> = kinds.fetch_all(&mut *tx).await.unwrap();
    let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(&mut *tx).await.unwrap();
    let mut facts = BTreeMap::<Uuid, Vec<Fact>>::new();
    for (kind, payload) in kinds.iter().zip(&payloads) {
        let (id, fact) = decode(kind, payload);
        facts.entry(id).or_default().push(fact);
    }
    assert_eq!(facts, models.into_iter().flat_map(|model| model.facts).collect());
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn random_histories_follow_the_rules_of_communities() {
    let database = Database::fresh("social_graph", &MIGRATOR).await;
    let service = Service { outbox: Outbox::new("social_graph"), ids: Ids::seeded(clock(), 1) };
    for first in (0..HISTORIES).step_by(BATCH) {
        run(&service, &database, first..HISTORIES.min(first + BATCH)).await;
    }
}
