//! Postings: the list with filters and search, and single postings with their whole text.

mod batch_get;
mod index;
pub mod listings;
mod recent_window;
mod trigrams;

use chrono::{DateTime, NaiveDate, Utc};
use primitives::input::{Cursor, LikePatterns, Page, PageSize};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

pub use batch_get::batch_get;

/// A posting for one viewer.
pub struct Posting {
    pub id: Uuid,
    pub title: String,
    pub company: String,
    pub location: Option<String>,
    /// In lists the summary.
    pub description: String,
    pub employment_type: Option<String>,
    pub experience_level: Option<String>,
    pub practice_area: Option<String>,
    pub salary: Option<String>,
    pub source: String,
    /// When applications end; of a date, when it has ended everywhere.
    pub application_deadline: Option<DateTime<Utc>>,
    /// The deadline, when it is a date.
    pub application_deadline_date: Option<NaiveDate>,
    pub external_url: Option<String>,
    /// The position in lists.
    pub posted_at: DateTime<Utc>,
    /// The publication, when it is a date.
    pub posted_date: Option<NaiveDate>,
    pub closed_at: Option<DateTime<Utc>>,
    pub is_demo: bool,
    pub is_applied: bool,
}

/// A position in the list of postings.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct PostingCursor {
    pub at: DateTime<Utc>,
    pub id: Uuid,
}

impl Cursor for PostingCursor {}

impl PostingCursor {
    /// Before every posting.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of filtered postings.
pub struct PostingQuery {
    pub words: Option<LikePatterns>,
    pub filters: Option<Filters>,
    pub size: PageSize,
    pub after: PostingCursor,
}

/// At least one filter.
pub struct Filters {
    /// The number of the listing.
    pub listing: i32,
    /// Values that the column `facets` must contain.
    pub facets: Vec<&'static str>,
}

impl PostingQuery {
    /// Returns the patterns, all of which the text must match.
    pub fn patterns(&self) -> &[String] {
        self.words.as_ref().map_or(&[], |words| words.all.as_slice())
    }

    /// Returns the regular expressions, all of which the text must match.
    pub fn expressions(&self) -> &[String] {
        self.words.as_ref().map_or(&[], |words| words.exact.as_slice())
    }

    /// Values that the column `facets` must contain.
    pub fn facets(&self) -> &[&'static str] {
        self.filters.as_ref().map_or(&[], |filters| filters.facets.as_slice())
    }
}

/// The statement that lists postings. `$page` selects columns of jobs.postings; the other columns of a list are joined
/// here. A listing supplies time and id, because it is in that order. $1 is the viewer, null for a visitor; $2 the
/// number of rows; $3 the present; $4 and $5 the cursor.
macro_rules! postings {
    ($page:literal $(+ $more:literal)*, $viewer:expr, $query:expr, $now:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Posting,
            r#"select
                p.id, p.title, p.company, p.location, p.summary as description, p.employment_type, p.experience_level,
                p.practice_area, p.salary, s.name as source, p.application_deadline, p.application_deadline_date,
                p.external_url, p.posted_at, p.posted_date,
                p.closed_at, s.connector = 'demo' as "is_demo!",
                exists (
                    select
                    from jobs.applications a
                    where a.member_id = $1
                        and a.posting_id = p.id
                ) as "is_applied!"
            from ("# + $page $(+ $more)* + r#") as p
            join jobs.sources s on s.id = p.source_id
            order by p.posted_at desc, p.id desc"#,
            $viewer,
            $query.size.to_fetch(),
            $now,
            $query.after.at,
            $query.after.id
            $(, $argument)*
        )
    };
}

/// Scans the newest postings of all or of a listing.
///
/// The number is a literal: for a bound one the planner assumes a tenth of the table and would read and sort all of it.
macro_rules! scan {
    ($many:literal, $db:expr, $viewer:expr, $query:expr, $now:expr) => {
        if let Some(filters) = &$query.filters {
            let scanned = postings!(
                "select
                    listed.posting_id as id, listed.posted_at, title, company, location, summary, employment_type,
                    experience_level, practice_area, salary, source_id, application_deadline,
                    application_deadline_date, external_url, posted_date, closed_at
                from (
                    select posted_at, posting_id
                    from jobs.listings
                    where filters = $7
                        and (posted_at, posting_id) < ($4, $5)
                    order by posted_at desc, posting_id desc
                    limit "
                    + $many
                    + "
                ) as listed
                join jobs.postings p on p.id = listed.posting_id
                where closed_at is null
                    and (application_deadline is null or application_deadline > $3)
                    and searched like all (array(select lower(word) from unnest($6::text[]) as word))
                    and searched ~* all ($8::text[])
                order by listed.posted_at desc, listed.posting_id desc
                limit $2",
                $viewer,
                $query,
                $now,
                $query.patterns(),
                filters.listing,
                $query.expressions(),
            );
            scanned.fetch_all(&mut *$db).await
        } else {
            let scanned = postings!(
                "select *
                from (
                    select *
                    from jobs.postings
                    where closed_at is null
                        and (posted_at, id) < ($4, $5)
                    order by posted_at desc, id desc
                    limit "
                    + $many
                    + "
                ) as newest
                where (application_deadline is null or application_deadline > $3)
                    and searched like all (array(select lower(word) from unnest($6::text[]) as word))
                    and searched ~* all ($7::text[])
                order by posted_at desc, id desc
                limit $2",
                $viewer,
                $query,
                $now,
                $query.patterns(),
                $query.expressions(),
            );
            scanned.fetch_all(&mut *$db).await
        }
    };
}

