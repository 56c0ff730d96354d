//! The background work of a memory: its first load, the facts that no request has found, merging, and metrics.

use std::sync::Arc;

use metrics::{describe_counter, describe_gauge, gauge};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{
    super::adjacency::{Adjacency, Builder},
    ChangeBatch, GraphMemory, Position, State, read_changes,
};
use crate::error::Error;

/// The connections of one page of a load: each page stays far below the timeout of a statement.
const PAGE: i64 = 20_000;

pub(super) fn describe_metrics() {
    describe_gauge!("social_graph_memory_bytes", "Bytes of the connections in memory");
    describe_gauge!("social_graph_memory_members", "Members of the connections in memory");
    describe_gauge!("social_graph_memory_lag_facts", "Facts after the position of the memory at its last look");
    describe_gauge!("social_graph_memory_lag_seconds", "Age of the oldest of these facts");
    describe_counter!("social_graph_suggestions_total", "Lists of suggestions, by the source of mutual connections");
}

impl GraphMemory {
    /// Catches up, merges lists when that is due, and reports the size.
    pub(super) async fn look_for_changes(self: &Arc<Self>, db: &PgPool, clock: &Clock) -> anyhow::Result<()> {
        let mut connection = db::acquire(db).await?;
        self.catch_up(&mut connection, clock).await?;
        drop(connection);
        self.merge().await?;
        if let Some((bytes, members)) = self.read(|loaded| (loaded.graph.bytes(), loaded.graph.members())) {
            gauge!("social_graph_memory_bytes").set(to_float(bytes));
            gauge!("social_graph_memory_members").set(to_float(members));
        }
        Ok(())
    }

    /// Loads the memory if it is empty, and applies all facts.
    pub(super) async fn catch_up(&self, db: &mut PgConnection, clock: &Clock) -> Result<(), Error> {
        loop {
            let Some(position) = self.read(|loaded| loaded.position) else {
                self.load(db).await?;
                continue;
            };
            let batch = read_changes(db, position, Uuid::nil(), &[]).await?;
            report_lag(&batch, clock);
            let changes: Vec<_> = batch.changes.iter().map(|(_, change)| *change).collect();
            // The rest of too many facts without a number is read when they have one.
            let is_read = batch.is_complete || batch.reached == position;
            if self.apply(db, &batch, &changes).await? && is_read {
                return Ok(());
            }
        }
    }

    /// Reads the position, then all connections. A change meanwhile has a fact after the position.
    async fn load(&self, db: &mut PgConnection) -> Result<(), Error> {
        let _changing = self.changing.lock().await;
        let position = sqlx::query!("select history, n from social_graph.outbox_sequence where id = 1");
        let position = position.fetch_one(&mut *db).await?;
        let position = Position { history: position.history, seq: position.n };
        let graph = Arc::new(read_all(db).await?);
        *self.loaded.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(State { graph, position });
        Ok(())
    }

    /// Merges the lists. Requests that find no change read the old lists meanwhile.
    async fn merge(self: &Arc<Self>) -> anyhow::Result<()> {
        if self.read(|loaded| loaded.graph.needs_merge()) != Some(true) {
            return Ok(());
        }
        let _changing = self.changing.lock().await;
        let memory = Arc::clone(self);
        tokio::task::spawn_blocking(move || memory.merge_now()).await?;
        Ok(())
    }

    /// Called while no other task changes the lists. The lock is not held: requests would wait for it.
    pub(super) fn merge_now(&self) {
        let Some(graph) = self.read(|loaded| Arc::clone(&loaded.graph)) else { return };
        let merged = Arc::new(graph.merged());
        drop(graph);
        self.write(|loaded| loaded.graph = merged);
    }
}

async fn read_all(db: &mut PgConnection) -> Result<Adjacency, Error> {
    let mut builder = Builder::default();
    let mut after = Uuid::nil();
    loop {
        let page = sqlx::query!(
            r#"select id, requester_id, requester_hidden, recipient_id, recipient_hidden, answered_at as "answered_at!"
            from social_graph.connections
            where status = 'accepted'
                and id > $1
            order by id
            limit $2"#,
            after,
            PAGE,
        )
        .fetch_all(&mut *db)
        .await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        for row in page {
            builder.add(
                (row.requester_id, row.requester_hidden),
                (row.recipient_id, row.recipient_hidden),
                row.answered_at.timestamp_micros(),
            );
        }
    }
    // Sorting some million connections takes a part of a second.
    tokio::task::spawn_blocking(move || builder.build()).await.map_err(|_| Error::from(sqlx::Error::WorkerCrashed))
}

fn report_lag(batch: &ChangeBatch, clock: &Clock) {
    let age = batch.oldest_at.and_then(|at| (clock.now() - at).to_std().ok()).unwrap_or_default();
    gauge!("social_graph_memory_lag_seconds").set(age.as_secs_f64());
    gauge!("social_graph_memory_lag_facts").set(to_float(usize::try_from(batch.behind).unwrap_or_default()));
}

/// Exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
const fn to_float(n: usize) -> f64 {
    n as f64
}
