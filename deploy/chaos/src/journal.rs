//! Every acknowledged write, in memory. The database must contain each exactly once afterwards.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A text that a member created: a post, a comment or a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its id.
    pub id: String,
    /// The post of a comment, the conversation of a message; empty for a post.
    pub parent: String,
    /// The member.
    pub author: String,
    /// The text, different from all others.
    pub content: String,
}

/// A state that one member switches on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// The member likes a post.
    Like,
    /// The member saves a post.
    Save,
    /// The member follows another member.
    Follow,
}

/// The state of a switch or of a connection, and whether it may change again.
///
/// A request without an answer may be executed later than its repetition. A repetition is safe, the opposite is not: it would be undone
/// by the earlier request. So a client that did not get an answer leaves the state as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State<S> {
    /// The acknowledged state.
    pub now: S,
    /// A request had no answer: the state stays.
    pub is_final: bool,
}

/// The state of a pair of members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// No row.
    #[default]
    None,
    /// A request with its id.
    Pending(String),
    /// A connection with its id.
    Accepted(String),
}

/// The content of the journal.
#[derive(Debug, Default)]
pub struct Entries {
    /// Posts.
    pub posts: Vec<Text>,
    /// Comments.
    pub comments: Vec<Text>,
    /// Messages.
    pub messages: Vec<Text>,
    /// The states by switch, member and post or other member.
    pub switches: BTreeMap<(Switch, String, String), State<bool>>,
    /// The connections by requester and recipient.
    pub connections: BTreeMap<(String, String), State<Connection>>,
    /// The ids of applications by member and posting.
    pub applications: BTreeMap<(String, String), String>,
}

/// The journal of a run.
#[derive(Debug)]
pub struct Journal(Mutex<Progress>);

#[derive(Debug)]
struct Progress {
    entries: Entries,
    acknowledged: u64,
    last: Instant,
    longest_pause: Duration,
}

impl Default for Journal {
    fn default() -> Self {
        Self(Mutex::new(Progress {
            entries: Entries::default(),
            acknowledged: 0,
            last: Instant::now(),
            longest_pause: Duration::ZERO,
        }))
    }
}

impl Journal {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records an acknowledged write.
    pub fn acknowledge(&self, record: impl FnOnce(&mut Entries)) {
        let mut progress = self.progress();
        let now = Instant::now();
        progress.longest_pause = progress.longest_pause.max(now - progress.last);
        progress.last = now;
        progress.acknowledged += 1;
        record(&mut progress.entries);
    }

    /// Reads the entries.
    pub fn read<T>(&self, read: impl FnOnce(&Entries) -> T) -> T {
        read(&self.progress().entries)
    }

    /// The number of acknowledged writes.
    pub fn acknowledged(&self) -> u64 {
        self.progress().acknowledged
    }

    /// Begins the measurement of pauses.
    pub fn begin_pauses(&self) {
        let mut progress = self.progress();
        (progress.last, progress.longest_pause) = (Instant::now(), Duration::ZERO);
    }

    /// The longest time without an acknowledged write since [`Self::begin_pauses`], the present one included.
    pub fn longest_pause(&self) -> Duration {
        let progress = self.progress();
        progress.longest_pause.max(progress.last.elapsed())
    }
}

impl Entries {
    /// The pairs of a switch that are on.
    pub fn on(&self, switch: Switch) -> impl Iterator<Item = (&str, &str)> {
        let of_kind = self.switches.iter().filter(move |((kind, _, _), state)| *kind == switch && state.now);
        of_kind.map(|((_, member, target), _)| (member.as_str(), target.as_str()))
    }

    /// How often each value occurs.
    pub fn counts<'a>(values: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, u64> {
        let mut counts = BTreeMap::new();
        values.for_each(|value| *counts.entry(value).or_default() += 1);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledged_writes_are_counted_and_recorded() {
        let journal = Journal::default();
        let key = |target: &str| (Switch::Like, "ana".to_owned(), target.to_owned());
        journal.acknowledge(|entries| {
            entries.switches.insert(key("one"), State { now: true, is_final: false });
        });
        journal.acknowledge(|entries| {
            entries.switches.insert(key("two"), State::default());
        });
        assert_eq!(journal.acknowledged(), 2);
        let liked =
            journal.read(|entries| entries.on(Switch::Like).map(|(_, post)| post.to_owned()).collect::<Vec<_>>());
        assert_eq!(liked, ["one"]);
        assert_eq!(journal.read(|entries| entries.on(Switch::Save).count()), 0);
    }

    #[test]
    fn equal_values_are_counted_together() {
        let counts = Entries::counts(["a", "b", "a"].into_iter());
        assert_eq!(counts, BTreeMap::from([("a", 2), ("b", 1)]));
    }
}