/// With this number of matches among the newest postings, a longer scan will probably fill the page.
const PROMISING_MATCHES: usize = 4;

/// Lists open postings, newest first. An expired one is omitted before it is closed.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &PostingQuery,
    now: DateTime<Utc>,
) -> Result<Page<Posting>, Error> {
    let rows = match (&query.words, &query.filters) {
        (Some(words), _) => search_words(db, viewer, query, words, now).await?,
        (None, Some(filters)) => list_filtered(db, viewer, query, filters.listing, now).await?,
        (None, None) => list_newest(db, viewer, query, now).await?,
    };
    Ok(Page::cut(rows, query.size, |posting| PostingCursor { at: posting.posted_at, id: posting.id }))
}

/// Finds the newest postings that contain all words and match the filters.
///
/// No plan suits both a word of every posting and a word of three in a hundred thousand. So a few of the newest are scanned
/// first; their number of matches decides between a longer scan and the index. Words that the index cannot distinguish are
/// found among the newest two thousand only.
async fn search_words(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &PostingQuery,
    words: &LikePatterns,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let full = usize::try_from(query.size.to_fetch()).unwrap_or(usize::MAX);
    let rows = scan!("150", db, viewer, query, now)?;
    if rows.len() >= full {
        return Ok(rows);
    }
    let is_short = match &query.filters {
        Some(filters) => listings::is_short(db, filters.listing, query.after.at, query.after.id).await?,
        None => false,
    };
    if is_short || rows.len() >= PROMISING_MATCHES {
        let rows = scan!("1500", db, viewer, query, now)?;
        if is_short || rows.len() >= full {
            return Ok(rows);
        }
    }
    match index::find(db, query, words, now).await? {
        Some(found) => list_by_ids(db, viewer, query, &found, now).await,
        None => scan!("2000", db, viewer, query, now),
    }
}

/// Lists the newest postings of a listing.
async fn list_filtered(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &PostingQuery,
    listing: i32,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    // `limit 101` is the maximum of a page; a literal for the planner, as above.
    let listed = postings!(
        "select *
        from (
            select
                l.posting_id as id, l.posted_at, title, company, location, summary, employment_type, experience_level,
                practice_area, salary, source_id, application_deadline, application_deadline_date, external_url,
                posted_date, closed_at
            from jobs.listings l
            join jobs.postings p on p.id = l.posting_id
            where filters = $6
                and (l.posted_at, l.posting_id) < ($4, $5)
                and closed_at is null
                and (application_deadline is null or application_deadline > $3)
            order by l.posted_at desc, l.posting_id desc
            limit 101
        ) as most
        order by posted_at desc, id desc
        limit $2",
        viewer,
        query,
        now,
        listing,
    );
    listed.fetch_all(db).await
}

/// Lists the newest of all postings.
async fn list_newest(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &PostingQuery,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    // `limit 101` is the maximum of a page; a literal for the planner, as above.
    let newest = postings!(
        "select *
        from (
            select *
            from jobs.postings
            where closed_at is null
                and (posted_at, id) < ($4, $5)
                and (application_deadline is null or application_deadline > $3)
            order by posted_at desc, id desc
            limit 101
        ) as most
        order by posted_at desc, id desc
        limit $2",
        viewer,
        query,
        now,
    );
    newest.fetch_all(db).await
}

/// Lists the open postings among `found`.
async fn list_by_ids(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &PostingQuery,
    found: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let postings = postings!(
        "select *
        from jobs.postings
        where id = any($6)
            and closed_at is null
            and (posted_at, id) < ($4, $5)
            and (application_deadline is null or application_deadline > $3)
        limit $2",
        viewer,
        query,
        now,
        found,
    );
    postings.fetch_all(db).await
}

/// Returns a posting, open or closed, with its whole text.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid, now: DateTime<Utc>) -> Result<Posting, Error> {
    let posting = sqlx::query_as!(
        Posting,
        r#"select
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.application_deadline_date,
            p.external_url, p.posted_at, p.posted_date,
            -- Closed at its deadline, before the row is updated.
            coalesce(p.closed_at, case when p.application_deadline <= $3 then p.application_deadline end) as closed_at,
            s.connector = 'demo' as "is_demo!",
            exists (
                select
                from jobs.applications a
                where a.member_id = $2
                    and a.posting_id = p.id
            ) as "is_applied!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.id = $1"#,
        id,
        viewer,
        now,
    );
    posting.fetch_optional(db).await?.ok_or(Error::JobNotFound)
}
