//! Postings: the open ones, filtered and searched, and any one with its whole text.

mod index;
mod several;
mod telling;
mod windows;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, LikePatterns, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::Browse, error::Error, listings};

pub use several::several;

/// A posting as one viewer sees it.
pub struct Posting {
    pub id: Uuid,
    pub title: String,
    pub company: String,
    pub location: Option<String>,
    /// In lists its beginning.
    pub description: String,
    pub employment_type: Option<String>,
    pub experience_level: Option<String>,
    pub practice_area: Option<String>,
    pub salary: Option<String>,
    pub source: String,
    pub application_deadline: Option<DateTime<Utc>>,
    pub external_url: Option<String>,
    pub posted_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub is_demo: bool,
    pub is_applied: bool,
}

/// A place in the list of postings.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Posted {
    pub at: DateTime<Utc>,
    pub id: Uuid,
}

impl Cursor for Posted {}

impl Posted {
    /// Before every posting.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// The one statement that lists postings: `$page` says which (columns of jobs.postings), and what a list shows of them
/// besides is joined here. Of a listing, time and id are the listing's: by those it is in order. $1 is the viewer, null for
/// a visitor; $2 the number of rows; $3 now, $4 and $5 where the page before ended.
macro_rules! postings {
    ($page:literal $(+ $more:literal)*, $viewer:expr, $browse:expr, $now:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Posting,
            r#"select
                p.id, p.title, p.company, p.location, p.summary as description, p.employment_type, p.experience_level,
                p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at,
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
            $browse.size.to_fetch(),
            $now,
            $browse.after.at,
            $browse.after.id
            $(, $argument)*
        )
    };
}

/// The same with the newest so many postings looked at one by one: of all, or of a listing.
///
/// The number is written into the statement, so that the planner knows it: of a bound one it expects a tenth of the table,
/// and would rather read and sort all of it.
macro_rules! looked_at {
    ($many:literal, $db:expr, $viewer:expr, $browse:expr, $now:expr) => {
        if let Some(filters) = &$browse.filters {
            let looked_at = postings!(
                "select
                    listed.posting_id as id, listed.posted_at, title, company, location, summary, employment_type,
                    experience_level, practice_area, salary, source_id, application_deadline, external_url, closed_at
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
                order by listed.posted_at desc, listed.posting_id desc
                limit $2",
                $viewer,
                $browse,
                $now,
                $browse.patterns(),
                filters.listing,
            );
            looked_at.fetch_all(&mut *$db).await
        } else {
            let looked_at = postings!(
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
                order by posted_at desc, id desc
                limit $2",
                $viewer,
                $browse,
                $now,
                $browse.patterns(),
            );
            looked_at.fetch_all(&mut *$db).await
        }
    };
}

/// As many hits among the newest few promise that a page is full before long.
const PROMISING: usize = 4;

/// Open postings, newest first. One whose deadline passed is gone at once, before anything closes it.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    now: DateTime<Utc>,
) -> Result<Page<Posting>, Error> {
    let rows = match (&browse.words, &browse.filters) {
        (Some(words), _) => saying(db, viewer, browse, words, now).await?,
        (None, Some(filters)) => listed(db, viewer, browse, filters.listing, now).await?,
        (None, None) => newest(db, viewer, browse, now).await?,
    };
    Ok(Page::cut(rows, browse.size, |posting| Posted { at: posting.posted_at, id: posting.id }))
}

/// Of what says some words and passes the filters, the newest.
///
/// The words may be in every posting or in three of a hundred thousand, and no plan suits both. So a few of the newest are
/// looked at first; by how many of them fit, either more are looked at, or the index says where there are any. LikePatterns that
/// the index does not tell apart from others are found among the newest two thousand only.
async fn saying(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    words: &LikePatterns,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let full = usize::try_from(browse.size.to_fetch()).unwrap_or(usize::MAX);
    let rows = looked_at!("150", db, viewer, browse, now)?;
    if rows.len() >= full {
        return Ok(rows);
    }
    let is_short = match &browse.filters {
        Some(filters) => listings::is_short(db, filters.listing, browse.after.at, browse.after.id).await?,
        None => false,
    };
    if is_short || rows.len() >= PROMISING {
        let rows = looked_at!("1500", db, viewer, browse, now)?;
        if is_short || rows.len() >= full {
            return Ok(rows);
        }
    }
    match index::find(db, browse, words, now).await? {
        Some(found) => these(db, viewer, browse, &found, now).await,
        None => looked_at!("2000", db, viewer, browse, now),
    }
}

/// Of what passes some filters, the newest.
async fn listed(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    listing: i32,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    // `limit 101` is the most a page can be, for the planner as above.
    let listed = postings!(
        "select *
        from (
            select
                l.posting_id as id, l.posted_at, title, company, location, summary, employment_type, experience_level,
                practice_area, salary, source_id, application_deadline, external_url, closed_at
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
        browse,
        now,
        listing,
    );
    listed.fetch_all(db).await
}

/// Of everything, the newest.
async fn newest(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    // `limit 101` is the most a page can be, for the planner as above.
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
        browse,
        now,
    );
    newest.fetch_all(db).await
}

/// Those that were found.
async fn these(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    found: &[Uuid],
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let these = postings!(
        "select *
        from jobs.postings
        where id = any($6)
            and closed_at is null
            and (posted_at, id) < ($4, $5)
            and (application_deadline is null or application_deadline > $3)
        limit $2",
        viewer,
        browse,
        now,
        found,
    );
    these.fetch_all(db).await
}

/// Any posting, open or closed, with its whole text.
pub async fn find(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid, now: DateTime<Utc>) -> Result<Posting, Error> {
    let posting = sqlx::query_as!(
        Posting,
        r#"select
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at,
            -- Over at its deadline, before anything closes it.
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
