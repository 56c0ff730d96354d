//! The statement that checks a page from memory: it reads the rows of the posts, and whether the memory is current.

use chrono::{DateTime, Utc};
use portia_proto::feed::{CommentReacted, CommentReactionRemoved};
use prost::Name as _;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    super::{version_columns::version_columns, versions},
    Position,
    relations::relations_query,
};
use crate::{
    reactions::ReactionKind,
    sql::{Mapper, Statement},
};

/// The maximum number of facts that one check reads, with and without a number each.
const MAX_FACTS: i64 = 2_000;

/// A row for each id of the page, or one without an id. The first one has the columns from `history` on.
pub struct CheckedRow {
    place: Option<i64>,
    id: Option<Uuid>,
    author_id: Option<Uuid>,
    community_id: Option<Uuid>,
    created_at: Option<DateTime<Utc>>,
    like_count: Option<i64>,
    rank: Option<f64>,
    is_article: Option<bool>,
    version: Option<i64>,
    preview_version: Option<i64>,
    original_versions: Option<Vec<Option<i64>>>,
    hidden_members_version: Option<i64>,
    community_name: Option<String>,
    my_kind: Option<ReactionKind>,
    comment_ids: Option<Vec<Uuid>>,
    comment_kinds: Option<Vec<ReactionKind>>,
    history: Option<Uuid>,
    n: Option<i64>,
    relations_version: Option<Vec<i64>>,
    fact_ids: Option<Vec<i64>>,
    fact_keys: Option<Vec<String>>,
    numbered: Option<i64>,
    unnumbered: Option<i64>,
    first_seq: Option<i64>,
    last_seq: Option<i64>,
    oldest_at: Option<DateTime<Utc>>,
}

/// The result of a check.
pub struct Check {
    /// One for each id, in order; without an id where the post is gone.
    pub rows: Vec<versions::Row>,
    pub relations_version: Vec<i64>,
    pub hidden_members_version: i64,
    /// The facts that may concern the order: their ids, which they have before their numbers, and the posts.
    pub changes: Vec<(i64, Uuid)>,
    /// The position of the memory.
    pub after: Position,
    /// The position after the changes.
    pub reached: Position,
    /// All facts were read.
    pub is_complete: bool,
    /// The facts follow the position. Otherwise some are pruned, or Postgres was restarted or restored.
    pub is_continuous: bool,
    /// Facts after the position that have a number.
    pub behind: i64,
    /// The time of the oldest fact that was read.
    pub oldest_at: Option<DateTime<Utc>>,
}

/// Reads the rows of `ids` for the viewer, the facts after `position` and the version of the viewer's relations, in one statement.
pub async fn read(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    now: DateTime<Utc>,
    position: Position,
    ids: &[Uuid],
) -> Result<Option<Check>, sqlx::Error> {
    Ok(parse(statement(viewer, now, position.seq, ids).fetch_all(db).await?, position))
}

/// Builds the statement. The row of a post shows whether it still equals the one in memory, so no condition of
/// visibility is needed.
pub fn statement(
    viewer: Option<Uuid>,
    now: DateTime<Utc>,
    after_seq: i64,
    ids: &[Uuid],
) -> Statement<impl Mapper<CheckedRow>> {
    // Reactions to comments do not concern the order. Edits may: a restored post has such a fact.
    let others = [CommentReacted::full_name(), CommentReactionRemoved::full_name()];
    version_columns!(
        [relations_query],
        CheckedRow,
        [r#",
        recent as materialized (
            (
                select id, seq, kind, key, at
                from feed.outbox
                where seq > (select $4::bigint)
                order by seq
                limit (select $5::bigint)
            )
            union all
            (
                select id, seq, kind, key, at
                from feed.outbox
                where seq is null
                order by id
                limit (select $5::bigint)
            )
        ),
        facts as (
            select
                array_agg(id) filter (where kind <> all($6)) as ids,
                array_agg(key) filter (where kind <> all($6)) as keys,
                count(seq) as numbered, count(*) - count(seq) as unnumbered, min(seq) as first, max(seq) as last,
                min(at) as oldest_at
            from recent
        )
        select
            c.place as "place?",
            p.rank as "rank?",
            p.is_article as "is_article?",
            p.version::text::bigint as "version?",
        "#,],
        [r#",
            case when coalesce(c.place, 1) = 1 then s.history end as "history?",
            case when coalesce(c.place, 1) = 1 then s.n end as "n?",
            case when coalesce(c.place, 1) = 1 then relations.version end as "relations_version?",
            case when coalesce(c.place, 1) = 1 then facts.ids end as "fact_ids?",
            case when coalesce(c.place, 1) = 1 then facts.keys end as "fact_keys?",
            case when coalesce(c.place, 1) = 1 then facts.numbered end as "numbered?",
            case when coalesce(c.place, 1) = 1 then facts.unnumbered end as "unnumbered?",
            case when coalesce(c.place, 1) = 1 then facts.first end as "first_seq?",
            case when coalesce(c.place, 1) = 1 then facts.last end as "last_seq?",
            case when coalesce(c.place, 1) = 1 then facts.oldest_at end as "oldest_at?"
        from relations
        cross join facts
        join feed.outbox_sequence s on s.id = 1
        left join unnest((select $7::uuid[])) with ordinality as c (id, place) on true
        left join feed.listed_posts p on p.id = c.id
        "#,],
        [],
        viewer,
        now,
        after_seq,
        MAX_FACTS,
        &others,
        ids,
    )
}

/// Converts the rows. Returns `None` in a damaged database, where the sequencer has no row.
fn parse(mut rows: Vec<CheckedRow>, position: Position) -> Option<Check> {
    rows.sort_by_key(|row| row.place);
    let first = rows.first_mut()?;
    let n = first.n?;
    let (numbered, unnumbered, last) = (first.numbered?, first.unnumbered?, first.last_seq);
    let facts = first.fact_ids.take().unwrap_or_default().into_iter().zip(first.fact_keys.take().unwrap_or_default());
    let is_next = n == position.seq || first.first_seq == position.seq.checked_add(1);
    let all_numbered = numbered < MAX_FACTS;
    Some(Check {
        // The key of the other facts is a post.
        changes: facts.filter_map(|(id, key)| Some((id, Uuid::try_parse(&key).ok()?))).collect(),
        relations_version: first.relations_version.take()?,
        hidden_members_version: first.hidden_members_version.unwrap_or_default(),
        after: position,
        reached: Position { seq: if all_numbered { n } else { last.unwrap_or(n) }, ..position },
        is_complete: all_numbered && unnumbered < MAX_FACTS,
        is_continuous: first.history == position.history && is_next,
        behind: n - position.seq,
        oldest_at: first.oldest_at,
        rows: rows.into_iter().filter(|row| row.place.is_some()).map(Into::into).collect(),
    })
}

impl From<CheckedRow> for versions::Row {
    fn from(row: CheckedRow) -> Self {
        Self {
            id: row.id,
            author_id: row.author_id,
            community_id: row.community_id,
            created_at: row.created_at,
            like_count: row.like_count,
            leads: None,
            score: row.rank,
            is_article: row.is_article,
            version: row.version,
            preview_version: row.preview_version,
            original_versions: row.original_versions,
            hidden_members_version: row.hidden_members_version,
            community_name: row.community_name,
            my_kind: row.my_kind,
            comment_ids: row.comment_ids,
            comment_kinds: row.comment_kinds,
            has_blocks: None,
            is_filtered: None,
        }
    }
}
