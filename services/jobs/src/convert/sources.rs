//! Conversion of sources and statistics.

use portia_proto::jobs::{self as pb, GetStatsResponse, SourceState};
use primitives::clock::timestamp;

use crate::{sources::Source, stats::Stats};

impl From<Stats> for GetStatsResponse {
    fn from(stats: Stats) -> Self {
        Self {
            total_jobs: stats.total,
            internships: stats.internships,
            entry_level: stats.entry_level,
            full_time: stats.full_time,
        }
    }
}

impl From<Source> for pb::Source {
    fn from(source: Source) -> Self {
        let state = match (source.last_run_at, &source.failure) {
            (None, _) => SourceState::Waiting,
            (Some(_), None) => SourceState::Healthy,
            (Some(_), Some(_)) => SourceState::Failing,
        };
        Self {
            name: source.name,
            connector: source.connector,
            state: state.into(),
            last_run_at: source.last_run_at.map(timestamp),
            last_success_at: source.last_success_at.map(timestamp),
            new_items: source.new_items,
            open_items: source.open_items,
            failure: source.failure,
            due_at: Some(timestamp(source.due_at)),
        }
    }
}
