//! Applications: what one member applied for, and how it went.

use chassis::input::{Cursor, Page};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::MyApplications, error::Error, postings::Posting};

/// An application with its posting, open or not.
pub struct Application {
    pub id: Uuid,
    pub posting: Posting,
    pub applied_at: DateTime<Utc>,
    pub notes: Option<String>,
    pub status: String,
}

/// A place in the list of applications.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Applied {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Applied {}

impl Applied {
    /// Before every application.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A member's applications, newest first.
pub async fn list(db: &mut PgConnection, member: Uuid, mine: &MyApplications) -> Result<Page<Application>, Error> {
    let rows = sqlx::query!(
        "select
            a.id as application_id, a.applied_at, a.notes, a.status,
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        join jobs.sources s on s.id = p.source_id
        where a.member_id = $1
            and (a.applied_at, a.id) < ($2, $3)
        order by a.applied_at desc, a.id desc
        limit $4",
        member,
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
    )
    .map(|row| Application {
        id: row.application_id,
        posting: Posting {
            id: row.id,
            title: row.title,
            company: row.company,
            location: row.location,
            description: row.description,
            employment_type: row.employment_type,
            experience_level: row.experience_level,
            practice_area: row.practice_area,
            salary: row.salary,
            source: row.source,
            application_deadline: row.application_deadline,
            external_url: row.external_url,
            posted_at: row.posted_at,
        },
        applied_at: row.applied_at,
        notes: row.notes,
        status: row.status,
    })
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, mine.size, |application| Applied { at: application.applied_at, id: application.id }))
}
