//! Sources: their configuration, tables and status.

mod configured;
mod list;

use crawler::schedule::{Lease, Tables};
use uuid::Uuid;

use crate::connectors::{Board, Connector};
pub use configured::{ConfiguredSource, configure};
pub use list::{Source, list};

/// The tables of the crawl schedule.
pub const TABLES: Tables = Tables {
    schema: "jobs",
    held_until: "held_until",
    refreshable: "connector <> 'demo'",
    claim_order: "due_at, id",
    interrupted: "It was cut off.",
};

/// A source that a crawl has leased.
#[derive(Clone, Debug)]
pub struct LeasedSource {
    /// The lease.
    pub lease: Lease<Uuid>,
    /// Its kind.
    pub connector: Connector,
    /// Its address and name.
    pub board: Board,
}

impl LeasedSource {
    /// `None` for an unknown connector, which the table does not allow.
    #[must_use]
    pub fn new(lease: Lease<Uuid>) -> Option<Self> {
        let connector = Connector::parse(&lease.connector)?;
        let board = Board { address: lease.address.clone(), name: lease.name.clone() };
        Some(Self { lease, connector, board })
    }

    /// The id of the source.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.lease.source_id
    }
}
