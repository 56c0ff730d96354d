//! Facts between services: published in the transaction of their change, numbered once visible, applied exactly once.
//!
//! ```text
//! publish ─▶ <schema>.outbox ─▶ Sequencer ─▶ Tail / Snapshot ═▶ Consumer ─▶ effect + cursor, one transaction
//! ```
//!
//! Every service has the tables of `migrations/` in its schema: [`TABLES`]. The order of facts is the order in which the
//! [`Sequencer`] saw them committed. It is not the order of ids (a slow transaction commits a low id late), nor the
//! order of transaction ids (they restart when a schema moves to another server).

pub mod admin;
mod backoff;
mod consumer;
mod cursor;
mod handlers;
mod position;
mod publications;
mod recent_facts;
mod sequencer;
mod server;
mod snapshot;
mod sql;
mod status;
mod tail;
mod wakeups;
mod watch;
mod work;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use prost::{Message, Name};
use sqlx::{PgConnection, PgPool, migrate::Migrator};

pub use consumer::{Consumer, Lag};
pub use handlers::{FactKinds, Handlers, Reversible};
pub use proto::Fact;
pub use sequencer::Sequencer;
pub use server::Server;
pub use snapshot::{After, EmptySnapshot, SnapshotError, SnapshotSource, Snapshotter};
pub use watch::{Delivery, watch};
pub use work::{Changes, UnitOfWork};

use chassis::{ServiceContext, config};
use proto::outbox_server::OutboxServer;
use sql::Sql;
use wakeups::Wakeups;

/// The generated code of portia.outbox.v1; documented in the .proto file.
pub mod proto {
    #![expect(unused_qualifications, reason = "generated code")]
    #![expect(clippy::all, reason = "generated code")]
    tonic::include_proto!("portia.outbox.v1");
}

/// The migrations of the tables, for the schema of each service.
pub static TABLES: Migrator = sqlx::migrate!();

/// The outbox of one schema, with which a service publishes and subscribes. Cheap to clone. A service has one: its sequencer knows
/// of the facts that are published with clones.
#[derive(Clone, Debug)]
pub struct Outbox {
    sql: Arc<Sql>,
    wakeups: Arc<Wakeups>,
}

/// The columns of the row of a fact, without its key and time, which the statement of the change inserts: see [`Outbox::prepare`].
#[derive(Clone, Debug)]
pub struct PreparedFact {
    /// The full name of the message.
    pub kind: String,
    /// The encoded message. The statement may append fields to it.
    pub payload: Vec<u8>,
    /// The trace of the request.
    pub traceparent: Option<String>,
    /// The channel to notify in the transaction of the row; none when the sequencer knows of it.
    pub channel: Option<String>,
}

impl Outbox {
    /// Creates the outbox of `schema`, a constant: it becomes part of statements.
    #[must_use]
    pub fn new(schema: &'static str) -> Self {
        Self { sql: Arc::new(Sql::new(schema)), wakeups: Arc::default() }
    }

    /// Gathers rare facts for a shorter time, because members wait for them.
    #[must_use]
    pub fn prompt(self) -> Self {
        Self { wakeups: Arc::new(Wakeups::prompt()), ..self }
    }

    /// Publishes a fact when the transaction of `db` commits. Call it after the change has locked its row: the lock
    /// keeps the facts of one `key` in order.
    pub async fn publish<M: Message + Name>(
        &self,
        db: &mut PgConnection,
        key: impl ToString + Send,
        fact: &M,
        at: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        sql::query(&self.sql.publish)
            .bind(M::full_name())
            .bind(key.to_string())
            .bind(fact.encode_to_vec())
            .bind(telemetry::current_traceparent())
            .bind(at)
            .bind(self.wakeups.publish(1))
            .execute(db)
            .await?;
        Ok(())
    }

    /// Prepares a fact for a statement that makes its change and inserts its row at once. A statement that changes
    /// nothing inserts no row.
    pub fn prepare<M: Message + Name>(&self, fact: &M) -> PreparedFact {
        PreparedFact {
            kind: M::full_name(),
            payload: fact.encode_to_vec(),
            traceparent: telemetry::current_traceparent(),
            channel: self.wakeups.publish(1).then(|| self.sql.published_channel.clone()),
        }
    }

    /// Publishes several facts of one kind, each with its key, in this order and in one statement.
    pub async fn publish_all<K: ToString + Sync, M: Message + Name>(
        &self,
        db: &mut PgConnection,
        facts: &[(K, M)],
        at: DateTime<Utc>,
    ) -> Result<(), sqlx::Error> {
        let (keys, payloads): (Vec<String>, Vec<Vec<u8>>) =
            facts.iter().map(|(key, fact)| (key.to_string(), fact.encode_to_vec())).unzip();
        sql::query(&self.sql.publish_all)
            .bind(M::full_name())
            .bind(keys)
            .bind(payloads)
            .bind(telemetry::current_traceparent())
            .bind(at)
            .bind(self.wakeups.publish(facts.len()))
            .execute(db)
            .await?;
        Ok(())
    }

    /// Numbers and prunes the facts of this service in the background. Returns the server to add to the routes.
    #[must_use]
    pub fn serve<S: SnapshotSource>(
        &self,
        context: &ServiceContext,
        pool: &PgPool,
        state: S,
    ) -> OutboxServer<Server<S>> {
        // An address that cannot be used was refused when the pool was opened.
        let direct = context.config.direct_database(context.service).ok().flatten();
        let sequencer = Sequencer::new(self, pool.clone(), context.clock.clone())
            .recording(context.activity.clone())
            .listening_at(direct);
        let server = Server::new(self, pool.clone(), &sequencer, context.tasks.draining(), state)
            .with_standby(context.standby.clone());
        context.tasks.spawn("sequencer", {
            let sequencer = sequencer.clone();
            move |stopped| sequencer.clone().run(stopped)
        });
        context.tasks.spawn("pruning", move |stopped| sequencer.clone().prune(stopped));
        OutboxServer::new(server)
    }

    /// Consumes the facts of `source` in the background, with a cursor in this schema.
    ///
    /// # Errors
    /// When the address of the source is not configured, or its facts are not for this process.
    pub fn subscribe(
        &self,
        context: &ServiceContext,
        pool: &PgPool,
        source: &'static str,
        handlers: Handlers,
    ) -> Result<(), config::Error> {
        permitted(access::may_consume(context.service, source), context.service, source)?;
        let transport = context.upstreams.transport(source)?;
        let (credentials, clock) = (context.credentials(), context.clock.clone());
        let consumer = Consumer::new(self, pool.clone(), source, transport, credentials, clock, handlers)
            .recording(context.activity.clone());
        context.tasks.spawn("consumer", move |stopped| consumer.clone().run(stopped));
        Ok(())
    }
}

/// Fails, which ends the start, for a missing row in the table of calls: the source would refuse every call.
fn permitted(is_permitted: bool, process: &str, source: &str) -> Result<(), config::Error> {
    let refusal =
        || config::Error(format!("The table of calls does not permit {process} to read the facts of {source}."));
    if is_permitted { Ok(()) } else { Err(refusal()) }
}
