//! The load: members who write through both gateways and repeat a write until it is acknowledged, and readers who check it.

pub mod client;
mod counts;
mod readers;
mod setup;
mod writer;

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::task::JoinHandle;

pub use self::counts::{Counts, Numbers};
use self::{client::Client, readers::Reader, writer::Writer};
use crate::{journal::Journal, rng::Rng};

/// How many members write, and how many readers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Members who write, each one request at a time.
    pub writers: usize,
    /// Readers.
    pub readers: u64,
}

/// A member of the load with a session.
#[derive(Clone, Debug)]
pub struct Member {
    /// The member's id.
    pub id: String,
    /// The session, as a `Cookie` header.
    pub cookie: String,
    /// The conversation with the next member.
    pub conversation: String,
}

/// The state that writers and readers share.
#[derive(Debug)]
pub struct Load {
    /// Sends the requests.
    pub client: Client,
    /// The members.
    pub members: Vec<Member>,
    /// The open postings.
    postings: Vec<String>,
    /// The acknowledged writes.
    pub journal: Journal,
    seed: u64,
    finished: AtomicBool,
    violations: Mutex<BTreeSet<String>>,
}

/// The running writers and readers.
pub struct Running {
    load: Arc<Load>,
    tasks: Vec<JoinHandle<()>>,
}

impl Load {
    /// Records an event that must never happen.
    pub fn violate(&self, violation: impl Into<String>) {
        self.violations.lock().unwrap_or_else(PoisonError::into_inner).insert(violation.into());
    }

    /// Returns the recorded events that must never happen.
    pub fn violations(&self) -> Vec<String> {
        self.violations.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn is_finished(&self) -> bool {
        self.finished.load(Ordering::SeqCst)
    }

    /// Starts the writers and readers of a phase. Every phase writes different texts.
    pub fn start(self: &Arc<Self>, phase: u64, size: Size) -> Running {
        self.finished.store(false, Ordering::SeqCst);
        let mut tasks = Vec::new();
        for (me, stream) in (0..self.members.len().min(size.writers)).zip(100 * phase..) {
            let writer = Writer::new(Arc::clone(self), me, phase, Rng::of(self.seed, 1_000 + stream));
            tasks.push(tokio::spawn(writer.run()));
        }
        for reader in 0..size.readers {
            let rng = Rng::of(self.seed, 100_000 + 100 * phase + reader);
            tasks.push(tokio::spawn(Reader::new(Arc::clone(self), rng).run()));
        }
        Running { load: Arc::clone(self), tasks }
    }
}

impl Running {
    /// Waits until each writer has its last write acknowledged.
    pub async fn finish(self) {
        self.load.finished.store(true, Ordering::SeqCst);
        for task in self.tasks {
            if let Err(error) = task.await {
                self.load.violate(format!("a task of the load panicked: {error}"));
            }
        }
    }
}
