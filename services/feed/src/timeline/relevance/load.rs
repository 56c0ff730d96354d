//! Loads the memory in the background, applies facts that no request has found, and reports metrics.

use std::{collections::HashSet, sync::Arc};

use metrics::{describe_counter, describe_gauge, gauge};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{
    Position, RelevanceMemory, State,
    check::{self, Check},
    posts::{RankedPost, RankedPosts},
};

/// The number of public posts in one page of a load. Each page stays far below the statement timeout.
const PAGE: i64 = 20_000;
/// The maximum number of loads in one pass. If accounts keep being closed, the next pass continues after an interval.
const MAX_LOADS: usize = 2;

pub(super) fn describe_metrics() {
    describe_gauge!("feed_relevance_memory_bytes", "Bytes of the posts in memory for the relevant feed");
    describe_gauge!("feed_relevance_memory_posts", "Posts in memory for the relevant feed");
    describe_gauge!("feed_relevance_memory_lag_facts", "Facts after the position of the memory at its last look");
    describe_gauge!("feed_relevance_memory_lag_seconds", "Age of the oldest of these facts");
    describe_counter!("feed_relevant_pages_total", "Pages of the relevant feed, by the source of their order");
}

impl RelevanceMemory {
    /// Catches up and reports the size.
    pub(super) async fn look_for_changes(&self, db: &PgPool, clock: &Clock) -> anyhow::Result<()> {
        let mut connection = db::acquire(db).await?;
        self.catch_up(&mut connection, clock).await?;
        if let Some((bytes, posts)) = self.read(|loaded| (loaded.posts.bytes(), loaded.posts.len())) {
            gauge!("feed_relevance_memory_bytes").set(to_float(bytes));
            gauge!("feed_relevance_memory_posts").set(to_float(posts));
        }
        Ok(())
    }

    /// Loads the memory if it is empty, and applies all facts.
    pub(super) async fn catch_up(&self, db: &mut PgConnection, clock: &Clock) -> Result<(), sqlx::Error> {
        let mut loads = 0;
        loop {
            let Some((position, hidden_members_version)) =
                self.read(|loaded| (loaded.position, loaded.hidden_members_version))
            else {
                if loads == MAX_LOADS {
                    return Ok(());
                }
                loads += 1;
                self.load(db).await?;
                continue;
            };
            let Some(check) = check::read(db, None, clock.now(), position, &[]).await? else { return Ok(()) };
            report_lag(&check, clock);
            if check.hidden_members_version != hidden_members_version {
                self.discard(|loaded| loaded.hidden_members_version == hidden_members_version);
                continue;
            }
            let changes: Vec<_> = check.changes.iter().map(|(_, post)| *post).collect();
            // If there are too many facts without a number, the rest is read once they have one.
            let is_read = check.is_complete || check.reached == position;
            if self.apply(db, &check, &changes).await? && is_read {
                return Ok(());
            }
        }
    }

    /// Reads the posts with the highest ranks. Reads the position first, so a concurrent change has a fact after it.
    async fn load(&self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        let _changing = self.changing.lock().await;
        let position =
            sqlx::query!("select history, n from feed.outbox_sequence where id = 1").fetch_one(&mut *db).await?;
        let position = Position { history: position.history, seq: position.n };
        let hidden = sqlx::query!(
            r#"select
                array(select member_id from feed.hidden_members) as "members!",
                (select xmin::text::bigint from feed.hidden_members_changes) as version"#
        );
        let hidden = hidden.fetch_one(&mut *db).await?;
        let state = State {
            posts: read_highest(db, self.capacity).await?,
            hidden_members: hidden.members.into_iter().collect::<HashSet<_>>(),
            hidden_members_version: hidden.version.unwrap_or_default(),
            position,
        };
        *self.loaded.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(state);
        Ok(())
    }
}

/// Reads the posts with the highest ranks, with one index range each for public posts, which give the floor, and for
/// posts of all communities above it.
async fn read_highest(db: &mut PgConnection, capacity: usize) -> Result<RankedPosts, sqlx::Error> {
    let most = i64::try_from(capacity).unwrap_or(i64::MAX);
    let mut rows: Vec<Row> = Vec::new();
    let (mut floor, mut last_id) = (f64::INFINITY, Uuid::max());
    while floor > f64::NEG_INFINITY && rows.len() < capacity {
        let page = sqlx::query_as!(
            Row,
            "select id, author_id, community_id, school_key, created_at, rank
            from feed.posts
            where community_id is null
                and (rank, id) < ($1, $2)
            order by rank desc, id desc
            limit $3",
            floor,
            last_id,
            PAGE.min(most),
        );
        let page = page.fetch_all(&mut *db).await?;
        (floor, last_id) = page.last().map_or((f64::NEG_INFINITY, last_id), |last| (last.rank, last.id));
        rows.extend(page);
    }
    let communal = sqlx::query_as!(
        Row,
        r#"with recursive communities as (
            (
                select community_id
                from feed.posts
                where community_id is not null
                order by community_id
                limit 1
            )
            union all
            select (
                select p.community_id
                from feed.posts p
                where p.community_id > c.community_id
                order by p.community_id
                limit 1
            )
            from communities c
            where c.community_id is not null
        )
        select
            p.id as "id!", p.author_id as "author_id!", p.community_id, p.school_key, p.created_at as "created_at!",
            p.rank as "rank!"
        from communities c
        cross join lateral (
            select id, author_id, community_id, school_key, created_at, rank
            from feed.posts
            where community_id = c.community_id
                and rank > $1
            order by rank desc, id desc
            limit $2
        ) as p"#,
        floor,
        most,
    );
    rows.extend(communal.fetch_all(db).await?);
    let mut schools = HashSet::new();
    let posts = rows.into_iter().map(|row| row.into_post(&mut schools)).collect();
    Ok(RankedPosts::new(posts, floor, 2 * capacity))
}

/// Reads the current rows of posts.
pub(super) async fn read_posts(db: &mut PgConnection, ids: &[Uuid]) -> Result<Vec<RankedPost>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        "select id, author_id, community_id, school_key, created_at, rank
        from feed.posts
        where id = any((select $1::uuid[])::uuid[])",
        ids,
    );
    let mut schools = HashSet::new();
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| row.into_post(&mut schools)).collect())
}

struct Row {
    id: Uuid,
    author_id: Uuid,
    community_id: Option<Uuid>,
    school_key: Option<String>,
    created_at: chrono::DateTime<chrono::Utc>,
    rank: f64,
}

impl Row {
    /// Converts a row. `schools` stores each name once, because many posts share a school.
    fn into_post(self, schools: &mut HashSet<Arc<str>>) -> RankedPost {
        let school_key = self.school_key.map(|key| {
            let known = schools.get(key.as_str()).map(Arc::clone);
            known.unwrap_or_else(|| {
                let key: Arc<str> = key.into();
                schools.insert(Arc::clone(&key));
                key
            })
        });
        let Self { id, author_id, community_id, created_at, rank, .. } = self;
        RankedPost { id, author_id, community_id, school_key, created_at, rank }
    }
}

fn report_lag(check: &Check, clock: &Clock) {
    let age = check.oldest_at.and_then(|at| (clock.now() - at).to_std().ok()).unwrap_or_default();
    gauge!("feed_relevance_memory_lag_seconds").set(age.as_secs_f64());
    gauge!("feed_relevance_memory_lag_facts").set(to_float(usize::try_from(check.behind).unwrap_or_default()));
}

/// Converts a number, exactly up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
const fn to_float(n: usize) -> f64 {
    n as f64
}
