//! The unit of work of a change.

use std::fmt;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use primitives::{clock::Clock, ids::Ids};
use prost::{Message, Name};
use sqlx::PgConnection;

use crate::{Outbox, PreparedFact};

/// The parts of a unit of work that outlive it: a service, its handlers of facts and its background tasks keep them.
#[derive(Clone, Debug)]
pub struct Changes {
    /// The outbox of the schema.
    pub outbox: Outbox,
    /// Makes the ids of new rows.
    pub ids: Ids,
    /// Gives each change its time.
    pub clock: Clock,
}

impl Changes {
    /// The changes that the service of `context` makes.
    #[must_use]
    pub fn new(context: &ServiceContext, outbox: &Outbox) -> Self {
        Self { outbox: outbox.clone(), ids: context.ids.clone(), clock: context.clock.clone() }
    }

    /// Begins a change on `db` that happens now.
    pub fn work<'a>(&'a self, db: &'a mut PgConnection) -> UnitOfWork<'a> {
        UnitOfWork::new(db, &self.outbox, &self.ids, &self.clock)
    }
}

/// The parameter of every rule that changes rows: a rule publishes the facts of its change itself, so no caller can forget one. The
/// caller begins and commits the transaction.
pub struct UnitOfWork<'a> {
    /// The connection of the change, in a transaction unless the change is one statement.
    pub db: &'a mut PgConnection,
    /// Makes the ids of new rows.
    pub ids: &'a Ids,
    /// The time of the change: one for all its rows and facts.
    pub now: DateTime<Utc>,
    outbox: &'a Outbox,
}

impl<'a> UnitOfWork<'a> {
    /// A change that happens now.
    #[must_use]
    pub fn new(db: &'a mut PgConnection, outbox: &'a Outbox, ids: &'a Ids, clock: &Clock) -> Self {
        Self { db, ids, now: clock.now(), outbox }
    }

    /// Publishes a fact when the transaction commits: [`Outbox::publish`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish<M: Message + Name>(&mut self, key: impl ToString + Send, fact: &M) -> Result<(), sqlx::Error> {
        self.outbox.publish(self.db, key, fact, self.now).await
    }

    /// Publishes several facts of one kind when the transaction commits: [`Outbox::publish_all`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn publish_all<K: ToString + Sync, M: Message + Name>(
        &mut self,
        facts: &[(K, M)],
    ) -> Result<(), sqlx::Error> {
        self.outbox.publish_all(self.db, facts, self.now).await
    }

    /// Prepares a fact for a statement that makes its change and inserts its row at once: [`Outbox::prepare`].
    pub fn prepare<M: Message + Name>(&self, fact: &M) -> PreparedFact {
        self.outbox.prepare(fact)
    }
}

impl fmt::Debug for UnitOfWork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnitOfWork").field("now", &self.now).finish_non_exhaustive()
    }
}
