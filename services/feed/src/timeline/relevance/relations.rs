//! The relations that determine the order for one viewer. They are in memory with hashes of their rows, and each page
//! reads the hashes again: so the next page on every replica sees a change, without a message.

use std::{collections::HashSet, sync::Arc};

use chrono::{DateTime, Utc};
use moka::sync::Cache;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::timeline::ranking;

/// The most memory for relations: some 4,000 viewers with 100 connections.
const MAX_BYTES: u64 = 16 << 20;

/// The limit in the statement, where a constant tells the planner the number of rows.
const _: () = assert!(ranking::CONNECTIONS == 100, "the limits of relations_query");

/// The relations of a viewer to authors and posts.
#[derive(Debug)]
pub struct Relations {
    /// Hashes of the rows that were read.
    pub version: Vec<i64>,
    /// The newest connections and followed members.
    pub connections: HashSet<Uuid>,
    /// The members in a block with the viewer, or muted.
    pub excluded: HashSet<Uuid>,
    pub hidden_posts: HashSet<Uuid>,
    pub communities: HashSet<Uuid>,
    pub school_key: Option<Arc<str>>,
    pub has_blocks: bool,
    /// See mutes/filter.rs.
    pub is_filtered: bool,
    /// The viewer is not interested in some post, so the statement lists the pages.
    pub has_lowered: bool,
}

impl Relations {
    /// Estimates the memory.
    fn bytes(&self) -> usize {
        let ids = self.connections.len() + self.excluded.len() + self.hidden_posts.len() + self.communities.len();
        size_of::<Self>() + size_of_val(self.version.as_slice()) + ids * size_of::<Uuid>() * 2
    }
}

/// A statement with the CTE `relations` of the viewer $1 (null for a visitor) at the time $2, where $3 is the time
/// since which a lack of interest counts. The CTE contains the rows in a fixed order, and `version`.
macro_rules! relations_query {
    ($row:path, [$($tail:literal),+ $(,)?], $viewer:expr, $now:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            $row,
            r#"
            with muted as materialized (
                select kind, target_id
                from feed.mutes
                where member_id = $1
                    and target_id is not null
                    and (expires_at is null or expires_at > $2)
            ),
            rows as materialized (
                select
                    array(
                        select other_id
                        from feed.connections
                        where member_id = $1
                        order by connection_id desc
                        limit 100
                    ) as connections,
                    array(
                        select followed_id
                        from feed.follows
                        where member_id = $1
                        order by followed_at desc, followed_id
                        limit 100
                    ) as follows,
                    array(
                        select member_id
                        from (
                            select blocked_id as member_id
                            from feed.blocks
                            where blocker_id = $1
                            union all
                            select blocker_id
                            from feed.blocks
                            where blocked_id = $1
                        ) as blocked
                        order by member_id
                    ) as blocked,
                    array(select target_id from muted where kind = 'member' order by target_id) as muted,
                    array(select post_id from feed.hidden_posts where member_id = $1 order by post_id) as hidden_posts,
                    array(
                        select community_id
                        from feed.memberships
                        where member_id = $1
                            and community_id not in (select target_id from muted where kind = 'community')
                        order by community_id
                        limit 100
                    ) as communities,
                    (select school_key from feed.members where member_id = $1) as school_key,
                    exists (select from feed.mutes w where w.member_id = $1 and w.word is not null) as has_words,
                    exists (
                        select
                        from feed.hidden_posts
                        where member_id = $1
                            and not_interested
                            and hidden_at > $3
                    ) as has_lowered
            ),
            relations as materialized (
                select
                    rows.*,
                    array[
                        hash_array_extended(connections, 0),
                        hash_array_extended(follows, 0),
                        hash_array_extended(blocked, 0),
                        hash_array_extended(muted, 0),
                        hash_array_extended(hidden_posts, 0),
                        hash_array_extended(communities, 0),
                        hashtextextended(coalesce(school_key, ''), 0),
                        has_words::integer + 2 * has_lowered::integer
                    ] as version
                from rows
            )
            "#
                $(+ $tail)+,
            $viewer,
            $now,
            $now - $crate::timeline::ranking::NOT_INTERESTED
            $(, $argument)*
        )
    };
}

pub(super) use relations_query;

struct Row {
    version: Vec<i64>,
    connections: Vec<Uuid>,
    follows: Vec<Uuid>,
    blocked: Vec<Uuid>,
    muted: Vec<Uuid>,
    hidden_posts: Vec<Uuid>,
    communities: Vec<Uuid>,
    school_key: Option<String>,
    has_words: bool,
    has_lowered: bool,
}

/// The relations of recent viewers.
pub struct KnownRelations(Cache<Option<Uuid>, Arc<Relations>>);

impl Default for KnownRelations {
    fn default() -> Self {
        let weigher =
            |_: &Option<Uuid>, relations: &Arc<Relations>| u32::try_from(relations.bytes()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(MAX_BYTES).weigher(weigher).build())
    }
}

impl KnownRelations {
    /// Returns the relations from memory, or reads them from the database.
    pub async fn of(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<Arc<Relations>, sqlx::Error> {
        match self.0.get(&viewer) {
            Some(known) => Ok(known),
            None => self.read(db, viewer, now).await,
        }
    }

    /// Reads the relations of a viewer.
    pub async fn read(
        &self,
        db: &mut PgConnection,
        viewer: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<Arc<Relations>, sqlx::Error> {
        let row = relations_query!(
            Row,
            [r#"
            select
                version as "version!", connections as "connections!", follows as "follows!", blocked as "blocked!",
                muted as "muted!", hidden_posts as "hidden_posts!", communities as "communities!",
                school_key as "school_key?", has_words as "has_words!", has_lowered as "has_lowered!"
            from relations
            "#],
            viewer,
            now,
        );
        let row = row.fetch_one(db).await?;
        let relations = Arc::new(Relations {
            version: row.version,
            has_blocks: !row.blocked.is_empty(),
            is_filtered: row.has_words || !row.muted.is_empty(),
            has_lowered: row.has_lowered,
            connections: row.connections.into_iter().chain(row.follows).collect(),
            excluded: row.blocked.into_iter().chain(row.muted).collect(),
            hidden_posts: row.hidden_posts.into_iter().collect(),
            communities: row.communities.into_iter().collect(),
            school_key: row.school_key.map(Into::into),
        });
        self.0.insert(viewer, Arc::clone(&relations));
        Ok(relations)
    }
}
