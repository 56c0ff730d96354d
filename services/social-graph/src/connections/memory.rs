//! The accepted connections of all members in the memory of a replica: loaded at its start, and kept current by the facts of this
//! service.
//!
//! A replica applies a fact by reading the lists of its members again, so that neither the order of facts nor a
//! repetition matters. The statement that checks a reader's result also reads the facts after the position of the
//! memory, with or without a number. So a result is never older than that statement, on any replica.

mod changes;
mod load;
#[cfg(test)]
mod model;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::Duration,
};

use chassis::ServiceContext;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::adjacency::{Adjacency, Candidates, Counter};
use crate::error::Error;

pub use changes::{Change, ChangeBatch, ValidCandidate, read_changes};

/// The interval at which a replica applies facts that no request has found. An idle process waits longer, see
/// [`chassis::lifecycle::Activity`].
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The position in the facts of this service up to which a memory is current.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Changes with a restart, a failover or a restore of Postgres.
    pub history: Option<Uuid>,
    pub seq: i64,
}

struct State {
    /// Shared with a merge.
    graph: Arc<Adjacency>,
    position: Position,
}

/// The memory of a replica. Empty until it is loaded.
pub struct GraphMemory {
    loaded: RwLock<Option<State>>,
    /// Held from the read of rows to their application, so that an older row never replaces a newer one.
    changing: tokio::sync::Mutex<()>,
    /// The counters that no request uses.
    counters: Mutex<Vec<Counter>>,
    scanned: u8,
}

impl GraphMemory {
    /// An empty memory. `scanned` is the number of newest connections that are considered.
    pub fn new(scanned: u8) -> Self {
        Self { loaded: RwLock::default(), changing: tokio::sync::Mutex::default(), counters: Mutex::default(), scanned }
    }

    /// Loads the memory and keeps it current in the background.
    pub fn spawn(self: &Arc<Self>, context: &ServiceContext, db: &PgPool) {
        load::describe_metrics();
        let (memory, db, clock, activity) =
            (Arc::clone(self), db.clone(), context.clock.clone(), context.activity.clone());
        context.tasks.spawn("graph-memory", move |stopped| {
            let (memory, db, clock, activity) = (Arc::clone(&memory), db.clone(), clock.clone(), activity.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        done = memory.look_for_changes(&db, &clock) => done?,
                    }
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = activity.pause(POLL_INTERVAL) => {}
                    }
                }
            }
        });
    }

    /// The best candidates for suggestions, and the position of the memory. `None` until it is loaded.
    pub fn candidates(&self, member: Uuid, limit: usize) -> Option<(Candidates, Position)> {
        let idle = self.counters.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut counter = idle.unwrap_or_else(|| Counter::new(self.scanned));
        let counted = self.read(|loaded| (counter.candidates(&loaded.graph, member, limit), loaded.position));
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).push(counter);
        counted
    }

    /// Applies the changes that a look found. Returns false when the memory must be loaded again first.
    pub async fn apply(&self, db: &mut PgConnection, batch: &ChangeBatch, changes: &[Change]) -> Result<bool, Error> {
        if !batch.is_continuous {
            self.discard();
            return Ok(false);
        }
        if !changes.is_empty() {
            let _changing = self.changing.lock().await;
            let Some(members) = self.read(|loaded| changed_members(&loaded.graph, changes)) else { return Ok(false) };
            let lists = changes::read_lists(db, &members).await?;
            let closed = changes::read_closed(db, &members).await?;
            self.write(|loaded| {
                let graph = Arc::make_mut(&mut loaded.graph);
                for change in changes {
                    // The lists that were read follow: the member may have connected again.
                    if let Change::Erased(member) = change {
                        graph.remove(*member);
                    }
                }
                for (member, contacts) in lists {
                    graph.replace(member, contacts);
                }
                for member in &members {
                    graph.set_hidden(*member, closed.contains(member));
                }
            });
        }
        let is_later =
            |position: Position| position.history == batch.reached.history && position.seq < batch.reached.seq;
        if self.read(|loaded| is_later(loaded.position)) == Some(true) {
            self.write(|loaded| {
                if is_later(loaded.position) {
                    loaded.position.seq = batch.reached.seq;
                }
            });
        }
        Ok(true)
    }

    /// The number of newest connections that are considered.
    pub const fn scanned(&self) -> u8 {
        self.scanned
    }

    fn discard(&self) {
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn read<T>(&self, read: impl FnOnce(&State) -> T) -> Option<T> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(read)
    }

    fn write<T>(&self, write: impl FnOnce(&mut State) -> T) -> Option<T> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner).as_mut().map(write)
    }
}

/// Returns the members whose lists or accounts changed.
fn changed_members(graph: &Adjacency, changes: &[Change]) -> Vec<Uuid> {
    let mut members = BTreeSet::new();
    for change in changes {
        match *change {
            Change::Connected(one, other) => members.extend([one, other]),
            // Most are withdrawn or rejected requests, which no list contains. The fact of an acceptance is read before.
            Change::Disconnected(one, other) if graph.are_connected(one, other) => members.extend([one, other]),
            Change::Disconnected(..) => {}
            Change::Closed(member) | Change::Erased(member) => members.extend([member]),
        }
    }
    members.into_iter().collect()
}
