//! What changes something: a transaction each, begun and committed here.

use chrono::{DateTime, Utc};
use db::begin;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Rpc;
use crate::{
    blocks,
    communities::{self, Belonging, Community, Role, Wording},
    connections::steps::{self, Step},
    convert::{Answered, Appointed, Changed, Reworded},
    error::Error,
    events::{self, Event, Poster, steps::Newer},
    facts::{self, events::Announced},
    idempotency::{self, Key, Keyed, claim, hash},
    members,
};

impl Rpc {
    pub(super) async fn ask(&self, member: Uuid, other: Uuid) -> Result<Step, Error> {
        let (id, now) = (self.ids.owned_by(member), self.clock.now());
        let mut tx = begin(&self.db).await?;
        let step = steps::request(&mut tx, id, member, other, now).await?;
        facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        tx.commit().await?;
        Ok(step)
    }

    pub(super) async fn answer(&self, member: Uuid, answered: &Answered) -> Result<Step, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let step = steps::answer(&mut tx, answered.connection, member, answered.answer, now).await?;
        facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        tx.commit().await?;
        Ok(step)
    }

    pub(super) async fn remove(&self, member: Uuid, connection: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        let step = steps::remove(&mut tx, connection, member).await?;
        facts::stepped(&self.outbox, &mut tx, &step, self.clock.now()).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn block(&self, member: Uuid, other: Uuid) -> Result<(), Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let blocked = blocks::put(&mut tx, member, other, now).await?;
        if let Some(step) = blocked.severed {
            facts::stepped(&self.outbox, &mut tx, &step, now).await?;
        }
        if blocked.new {
            facts::blocked(&self.outbox, &mut tx, member, other, now).await?;
        }
        Ok(tx.commit().await?)
    }

    pub(super) async fn unblock(&self, member: Uuid, other: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        if blocks::lift(&mut tx, member, other).await? {
            facts::unblocked(&self.outbox, &mut tx, member, other, self.clock.now()).await?;
        }
        Ok(tx.commit().await?)
    }

    pub(super) async fn found(&self, member: Uuid, wanted: &Keyed<Wording>) -> Result<Community, Error> {
        let (id, now) = (self.ids.new_owner(), self.clock.now());
        let (wording, key) = (&wanted.what, wanted.key.as_ref());
        let mut tx = begin(&self.db).await?;
        members::lock(&mut tx, member, now).await?;
        let said = || {
            let description = wording.description.as_deref().unwrap_or_default();
            let rules = wording.rules.as_deref().unwrap_or_default();
            hash(&[wording.name.as_bytes(), description.as_bytes(), rules.as_bytes()])
        };
        let earlier = repeated(&mut tx, member, "CreateCommunity", key, said, id, now).await?;
        if let Some(earlier) = earlier {
            return communities::find(&mut tx, Some(member), earlier).await;
        }
        communities::steps::found(&mut tx, id, member, wording, now).await?;
        facts::community_called(&self.outbox, &mut tx, id, &wording.name, now).await?;
        facts::joined(&self.outbox, &mut tx, id, member, Role::Owner, now).await?;
        let community = communities::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(community)
    }

    pub(super) async fn reword(&self, member: Uuid, reworded: &Reworded) -> Result<Community, Error> {
        let Reworded { community: id, wording } = reworded;
        let mut tx = begin(&self.db).await?;
        if communities::steps::update(&mut tx, *id, member, wording).await? {
            facts::community_called(&self.outbox, &mut tx, *id, &wording.name, self.clock.now()).await?;
        }
        let community = communities::find(&mut tx, Some(member), *id).await?;
        tx.commit().await?;
        Ok(community)
    }

    pub(super) async fn join(&self, member: Uuid, id: Uuid) -> Result<Community, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        if communities::steps::join(&mut tx, id, member, now).await? {
            facts::joined(&self.outbox, &mut tx, id, member, Role::Member, now).await?;
        }
        let community = communities::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(community)
    }

    pub(super) async fn leave(&self, member: Uuid, id: Uuid) -> Result<Community, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        if communities::steps::leave(&mut tx, id, member, now).await? {
            facts::left(&self.outbox, &mut tx, id, member, now).await?;
        }
        let community = communities::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(community)
    }

    pub(super) async fn appoint(&self, member: Uuid, appointed: &Appointed) -> Result<Belonging, Error> {
        let Appointed { community, member: other, role } = *appointed;
        let mut tx = begin(&self.db).await?;
        let (belonging, changed) = communities::steps::set_role(&mut tx, community, member, other, role).await?;
        if changed {
            facts::joined(&self.outbox, &mut tx, community, other, role, self.clock.now()).await?;
        }
        tx.commit().await?;
        Ok(belonging)
    }

    pub(super) async fn announce(
        &self,
        member: Uuid,
        wanted: &Keyed<Poster>,
        now: DateTime<Utc>,
    ) -> Result<Event, Error> {
        let id = self.ids.owned_by(member);
        let (poster, key) = (&wanted.what, wanted.key.as_ref());
        let mut tx = begin(&self.db).await?;
        members::lock(&mut tx, member, now).await?;
        let said = || {
            let description = poster.description.as_deref().unwrap_or_default();
            let location = poster.location.as_deref().unwrap_or_default();
            hash(&[
                poster.title.as_bytes(),
                description.as_bytes(),
                location.as_bytes(),
                &poster.starts_at.timestamp_micros().to_be_bytes(),
                &poster.ends_at.timestamp_micros().to_be_bytes(),
                poster.time_zone.as_bytes(),
            ])
        };
        let earlier = repeated(&mut tx, member, "CreateEvent", key, said, id, now).await?;
        if let Some(earlier) = earlier {
            return events::find(&mut tx, Some(member), earlier).await;
        }
        events::steps::announce(&mut tx, id, self.ids.owned_by(id), member, poster, now).await?;
        let announced = Announced { id, organiser: Some(member), title: &poster.title, revision: 0, moved: false };
        facts::events::told(&self.outbox, &mut tx, &announced, now).await?;
        facts::events::joined(&self.outbox, &mut tx, id, member, now).await?;
        let event = events::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(event)
    }

    pub(super) async fn change(&self, member: Uuid, changed: &Changed) -> Result<Event, Error> {
        let mut tx = begin(&self.db).await?;
        let newer = events::steps::update(&mut tx, changed.event, member, &changed.poster).await?;
        let event = events::find(&mut tx, Some(member), changed.event).await?;
        if let Some(Newer { moved }) = newer {
            let Event { id, title, revision, .. } = &event;
            let announced = Announced { id: *id, organiser: Some(member), title, revision: *revision, moved };
            facts::events::told(&self.outbox, &mut tx, &announced, self.clock.now()).await?;
        }
        tx.commit().await?;
        Ok(event)
    }

    pub(super) async fn cancel(&self, member: Uuid, event: Uuid) -> Result<(), Error> {
        let mut tx = begin(&self.db).await?;
        events::steps::cancel(&mut tx, event, member).await?;
        facts::events::removed(&self.outbox, &mut tx, event, self.clock.now()).await?;
        Ok(tx.commit().await?)
    }

    pub(super) async fn attend(&self, member: Uuid, id: Uuid) -> Result<Event, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        if events::steps::attend(&mut tx, id, self.ids.owned_by(id), member, now).await? {
            facts::events::joined(&self.outbox, &mut tx, id, member, now).await?;
        }
        let event = events::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(event)
    }

    pub(super) async fn unattend(&self, member: Uuid, id: Uuid) -> Result<Event, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        if events::steps::unattend(&mut tx, id, member, now).await? {
            facts::events::left(&self.outbox, &mut tx, id, member, now).await?;
        }
        let event = events::find(&mut tx, Some(member), id).await?;
        tx.commit().await?;
        Ok(event)
    }
}

/// What an earlier request with the same key made; the key is claimed for `resource` when there was none.
async fn repeated(
    db: &mut PgConnection,
    member: Uuid,
    route: &'static str,
    key: Option<&Key>,
    said: impl FnOnce() -> [u8; 32],
    resource: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, Error> {
    let Some(key) = key else { return Ok(None) };
    let request = idempotency::Request { member, route, key, body_hash: said() };
    claim(db, &request, resource, now).await
}
