//! The changes of the last seconds, for streams that begin to watch their topic: the client read what it shows before.

use std::time::Duration;

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use tokio::time::Instant;

use crate::api::live::interests::{Change, Topic};

/// The time between the first request of a screen and its interests, on a slow device. The client searches lists that
/// are older than this by itself.
const WINDOW: Duration = Duration::from_secs(5);
/// As `WINDOW` for posts, whose state the client compares: only the changes during the call that sets the interests.
const POST_WINDOW: Duration = Duration::from_secs(1);
/// The maximum of changes in memory, about 2 MB.
const MAX_CHANGES: u64 = 10_000;

/// The last time of each recent change.
pub struct RecentChanges(Cache<Change, Recent>);

#[derive(Clone, Copy)]
struct Recent {
    arrived: Instant,
    at: DateTime<Utc>,
}

impl RecentChanges {
    /// Remembers a change that happened at `at`.
    pub fn insert(&self, change: Change, at: DateTime<Utc>) {
        self.0.insert(change, Recent { arrived: Instant::now(), at });
    }

    /// The recent changes of a topic, with the earliest time at which they can have happened.
    pub fn of(&self, topic: Topic) -> impl Iterator<Item = (Change, DateTime<Utc>)> {
        let window = if matches!(topic, Topic::Post(_)) { POST_WINDOW } else { WINDOW };
        Change::of(topic).filter_map(move |change| {
            let recent = self.0.get(&change).filter(|recent| recent.arrived.elapsed() <= window)?;
            Some((change, recent.at.checked_sub_signed(chrono::Duration::from_std(window).ok()?)?))
        })
    }
}

impl Default for RecentChanges {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_CHANGES).time_to_live(WINDOW).build())
    }
}
