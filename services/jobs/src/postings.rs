//! Postings: the open ones, filtered and searched, and any one with its whole text.

mod windows;

use chassis::input::{Cursor, Page};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::Browse, error::Error};

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
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Posted {}

impl Posted {
    /// Before every posting.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// The one statement that lists postings: `$page` says which (columns of jobs.postings), and what a list shows of them
/// besides is joined here. $1 is the viewer, null for a visitor; $2 the number of rows; $3 now, $4 and $5 where the page
/// before ended.
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

/// The same with the newest so many postings looked at one by one.
///
/// The number is written into the statement, so that the planner knows it: of a bound one it expects a tenth of the table,
/// and would rather read and sort all of it.
macro_rules! looked_at {
    ($many:literal, $viewer:expr, $browse:expr, $now:expr) => {
        postings!(
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
                and facets @> $6
                and searched like all (array(select lower(word) from unnest($7::text[]) as word))
            order by posted_at desc, id desc
            limit $2",
            $viewer,
            $browse,
            $now,
            &$browse.facets as &[&str],
            $browse.words.as_ref().map_or(&[] as &[String], |words| words.all.as_slice()),
        )
    };
}

/// As many hits among the newest few promise that a page is full before long.
const PROMISING: usize = 4;

/// Open postings, newest first. One whose deadline passed is gone at once, before anything closes it.
///
/// What is asked for may be in every posting or in three of a hundred thousand, and no plan suits both. So a few of the
/// newest are looked at first; by how many of them fit, either more are looked at, or the index says where there are any.
/// Words that no index knows, as they are too short, are found among the newest two thousand only.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    now: DateTime<Utc>,
) -> Result<Page<Posting>, Error> {
    let rows = if browse.asks_for_everything() {
        newest(db, viewer, browse, now).await?
    } else {
        matching(db, viewer, browse, now).await?
    };
    Ok(Page::cut(rows, browse.size, |posting| Posted { at: posting.posted_at, id: posting.id }))
}

/// Of what fits, the newest.
async fn matching(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &Browse,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    let full = usize::try_from(browse.size.to_fetch()).unwrap_or(usize::MAX);
    let rows = looked_at!("150", viewer, browse, now).fetch_all(&mut *db).await?;
    if rows.len() >= full {
        return Ok(rows);
    }
    if rows.len() >= PROMISING {
        let rows = looked_at!("1500", viewer, browse, now).fetch_all(&mut *db).await?;
        if rows.len() >= full {
            return Ok(rows);
        }
    }
    match windows::find(db, browse, now).await? {
        Some(found) => these(db, viewer, browse, &found, now).await,
        None => looked_at!("2000", viewer, browse, now).fetch_all(db).await,
    }
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
