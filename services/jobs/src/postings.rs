//! Postings: the open ones, filtered and searched, and how many there are.

use chassis::input::{Cursor, Page, Words};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::Browse, error::Error};

/// A posting as lists show it.
pub struct Posting {
    pub id: Uuid,
    pub title: String,
    pub company: String,
    pub location: Option<String>,
    pub description: String,
    pub employment_type: Option<String>,
    pub experience_level: Option<String>,
    pub practice_area: Option<String>,
    pub salary: Option<String>,
    pub source: String,
    pub application_deadline: Option<DateTime<Utc>>,
    pub external_url: Option<String>,
    pub posted_at: DateTime<Utc>,
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

/// Open postings, newest first. One whose deadline passed is gone at once, before anything closes it.
pub async fn list(db: &mut PgConnection, browse: &Browse, now: DateTime<Utc>) -> Result<Page<Posting>, Error> {
    let rows = match &browse.words {
        None => newest(db, browse, now).await?,
        Some(words) => search(db, browse, words, now).await?,
    };
    Ok(Page::cut(rows, browse.size, |posting| Posted { at: posting.posted_at, id: posting.id }))
}

/// Walks the index of open postings and passes over what the filters refuse.
///
/// The filters are written with `case` for the planner's sake: of `$5 is null or ..` it expects so few rows, when it
/// plans once for all values, that it reads and sorts every open posting.
async fn newest(db: &mut PgConnection, browse: &Browse, now: DateTime<Utc>) -> Result<Vec<Posting>, sqlx::Error> {
    sqlx::query_as!(
        Posting,
        "select
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.closed_at is null
            and (p.posted_at, p.id) < ($1, $2)
            and (p.application_deadline is null or p.application_deadline > $3)
            and case when $4::text is null then true else p.location ~* $4 end
            and case when $5::text is null then true else p.practice_area = $5 end
            and case when $6::text is null then true else p.experience_level = $6 end
            and case when $7::text is null then true else p.employment_type = $7 end
        order by p.posted_at desc, p.id desc
        limit $8",
        browse.after.at,
        browse.after.id,
        now,
        browse.location,
        browse.practice_area,
        browse.experience_level,
        browse.employment_type,
        browse.size.to_fetch(),
    )
    .fetch_all(db)
    .await
}

/// The same with words, a statement of its own: its plan may start at the index of trigrams instead.
async fn search(
    db: &mut PgConnection,
    browse: &Browse,
    words: &Words,
    now: DateTime<Utc>,
) -> Result<Vec<Posting>, sqlx::Error> {
    sqlx::query_as!(
        Posting,
        "select
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.closed_at is null
            -- No index serves `all`, so the longest word goes ahead by itself.
            and p.searched ilike $9
            and p.searched ilike all ($10)
            and (p.posted_at, p.id) < ($1, $2)
            and (p.application_deadline is null or p.application_deadline > $3)
            and case when $4::text is null then true else p.location ~* $4 end
            and case when $5::text is null then true else p.practice_area = $5 end
            and case when $6::text is null then true else p.experience_level = $6 end
            and case when $7::text is null then true else p.employment_type = $7 end
        order by p.posted_at desc, p.id desc
        limit $8",
        browse.after.at,
        browse.after.id,
        now,
        browse.location,
        browse.practice_area,
        browse.experience_level,
        browse.employment_type,
        browse.size.to_fetch(),
        words.rarest,
        &words.all,
    )
    .fetch_all(db)
    .await
}

/// How many postings are open.
pub struct Stats {
    pub total: i64,
    pub internships: i64,
    pub entry_level: i64,
    pub full_time: i64,
}

/// The kept numbers of every source together: as many rows as sources, however many postings.
pub async fn stats(db: &mut PgConnection) -> Result<Stats, Error> {
    let stats = sqlx::query_as!(
        Stats,
        r#"select
            coalesce(sum(total), 0)::bigint as "total!",
            coalesce(sum(internships), 0)::bigint as "internships!",
            coalesce(sum(entry_level), 0)::bigint as "entry_level!",
            coalesce(sum(full_time), 0)::bigint as "full_time!"
        from jobs.stats"#,
    )
    .fetch_one(db)
    .await?;
    Ok(stats)
}
