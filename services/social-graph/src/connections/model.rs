//! Ten thousand random stories of two or three members, each step checked against a model without a database.

mod story;

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
    steps::{self, Answer, Step},
};
use crate::{MIGRATOR, blocks, closing, error::Error, facts};
use story::{Story, Told, Wish, key};

const STORIES: usize = 10_000;
/// Stories of one transaction, and transactions at once.
const SHARE: usize = 625;
const AT_ONCE: usize = 4;

impl Story {
    /// Time passes, an account may close or open again, and one member wishes for something, of the service and of the
    /// rules.
    async fn step(&mut self, world: &World, db: &mut PgConnection) {
        self.now += self.lots.pick(&[TimeDelta::zero(), TimeDelta::zero(), TimeDelta::days(1), TimeDelta::days(30)]);
        if self.lots.draw(8) == 0 {
            let who = self.lots.pick(&self.cast);
            let close = !self.closed.remove(&who);
            if close {
                self.closed.insert(who);
            }
            closing::hide(db, member(who), close).await.unwrap();
        }
        let who = self.lots.pick(&self.cast);
        let others: Vec<u128> = self.cast.iter().copied().filter(|other| *other != who).collect();
        let other = self.lots.pick(&others);
        let likely = [Wish::Ask, Wish::Ask, Wish::Ask, Wish::Accept, Wish::Accept, Wish::Reject, Wish::Remove];
        let wish = match self.lots.draw(10) {
            0 => Wish::Block,
            1 => Wish::Unblock,
            _ => self.lots.pick(&likely),
        };
        let known = self.rows.get(&key(who, other)).map(|row| row.id);
        let id = known.or_else(|| self.former.get(&key(who, other)).copied()).unwrap_or_else(|| member(1));
        let told = world.wish(db, wish, (who, other), id, self.now).await;
        let made = told.as_ref().ok().and_then(Option::as_ref).map_or(id, |connection| connection.id);
        let expected = self.apply(wish, who, other, made);
        match (told, expected) {
            (Ok(Some(connection)), Ok(stands)) if !matches!(wish, Wish::Remove | Wish::Block) => {
                let seen = (connection.status, connection.requester_id);
                assert_eq!(Some(seen), stands.map(|(status, who)| (status, member(who))), "{wish:?} in {self:?}");
                assert_eq!(Some(connection.id), self.rows.get(&key(who, other)).map(|row| row.id));
            }
            (Ok(_), Ok(_)) => {}
            (Err(error), Err(expected)) => assert_eq!(error.reason(), expected, "{wish:?} in {self:?}"),
            (told, expected) => panic!("{who} {wish:?} {other}: told {told:?}, expected {expected:?} in {self:?}"),
        }
    }
}

/// What the service's own calls stand on.
struct World {
    outbox: Outbox,
    ids: Ids,
}

impl World {
    /// What the RPCs do within their transaction.
    async fn wish(
        &self,
        db: &mut PgConnection,
        wish: Wish,
        (who, other): (u128, u128),
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<Connection>, Error> {
        let (me, them) = (member(who), member(other));
        let step: Option<Step> = match wish {
            Wish::Ask => Some(steps::request(db, self.ids.owned_by(me), me, them, now).await?),
            Wish::Accept => Some(steps::answer(db, id, me, Answer::Accept, now).await?),
            Wish::Reject => Some(steps::answer(db, id, me, Answer::Reject, now).await?),
            Wish::Remove => Some(steps::remove(db, id, me).await?),
            Wish::Block => {
                let blocked = blocks::put(db, me, them, now).await?;
                if let Some(step) = &blocked.severed {
                    facts::stepped(&self.outbox, db, step, now).await?;
                }
                if blocked.new {
                    facts::blocked(&self.outbox, db, me, them, now).await?;
                }
                None
            }
            Wish::Unblock => {
                if blocks::lift(db, me, them).await? {
                    facts::unblocked(&self.outbox, db, me, them, now).await?;
                }
                None
            }
        };
        let Some(step) = step else { return Ok(None) };
        facts::stepped(&self.outbox, db, &step, now).await?;
        Ok(Some(step.connection))
    }
}

/// `member` backwards, for numbers of at most twenty bits.
fn number(id: Uuid) -> u128 {
    ((id.as_u128() >> 20) & 0x3ff) << 10 | (id.as_u128() & 0x3ff)
}

fn told(kind: &str, payload: &[u8]) -> Told {
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

/// Tells the stories in one transaction, then compares what it left behind, which nobody else sees.
async fn tell(world: &World, database: &Database, numbers: Range<usize>) {
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut stories: Vec<Story> = numbers.clone().map(Story::new).collect();
    for story in &mut stories {
        for _ in 0..story.steps {
            story.step(world, &mut tx).await;
        }
    }
    let wrong = include_str!("../../tests/it/truth.sql");
    let wrong: Vec<String> = sqlx::query_scalar(wrong).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(wrong, Vec::<String>::new());

    let rows = "select format('%s asked %s: %s', requester_id, recipient_id, status) from social_graph.connections";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let expected = stories.iter().flat_map(|story| &story.rows).map(|(pair, row)| {
        let recipient = if row.requester == pair.0 { pair.1 } else { pair.0 };
        let status = format!("{:?}", row.status).to_lowercase();
        format!("{} asked {}: {status}", member(row.requester), member(recipient))
    });
    assert_eq!(rows.into_iter().collect::<BTreeSet<_>>(), expected.collect());

    let kinds = sqlx::query_scalar("select kind from social_graph.outbox order by id");
    let kinds: Vec<String> = kinds.fetch_all(&mut *tx).await.unwrap();
    let payloads = sqlx::query_scalar("select payload from social_graph.outbox order by id");
    let payloads: Vec<Vec<u8>> = payloads.fetch_all(&mut *tx).await.unwrap();
    let facts: Vec<Told> = kinds.iter().zip(&payloads).map(|(kind, payload)| told(kind, payload)).collect();
    let expected: Vec<Told> = stories.into_iter().flat_map(|story| story.facts).collect();
    assert_eq!(facts, expected);
    tx.rollback().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_stories_go_as_the_rules_have_it() {
    let database = Database::fresh("social_graph", &MIGRATOR).await;
    let world = World { outbox: Outbox::new("social_graph"), ids: Ids::seeded(clock(), 1) };
    let (database, world) = (Arc::new(database), Arc::new(world));
    let tellers = (0..AT_ONCE).map(|teller| {
        let (database, world) = (database.clone(), world.clone());
        tokio::spawn(async move {
            for first in (0..STORIES).step_by(SHARE).skip(teller).step_by(AT_ONCE) {
                tell(&world, &database, first..STORIES.min(first + SHARE)).await;
            }
        })
    });
    for told in join_all(tellers).await {
        told.unwrap();
    }
}
