//! Applications: what one member applied for, as it was then, and how it went.

use chrono::{DateTime, Utc};
use primitives::{
    ids::Ids,
    input::{Cursor, Page},
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    convert::{Changes, MyApplications},
    error::Error,
    postings::Posting,
};

/// An application with its posting.
pub struct Application {
    pub id: Uuid,
    /// As it was when the member applied; closed as it is now.
    pub posting: Posting,
    pub applied_at: DateTime<Utc>,
    pub notes: Option<String>,
    pub status: String,
}

/// What is kept of a posting with an application, but for its whole text: what the column `job` holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub title: String,
    pub company: String,
    pub location: Option<String>,
    pub summary: String,
    pub employment_type: Option<String>,
    pub experience_level: Option<String>,
    pub practice_area: Option<String>,
    pub salary: Option<String>,
    pub source: String,
    pub application_deadline: Option<DateTime<Utc>>,
    pub external_url: Option<String>,
    pub posted_at: DateTime<Utc>,
    pub is_demo: bool,
}

impl Snapshot {
    /// The posting again; `description` is all of its text or the summary.
    pub fn posting(self, id: Uuid, description: Option<String>, closed_at: Option<DateTime<Utc>>) -> Posting {
        Posting {
            id,
            title: self.title,
            company: self.company,
            location: self.location,
            description: description.unwrap_or(self.summary),
            employment_type: self.employment_type,
            experience_level: self.experience_level,
            practice_area: self.practice_area,
            salary: self.salary,
            source: self.source,
            application_deadline: self.application_deadline,
            external_url: self.external_url,
            posted_at: self.posted_at,
            closed_at,
            is_demo: self.is_demo,
            is_applied: true,
        }
    }
}

/// A status an application came to have.
pub struct Step {
    pub status: String,
    pub at: DateTime<Utc>,
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
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    mine: &MyApplications,
    now: DateTime<Utc>,
) -> Result<Page<Application>, Error> {
    let rows = sqlx::query!(
        r#"select
            a.id, a.posting_id, a.applied_at, a.notes, a.status, a.job as "job: Json<Snapshot>",
            coalesce(p.closed_at, case when p.application_deadline <= $5 then p.application_deadline end) as closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        where a.member_id = $1
            and (a.applied_at, a.id) < ($2, $3)
        order by a.applied_at desc, a.id desc
        limit $4"#,
        member,
        mine.after.at,
        mine.after.id,
        mine.size.to_fetch(),
        now,
    )
    .map(|row| Application {
        id: row.id,
        posting: row.job.0.posting(row.posting_id, None, row.closed_at),
        applied_at: row.applied_at,
        notes: row.notes,
        status: row.status,
    })
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, mine.size, |application| Applied { at: application.applied_at, id: application.id }))
}

/// One of a member's applications.
pub async fn find(db: &mut PgConnection, member: Uuid, id: Uuid, now: DateTime<Utc>) -> Result<Application, Error> {
    let row = sqlx::query!(
        r#"select
            a.id, a.posting_id, a.applied_at, a.notes, a.status, a.job as "job: Json<Snapshot>", a.job_description,
            coalesce(p.closed_at, case when p.application_deadline <= $3 then p.application_deadline end) as closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        where a.id = $1
            and a.member_id = $2"#,
        id,
        member,
        now,
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::ApplicationNotFound)?;
    Ok(Application {
        id: row.id,
        posting: row.job.0.posting(row.posting_id, Some(row.job_description), row.closed_at),
        applied_at: row.applied_at,
        notes: row.notes,
        status: row.status,
    })
}

/// Every status an application has had, the first one first.
pub async fn history(db: &mut PgConnection, id: Uuid) -> Result<Vec<Step>, Error> {
    let history = sqlx::query_as!(
        Step,
        "select status, at
        from jobs.application_history
        where application_id = $1
        order by at, id",
        id,
    );
    Ok(history.fetch_all(db).await?)
}

/// Moves an application along, or writes its notes. The history gets a row when the status is another one.
pub async fn change(
    db: &mut PgConnection,
    ids: &Ids,
    member: Uuid,
    changes: &Changes,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    // Taken by one statement and read with it, so that two changes at once are one after the other in the history too.
    let before = sqlx::query_scalar!(
        "select status
        from jobs.applications
        where id = $1
            and member_id = $2
        for update",
        changes.application,
        member,
    );
    let before = before.fetch_optional(&mut *db).await?.ok_or(Error::ApplicationNotFound)?;
    sqlx::query!(
        "update jobs.applications
        set
            status = coalesce($2, status),
            notes = case when $3 then $4 else notes end
        where id = $1",
        changes.application,
        changes.status,
        changes.notes.is_some(),
        changes.notes.as_ref().and_then(|notes| notes.as_deref()),
    )
    .execute(&mut *db)
    .await?;
    if let Some(status) = changes.status.filter(|status| *status != before) {
        step(db, ids, changes.application, status, now).await?;
    }
    Ok(())
}

/// Writes down a status; never at the moment of the one before, nor earlier, whichever replica's clock. The application
/// must be held.
pub async fn step(
    db: &mut PgConnection,
    ids: &Ids,
    application: Uuid,
    status: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into jobs.application_history (id, application_id, status, at)
        select $1, $2, $3, greatest($4, max(at) + interval '1 microsecond')
        from jobs.application_history
        where application_id = $2",
        ids.owned_by(application),
        application,
        status,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}
