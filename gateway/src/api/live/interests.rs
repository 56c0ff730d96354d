//! The topics that streams watch beyond their own member, and the changes of these topics.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};
use uuid::Uuid;

/// The minimum time between two events of the same change on a stream: a popular post does not flood it.
const INTERVAL: Duration = Duration::from_secs(1);

/// Something that a stream watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topic {
    /// A post.
    Post(Uuid),
    /// The profile of a member, with their public posts.
    Member(Uuid),
    /// A community and its memberships.
    Community(Uuid),
    /// An event.
    Event(Uuid),
    /// New posts: of the community, or public ones.
    NewPosts(Option<Uuid>),
}

/// The member and the community whose content a topic is, as far as they are known: a block or a departure ends its interests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The author of a post, or the member of a profile.
    pub member: Option<Uuid>,
    /// The community itself, or the community of a post.
    pub community: Option<Uuid>,
}

/// The topics of a stream.
pub type Interests = HashMap<Topic, Origin>;

/// A change that streams with interest in its topic receive. It tells no recipient who caused it: that may be a member
/// hidden from the recipient. [`Self::NewPostsBy`] names the author, a member that the stream may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The post was edited or deleted.
    Post(Uuid),
    /// The comments of the post changed.
    Comments(Uuid),
    /// The reactions or the counters of the post changed.
    Reactions(Uuid),
    /// New posts, of the community or public ones.
    NewPosts(Option<Uuid>),
    /// New public posts of the member.
    NewPostsBy(Uuid),
    /// The community or its memberships changed.
    Community(Uuid),
    /// The event or its attendees changed.
    Event(Uuid),
    /// The profile of the member changed.
    Member(Uuid),
}

impl Change {
    /// The changes of a topic.
    pub fn of(topic: Topic) -> impl Iterator<Item = Self> {
        let changes = match topic {
            Topic::Post(id) => vec![Self::Post(id), Self::Comments(id), Self::Reactions(id)],
            Topic::Member(id) => vec![Self::Member(id), Self::NewPostsBy(id)],
            Topic::Community(id) => vec![Self::Community(id)],
            Topic::Event(id) => vec![Self::Event(id)],
            Topic::NewPosts(community) => vec![Self::NewPosts(community)],
        };
        changes.into_iter()
    }

    /// The topic of the change.
    pub const fn topic(self) -> Topic {
        match self {
            Self::Post(id) | Self::Comments(id) | Self::Reactions(id) => Topic::Post(id),
            Self::NewPosts(community) => Topic::NewPosts(community),
            Self::Community(id) => Topic::Community(id),
            Self::Event(id) => Topic::Event(id),
            Self::Member(id) | Self::NewPostsBy(id) => Topic::Member(id),
        }
    }
}

/// The unsent changes of a stream. Each is contained once, so the interests of the stream bound their number, and a slow
/// reader loses none.
#[derive(Default)]
pub struct Changes {
    state: Mutex<State>,
    pushed: Notify,
}

#[derive(Default)]
struct State {
    /// Oldest first, with the time of the earliest cause since the last event.
    pending: Vec<(Change, DateTime<Utc>)>,
    /// The times of the last events.
    sent: HashMap<Change, Instant>,
}

impl Changes {
    /// Adds a change that happened at `at`.
    pub fn push(&self, change: Change, at: DateTime<Utc>) {
        let mut state = self.state();
        match state.pending.iter_mut().find(|(pending, _)| *pending == change) {
            Some((_, earliest)) => *earliest = at.min(*earliest),
            None => state.pending.push((change, at)),
        }
        drop(state);
        self.pushed.notify_one();
    }

    /// Removes the changes of topics that are no longer watched.
    pub fn retain(&self, is_watched: impl Fn(Topic) -> bool) {
        self.state().pending.retain(|(change, _)| is_watched(change.topic()));
    }

