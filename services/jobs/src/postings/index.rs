//! Search by the trigram index, for words that are not among the newest postings.
//!
//! The index returns matches without order, and possibly thousands of old ones, so at most [`MAX_MATCHES`] are read. If there are
//! more, the index is read window by window from the newest back; a window with too many matches is halved: months, then
//! days.

use chrono::{DateTime, Days, Utc};
use primitives::input::LikePatterns;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    PostingQuery,
    recent_window::{Extent, around},
    trigrams::{is_selective, select_words},
};

/// The matches that are read of a window; the statement contains the number as a literal for the planner.
const MAX_MATCHES: usize = 100;
/// The windows of one search. Only frequent words that are rarely together need more; older matches are then not found.
const MAX_WINDOWS: u32 = 64;

/// A match of the index.
struct IndexMatch {
    id: Uuid,
    posted_at: DateTime<Utc>,
    /// All conditions hold; the index checks only some of them.
    matches_all: bool,
}

/// Finds the newest matches; `None` when the index does not help for these words.
pub async fn find(
    db: &mut PgConnection,
    query: &PostingQuery,
    words: &LikePatterns,
    now: DateTime<Utc>,
) -> Result<Option<Vec<Uuid>>, sqlx::Error> {
    let Some(selected) = select_words(words) else { return Ok(None) };
    if !is_selective(db, &selected).await? {
        return Ok(None);
    }
    let wanted = usize::try_from(query.size.to_fetch()).unwrap_or(usize::MAX);
    let mut found = read_matches(db, query, selected, now).await?;
    if found.len() >= MAX_MATCHES {
        let newest = found.iter().filter(|hit| hit.matches_all).map(|hit| hit.posted_at).max();
        found.clear();
        let mut windows = months(db, query).await?.map(|extent| around(extent, newest)).unwrap_or_default();
        let mut left = MAX_WINDOWS;
        while left > 0
            && found.len() < wanted
            && let Some(window) = windows.pop()
        {
            left -= 1;
            let hits = read_matches_within(db, query, selected, &window.facets(), now).await?;
            if hits.len() < MAX_MATCHES {
                found.extend(hits.into_iter().filter(|hit| hit.matches_all));
            } else if let Some(halves) = window.halves() {
                windows.extend(halves);
            } else {
                found.extend(read_day(db, query, window.start(), now).await?);
            }
        }
    }
    found.retain(|hit| hit.matches_all);
    found.sort_by_key(|hit| std::cmp::Reverse((hit.posted_at, hit.id)));
    Ok(Some(found.into_iter().take(wanted).map(|hit| hit.id).collect()))
}

/// Returns the months of open postings after the cursor.
async fn months(db: &mut PgConnection, query: &PostingQuery) -> Result<Option<Extent>, sqlx::Error> {
    let extent = sqlx::query!(
        "select min(posted_at) as first, max(posted_at) as last
        from jobs.postings
        where closed_at is null
            and (posted_at, id) < ($1, $2)",
        query.after.at,
        query.after.id,
    );
    let extent = extent.fetch_one(db).await?;
    Ok(extent.first.zip(extent.last).map(|(first, last)| Extent::between(first, last)))
}

/// The statement that reads the index. `$conditions` follow the conditions on the words.
///
/// Arguments are in subqueries, which hide their values from the planner: for values that it assumes to be frequent it would
/// scan the table.
macro_rules! index_matches {
    ($conditions:literal, $query:expr, $words:expr, $now:expr $(, $facets:expr)* $(,)?) => {{
        let [one, two, three] = $words;
        sqlx::query_as!(
            IndexMatch,
            r#"select
                id, posted_at,
                (
                    (posted_at, id) < ($1, $2)
                    and (application_deadline is null or application_deadline > $3)
                    and searched like all (array(select lower(word) from unnest($4::text[]) as word))
                    and searched ~* all ($8::text[])
                ) as "matches_all!"
            from (
                select id, posted_at, application_deadline, searched
                from jobs.postings
                where closed_at is null
                    and searched like (select lower($5))
                    and searched like (select lower($6))
                    and searched like (select lower($7))"#
                + $conditions
                + "
                limit 100
            ) as candidates",
            $query.after.at,
            $query.after.id,
            $now,
            $query.patterns(),
            one,
            two,
            three,
            $query.expressions()
            $(, $facets)*
        )
    }};
}

/// Matches in any order: all of them, if fewer than [`MAX_MATCHES`].
async fn read_matches(
    db: &mut PgConnection,
    query: &PostingQuery,
    words: [&str; 3],
    now: DateTime<Utc>,
) -> Result<Vec<IndexMatch>, sqlx::Error> {
    if query.filters.is_none() {
        // A condition on no facets would make the index read everything.
        return index_matches!("", query, words, now).fetch_all(db).await;
    }
    let hits = index_matches!(
        "
                    and facets @> (select $9::text[])",
        query,
        words,
        now,
        query.facets() as &[&str],
    );
    hits.fetch_all(db).await
}

/// Reads the matches of one window.
async fn read_matches_within(
    db: &mut PgConnection,
    query: &PostingQuery,
    words: [&str; 3],
    window: &[String],
    now: DateTime<Utc>,
) -> Result<Vec<IndexMatch>, sqlx::Error> {
    let hits = index_matches!(
        "
                    and facets @> (select $9::text[])
                    and facets && (select $10::text[])",
        query,
        words,
        now,
        query.facets() as &[&str],
        window,
    );
    hits.fetch_all(db).await
}

/// Reads the newest matches of a day with too many, which soon fill a page.
async fn read_day(
    db: &mut PgConnection,
    query: &PostingQuery,
    from: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Vec<IndexMatch>, sqlx::Error> {
    let hits = sqlx::query_as!(
        IndexMatch,
        r#"select id, posted_at, true as "matches_all!"
        from jobs.postings
        where closed_at is null
            and posted_at >= $1
            and posted_at < $2
            and (posted_at, id) < ($3, $4)
            and (application_deadline is null or application_deadline > $5)
            and facets @> $6
            and searched like all (array(select lower(word) from unnest($7::text[]) as word))
            and searched ~* all ($9::text[])
        order by posted_at desc, id desc
        limit $8"#,
        from,
        from + Days::new(1),
        query.after.at,
        query.after.id,
        now,
        query.facets() as &[&str],
        query.patterns(),
        query.size.to_fetch(),
        query.expressions(),
    );
    hits.fetch_all(db).await
}
