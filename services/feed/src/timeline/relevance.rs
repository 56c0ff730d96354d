//! Orders the relevant feed from the memory of a replica: the posts with the highest ranks, kept current by this
//! service's facts, and the relations of recent viewers.
//!
//! A page is computed in memory and checked by one statement, which reads its rows, the facts after the position of the
//! memory (including facts without a number), and the version of the viewer's relations. The memory applies the changes
//! and computes the page again. So on every replica, a page is never older than the statement that checks it. The rank
//! of every post changes with a fact, except by the erasure of a reaction or comment; at its end, as when an account is
//! closed, the memory is loaded again. The statement in relevant.rs lists what is not in memory.

mod check;
mod load;
#[cfg(test)]
mod model;
mod order;
mod posts;
mod relations;

use std::{
    collections::HashSet,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chassis::ServiceContext;
use metrics::counter;
use sqlx::{PgConnection, PgPool};
use tokio::sync::Notify;
use uuid::Uuid;

use self::{
    check::Check,
    order::{Candidate, Candidates, Ranked},
    posts::RankedPosts,
    relations::{KnownRelations, Relations},
};
use super::{RelevantPage, relevant, versions::Row};

#[cfg(test)]
pub(super) use check::statement as check_statement;

/// The interval at which a replica applies facts that no request has found. In an idle process longer, see
/// [`chassis::lifecycle::Activity`].
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of checks in one request. Each check but the last found a change of the last milliseconds.
const MAX_ATTEMPTS: usize = 6;

/// The position in the facts of this service up to which a memory is current.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    /// Another one after a restart, a failover or a restore of Postgres.
    history: Option<Uuid>,
    seq: i64,
}

struct State {
    posts: RankedPosts,
    hidden_members: HashSet<Uuid>,
    hidden_members_version: i64,
    position: Position,
}

/// The memory of a replica. Loaded after the first request that needs it.
pub struct RelevanceMemory {
    loaded: RwLock<Option<State>>,
    relations: KnownRelations,
    /// Held from the read of rows to their application, so that an older row never replaces a newer one.
    changing: tokio::sync::Mutex<()>,
    is_wanted: AtomicBool,
    wanted: Notify,
    capacity: usize,
}

impl RelevanceMemory {
    /// Creates an empty memory for `capacity` public posts and as many in communities.
    pub fn new(capacity: usize) -> Self {
        Self {
            loaded: RwLock::default(),
            relations: KnownRelations::default(),
            changing: tokio::sync::Mutex::default(),
            is_wanted: AtomicBool::new(false),
            wanted: Notify::new(),
            capacity,
        }
    }