    /// The next change to send, with its time. A change that follows another of its kind within a second waits, so the last one is always sent.
    pub async fn next(&self) -> (Change, DateTime<Utc>) {
        loop {
            let due = match self.state().take(Instant::now()) {
                Ok(next) => return next,
                Err(due) => due,
            };
            let pushed = self.pushed.notified();
            match due {
                Some(due) => tokio::select! {
                    () = pushed => {}
                    () = sleep_until(due) => {}
                },
                None => pushed.await,
            }
        }
    }

    /// The number of unsent changes.
    #[cfg(test)]
    pub(super) fn pending(&self) -> usize {
        self.state().pending.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The first change that is due; otherwise the time at which one will be.
    fn take(&mut self, now: Instant) -> Result<(Change, DateTime<Utc>), Option<Instant>> {
        self.sent.retain(|_, sent| *sent + INTERVAL > now);
        let Some(at) = self.pending.iter().position(|(change, _)| !self.sent.contains_key(change)) else {
            let waiting = self.pending.iter().filter_map(|(change, _)| self.sent.get(change));
            return Err(waiting.min().map(|sent| *sent + INTERVAL));
        };
        let (change, since) = self.pending.remove(at);
        self.sent.insert(change, now);
        Ok((change, since))
    }
}

/// The streams that watch each topic, by the number of the stream.
#[derive(Default)]
pub struct Watchers(HashMap<Topic, HashMap<u64, Arc<Changes>>>);

impl Watchers {
    /// The stream watches the topic.
    pub fn add(&mut self, topic: Topic, number: u64, changes: &Arc<Changes>) {
        self.0.entry(topic).or_default().insert(number, Arc::clone(changes));
    }

    /// The stream no longer watches the topic.
    pub fn remove(&mut self, topic: Topic, number: u64) {
        if let Some(streams) = self.0.get_mut(&topic) {
            streams.remove(&number);
            if streams.is_empty() {
                self.0.remove(&topic);
            }
        }
    }

    /// Adds a change to the streams that watch its topic.
    pub fn push(&self, change: Change, at: DateTime<Utc>) {
        for changes in self.0.get(&change.topic()).into_iter().flat_map(HashMap::values) {
            changes.push(change, at);
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    const AT: DateTime<Utc> = DateTime::UNIX_EPOCH;
    const POST: Change = Change::Reactions(Uuid::from_u128(1));
    const OTHER: Change = Change::Reactions(Uuid::from_u128(2));

    /// The time until the next event, in milliseconds; `None` without one.
    async fn next(changes: &Changes) -> Option<u128> {
        let begun = Instant::now();
        timeout(INTERVAL * 10, changes.next()).await.ok().map(|_| begun.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_two_events_a_second_apart_and_the_last_change_is_sent() {
        let changes = Changes::default();
        for _ in 0..100 {
            changes.push(POST, AT);
        }
        assert_eq!(next(&changes).await, Some(0));
        for _ in 0..100 {
            changes.push(POST, AT);
        }
        assert_eq!(next(&changes).await, Some(1000));
        assert_eq!(next(&changes).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn another_change_does_not_wait() {
        let changes = Changes::default();
        changes.push(POST, AT);
        assert_eq!(next(&changes).await, Some(0));
        changes.push(POST, AT);
        changes.push(OTHER, AT);
        assert_eq!(next(&changes).await, Some(0));
        assert_eq!(next(&changes).await, Some(1000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_reader_receives_a_change_at_once() {
        let changes = Arc::new(Changes::default());
        let reader = Arc::clone(&changes);
        let reading = tokio::spawn(async move { next(&reader).await });
        tokio::task::yield_now().await;
        changes.push(POST, AT);
        assert_eq!(reading.await.unwrap(), Some(0));
    }

    #[tokio::test(start_paused = true)]
    async fn merged_changes_keep_the_earliest_time() {
        let (changes, later) = (Changes::default(), AT + INTERVAL);
        changes.push(POST, later);
        changes.push(POST, AT);
        changes.push(POST, later);
        assert_eq!(changes.state().pending, [(POST, AT)]);
        changes.retain(|topic| topic == OTHER.topic());
        assert_eq!(next(&changes).await, None);
    }
}
