//! Two thousand random stories of four members who found, run, join and leave communities while accounts close, open
//! again and are erased: each step checked against a model without a database.

mod story;

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

use super::{Role, Wording, find, steps};
use crate::{
    MIGRATOR, closing, erase,
    error::Error,
    facts,
    members::{self, Key},
};
use story::{Story, Told, Wish};

const STORIES: usize = 2_000;
/// Stories of one transaction. One after the other: whoever founds a community waits for the totals.
const SHARE: usize = 100;

/// What the service's own calls stand on.
struct World {
    outbox: Outbox,
    ids: Ids,
}

impl Story {
    /// Time may pass, and somebody wishes for something, of the service and of the rules.
    async fn step(&mut self, world: &World, db: &mut PgConnection) {
        self.now += self.lots.pick(&[TimeDelta::zero(), TimeDelta::minutes(1)]);
        let (who, other) = (self.lots.pick(&self.cast), self.lots.pick(&self.cast));
        let name = self.names[self.lots.draw(self.names.len())].clone();
        let wish = match self.lots.draw(20) {
            0..3 => Wish::Found,
            3 => Wish::Reword,
            4..9 => Wish::Join,
            9..12 => Wish::Leave,
            12..15 => Wish::Appoint(Role::Owner),
            15 => Wish::Appoint(Role::Member),
            16 => Wish::Close,
            17 => Wish::Reopen,
            18 => Wish::Erase,
            _ => Wish::Join,
        };
        let known: Vec<Uuid> = self.communities.keys().chain(&self.former).copied().collect();
        let id = match wish {
            Wish::Found => world.ids.new_owner(),
            _ if known.is_empty() => member(1),
            _ => self.lots.pick(&known),
        };
        // A constraint that refuses a row would end the transaction of all stories.
        let done = if matches!(wish, Wish::Found | Wish::Reword) {
            let mut tx = db.begin().await.unwrap();
            let done = world.wish(&mut tx, wish, (who, other), id, &name, self.now).await;
            if done.is_ok() {
                tx.commit().await.unwrap()
            } else {
                tx.rollback().await.unwrap()
            }
            done
        } else {
            world.wish(db, wish, (who, other), id, &name, self.now).await
        };
        let done = done.map_err(|error| error.reason());
        let expected = self.apply(wish, who, other, id, &name);
        assert_eq!(done, expected, "{who} {wish:?} {other} {name}, {id} in {self:#?}");
    }
}

impl World {
    /// What the RPCs, and the facts of auth, do within their transaction.
    async fn wish(
        &self,
        db: &mut PgConnection,
        wish: Wish,
        (who, other): (u128, u128),
        id: Uuid,
        name: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Error> {
        let (me, them) = (member(who), member(other));
        let name = name.replace("  ", " ");
        let name_key = Key::of(Some(&name)).0.unwrap();
        let name = Line::parse("name", &name, 1, "").unwrap();
        let wording = Wording { name, name_key, description: None, rules: None };
        match wish {
            Wish::Found => {
                members::lock(db, me, now).await?;
                steps::found(db, id, me, &wording, now).await?;
                facts::community_called(&self.outbox, db, id, &wording.name, now).await?;
                facts::joined(&self.outbox, db, id, me, Role::Owner, now).await?;
            }
            Wish::Reword => {
                if steps::update(db, id, me, &wording).await? {
                    facts::community_called(&self.outbox, db, id, &wording.name, now).await?;
                }
            }
            Wish::Join => {
                if steps::join(db, id, me, now).await? {
                    facts::joined(&self.outbox, db, id, me, Role::Member, now).await?;
                }
            }
            Wish::Leave => {
                if steps::leave(db, id, me, now).await? {
                    facts::left(&self.outbox, db, id, me, now).await?;
                }
            }
            Wish::Appoint(role) => {
                let (set, changed) = steps::set_role(db, id, me, them, role).await?;
                assert_eq!((set.member_id, set.role), (them, role));
                if changed {
                    facts::joined(&self.outbox, db, id, them, role, now).await?;
                }
            }
            Wish::Close => closing::hide(db, me, true).await?,
            Wish::Reopen => closing::hide(db, me, false).await?,
            Wish::Erase => erase::member(db, &self.outbox, me, now).await?,
        }
        Ok(())
    }
}

fn told(kind: &str, payload: &[u8]) -> (Uuid, Told) {
    // The first field of each is the community; of those about a member, the second is who.
    let name = kind.strip_prefix("portia.social_graph.v1.").unwrap();
    let id = |raw: &str| raw.parse::<Uuid>().unwrap();
    if name == "CommunityChanged" {
        let fact = CommunityChanged::decode(payload).unwrap();
        return (id(&fact.community_id), Told::Called(fact.name));
    }
    let fact = CommunityJoined::decode(payload).unwrap();
    let told = match name {
        "CommunityJoined" => Told::Joined(id(&fact.member_id), if fact.is_owner { Role::Owner } else { Role::Member }),
        "CommunityLeft" => Told::Left(id(&fact.member_id)),
        "CommunityRemoved" => Told::Removed,
        other => panic!("{other}"),
    };
    (id(&fact.community_id), told)
}

/// Tells the stories in one transaction, then compares what it left behind, which nobody else sees.
async fn tell(world: &World, database: &Database, numbers: Range<usize>) {
    let mut tx = db::begin(database.pool()).await.unwrap();
    let mut stories: Vec<Story> = numbers.map(Story::new).collect();
    for story in &mut stories {
        for _ in 0..story.steps {
            story.step(world, &mut tx).await;
        }
    }
    let wrong = include_str!("../../tests/it/truth.sql");
    let wrong: Vec<String> = sqlx::query_scalar(wrong).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(wrong, Vec::<String>::new());

    for story in &stories {
        for (id, community) in &story.communities {
            let found = find(&mut tx, None, *id).await.unwrap();
            let shown = community.members.keys().filter(|who| !story.closed.contains(who)).count();
            let expected = (community.name.clone(), i64::try_from(shown).unwrap());
            assert_eq!((found.name, found.member_count), expected, "{story:#?}");
        }
    }
    let rows = "select format('%s %s %s', community_id, member_id, role) from social_graph.memberships";
    let rows: Vec<String> = sqlx::query_scalar(rows).fetch_all(&mut *tx).await.unwrap();
    let communities = stories.iter().flat_map(|story| &story.communities);
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
    let mut facts = BTreeMap::<Uuid, Vec<Told>>::new();
    for (kind, payload) in kinds.iter().zip(&payloads) {
        let (id, told) = told(kind, payload);
        facts.entry(id).or_default().push(told);
    }
    assert_eq!(facts, stories.into_iter().flat_map(|story| story.facts).collect());
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn two_thousand_stories_go_as_the_rules_have_it() {
    let database = Database::fresh("social_graph", &MIGRATOR).await;
    let world = World { outbox: Outbox::new("social_graph"), ids: Ids::seeded(clock(), 1) };
    for first in (0..STORIES).step_by(SHARE) {
        tell(&world, &database, first..STORIES.min(first + SHARE)).await;
    }
}