    /// Loads the memory when it is needed, and keeps it current in the background.
    pub fn spawn(self: &Arc<Self>, context: &ServiceContext, db: &PgPool) {
        load::describe_metrics();
        let (memory, db, clock, activity) =
            (Arc::clone(self), db.clone(), context.clock.clone(), context.activity.clone());
        context.tasks.spawn("relevance-memory", move |stopped| {
            let (memory, db, clock, activity) = (Arc::clone(&memory), db.clone(), clock.clone(), activity.clone());
            async move {
                if !memory.is_wanted.load(Ordering::Relaxed) {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = memory.wanted.notified() => {}
                    }
                }
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

    /// Returns the same rows of a page as the statement.
    pub(super) async fn list(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        fetch: i64,
        page: RelevantPage,
    ) -> Result<Vec<Row>, sqlx::Error> {
        if let Some(rows) = self.list_in_memory(db, viewer, fetch, page).await? {
            counter!("feed_relevant_pages_total", "source" => "memory").increment(1);
            return Ok(rows);
        }
        counter!("feed_relevant_pages_total", "source" => "database").increment(1);
        relevant::by_relevance(viewer, fetch, page).fetch_all(db).await
    }

    /// Returns the rows of a page, or `None` when the memory cannot answer.
    async fn list_in_memory(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        fetch: i64,
        page: RelevantPage,
    ) -> Result<Option<Vec<Row>>, sqlx::Error> {
        let length = usize::try_from(fetch).unwrap_or_default();
        let mut applied = HashSet::new();
        if self.read(|_| ()).is_none() {
            self.request_load();
            return Ok(None);
        }
        let mut relations = self.relations.of(db, viewer, page.now).await?;
        for _ in 0..MAX_ATTEMPTS {
            if relations.has_lowered {
                return Ok(None);
            }
            let Some((candidates, position, hidden_members_version)) = self.compute(viewer, &relations, length, page)
            else {
                return Ok(None);
            };
            let ids: Vec<Uuid> = candidates.page.iter().map(|post| post.id).collect();
            let Some(check) = check::read(db, viewer, page.now, position, &ids).await? else { return Ok(None) };
            if !check.is_complete {
                return Ok(None);
            }
            if check.hidden_members_version != hidden_members_version {
                self.discard(|loaded| loaded.hidden_members_version == hidden_members_version);
                return Ok(None);
            }
            let changes = check.changes.iter().filter(|(id, _)| applied.insert(*id));
            let changes: Vec<Uuid> = changes.map(|(_, post)| *post).collect();
            if !self.apply(db, &check, &changes).await? {
                return Ok(None);
            }
            if check.relations_version != relations.version {
                relations = self.relations.read(db, viewer, page.now).await?;
                continue;
            }
            if !changes.is_empty() {
                // Most changes concern posts of other pages, and the rows still match the page.
                let again = self.compute(viewer, &relations, length, page);
                if again.is_none_or(|(again, ..)| again != candidates) {
                    continue;
                }
            }
            let Some(rows) = checked_rows(&candidates.page, check.rows, &relations) else {
                if changes.is_empty() {
                    // A change without a fact.
                    self.discard(|loaded| loaded.position.history == position.history);
                    return Ok(None);
                }
                continue;
            };
            let edge = candidates.edge.map(|(score, id)| Row {
                id: Some(id),
                score: Some(score),
                is_filtered: Some(relations.is_filtered),
                ..Row::default()
            });
            return Ok(Some(rows.into_iter().chain(edge).collect()));
        }
        Ok(None)
    }

    /// Computes the posts of a page, with the position of the memory and its version of closed accounts. Returns `None`
    /// without a memory or beyond its end.
    fn compute(
        &self,
        viewer: Option<Uuid>,
        relations: &Relations,
        fetch: usize,
        page: RelevantPage,
    ) -> Option<(Candidates, Position, i64)> {
        self.read(|loaded| {
            let ranked = Ranked { posts: &loaded.posts, hidden_members: &loaded.hidden_members };
            let candidates = order::candidates(ranked, viewer, relations, fetch, page)?;
            Some((candidates, loaded.position, loaded.hidden_members_version))
        })
        .flatten()
    }

    /// Applies the changes that a check found. Returns false when the memory must be loaded again first.
    async fn apply(&self, db: &mut PgConnection, check: &Check, changes: &[Uuid]) -> Result<bool, sqlx::Error> {
        if !check.is_continuous {
            self.discard(|loaded| loaded.position == check.after);
            return Ok(false);
        }
        if !changes.is_empty() {
            let _changing = self.changing.lock().await;
            let posts = load::read_posts(db, changes).await?;
            self.write(|loaded| {
                for id in changes {
                    loaded.posts.replace(*id, None);
                }
                for post in posts {
                    loaded.posts.replace(post.id, Some(post));
                }
            });
        }
        let is_later =
            |position: Position| position.history == check.reached.history && position.seq < check.reached.seq;
        if self.read(|loaded| is_later(loaded.position)) == Some(true) {
            self.write(|loaded| {
                if is_later(loaded.position) {
                    loaded.position.seq = check.reached.seq;
                }
            });
        }
        Ok(true)
    }

    fn request_load(&self) {
        if !self.is_wanted.swap(true, Ordering::Relaxed) {
            self.wanted.notify_one();
        }
    }

    /// Empties the memory, if it still meets the condition.
    fn discard(&self, condition: impl FnOnce(&State) -> bool) {
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        if loaded.as_ref().is_some_and(condition) {
            *loaded = None;
        }
    }

    fn read<T>(&self, read: impl FnOnce(&State) -> T) -> Option<T> {
        self.loaded.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(read)
    }

    fn write<T>(&self, write: impl FnOnce(&mut State) -> T) -> Option<T> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner).as_mut().map(write)
    }
}

/// Returns the rows of a page, if they match the memory.
fn checked_rows(page: &[Candidate], rows: Vec<Row>, relations: &Relations) -> Option<Vec<Row>> {
    let is_same = |(post, row): (&Candidate, &Row)| {
        row.id == Some(post.id)
            && row.score == Some(post.rank)
            && row.author_id == Some(post.author_id)
            && row.community_id == post.community_id
    };
    if page.len() != rows.len() || !page.iter().zip(&rows).all(is_same) {
        return None;
    }
    let rows = page.iter().zip(rows).map(|(post, row)| Row {
        leads: Some(post.leads),
        score: Some(post.score),
        has_blocks: Some(relations.has_blocks),
        is_filtered: Some(relations.is_filtered),
        ..row
    });
    Some(rows.collect())
}
