//! Applications: the posting at the time of the application, the status and its history.

pub mod apply;
pub mod files;
pub mod reminders;

use chrono::{DateTime, NaiveDate, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page, PageSize, Text};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use self::files::StoredFile;
use crate::{error::Error, postings::Posting, publishing};

/// The maximum length of notes in characters.
pub const MAX_NOTES: usize = 4_000;

/// An application with its posting.
pub struct Application {
    pub id: Uuid,
    /// As it was at the time of the application; `closed_at` is current.
    pub posting: Posting,
    pub applied_at: DateTime<Utc>,
    pub notes: Option<String>,
    pub status: String,
    /// The answer of the member, and its time.
    pub sent_to_employer: Option<String>,
    pub sent_to_employer_at: Option<DateTime<Utc>>,
    pub resume: Option<StoredFile>,
    pub cover_letter: Option<StoredFile>,
}

/// The posting of an application without its description: the content of the column `job`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PostingSnapshot {
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
    // Snapshots of earlier versions have no dates, unless a migration has added them.
    #[serde(default)]
    pub application_deadline_date: Option<NaiveDate>,
    pub external_url: Option<String>,
    pub posted_at: DateTime<Utc>,
    #[serde(default)]
    pub posted_date: Option<NaiveDate>,
    pub is_demo: bool,
}

impl PostingSnapshot {
    /// The posting, with the summary when there is no description.
    pub fn into_posting(self, id: Uuid, description: Option<String>, closed_at: Option<DateTime<Utc>>) -> Posting {
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
            application_deadline_date: self.application_deadline_date,
            external_url: self.external_url,
            posted_at: self.posted_at,
            posted_date: self.posted_date,
            closed_at,
            is_demo: self.is_demo,
            is_applied: true,
        }
    }
}

/// A status in the history of an application.
pub struct HistoryEntry {
    pub status: String,
    pub at: DateTime<Utc>,
}

/// A position in the list of applications.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct ApplicationCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for ApplicationCursor {}

impl ApplicationCursor {
    /// Before every application.
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

/// A page of the caller's applications.
pub struct ApplicationQuery {
    pub size: PageSize,
    pub after: ApplicationCursor,
}

/// Lists the applications of a member, newest first.
pub async fn list(
    db: &mut PgConnection,
    member: Uuid,
    query: &ApplicationQuery,
    now: DateTime<Utc>,
) -> Result<Page<Application>, Error> {
    let rows = sqlx::query!(
        r#"select
            a.id, a.posting_id, a.applied_at, a.notes, a.status, a.sent_to_employer, a.sent_to_employer_at,
            r.name as "resume_name?", r.size as "resume_size?", r.uploaded_at as "resume_at?", l.name as "letter_name?",
            l.size as "letter_size?", l.uploaded_at as "letter_at?",
            a.job as "job: Json<PostingSnapshot>",
            coalesce(p.closed_at, case when p.application_deadline <= $5 then p.application_deadline end) as closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        left join jobs.application_files r on r.application_id = a.id and r.kind = 'resume'
        left join jobs.application_files l on l.application_id = a.id and l.kind = 'cover-letter'
        where a.member_id = $1
            and (a.applied_at, a.id) < ($2, $3)
        order by a.applied_at desc, a.id desc
        limit $4"#,
        member,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
        now,
    )
    .map(|row| Application {
        id: row.id,
        posting: row.job.0.into_posting(row.posting_id, None, row.closed_at),
        applied_at: row.applied_at,
        notes: row.notes,
        status: row.status,
        sent_to_employer: row.sent_to_employer,
        sent_to_employer_at: row.sent_to_employer_at,
        resume: StoredFile::of(row.resume_name, row.resume_size, row.resume_at),
        cover_letter: StoredFile::of(row.letter_name, row.letter_size, row.letter_at),
    })
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |application| ApplicationCursor { at: application.applied_at, id: application.id }))
}

/// Returns an application of the member.
pub async fn get(db: &mut PgConnection, member: Uuid, id: Uuid, now: DateTime<Utc>) -> Result<Application, Error> {
    let row = sqlx::query!(
        r#"select
            a.id, a.posting_id, a.applied_at, a.notes, a.status, a.sent_to_employer, a.sent_to_employer_at,
            r.name as "resume_name?", r.size as "resume_size?", r.uploaded_at as "resume_at?", l.name as "letter_name?",
            l.size as "letter_size?", l.uploaded_at as "letter_at?",
            a.job as "job: Json<PostingSnapshot>", a.job_description,
            coalesce(p.closed_at, case when p.application_deadline <= $3 then p.application_deadline end) as closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        left join jobs.application_files r on r.application_id = a.id and r.kind = 'resume'
        left join jobs.application_files l on l.application_id = a.id and l.kind = 'cover-letter'
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
        posting: row.job.0.into_posting(row.posting_id, Some(row.job_description), row.closed_at),
        applied_at: row.applied_at,
        notes: row.notes,
        status: row.status,
        sent_to_employer: row.sent_to_employer,
        sent_to_employer_at: row.sent_to_employer_at,
        resume: StoredFile::of(row.resume_name, row.resume_size, row.resume_at),
        cover_letter: StoredFile::of(row.letter_name, row.letter_size, row.letter_at),
    })
}

/// Lists all statuses of an application, oldest first.
pub async fn list_history(db: &mut PgConnection, id: Uuid) -> Result<Vec<HistoryEntry>, Error> {
    let history = sqlx::query_as!(
        HistoryEntry,
        "select status, at
        from jobs.application_history
        where application_id = $1
        order by at, id",
        id,
    );
    Ok(history.fetch_all(db).await?)
}

/// An update of an application, with at least one change.
pub struct ApplicationUpdate {
    pub application: Uuid,
    pub status: Option<&'static str>,
    /// `Some(None)` clears the notes.
    pub notes: Option<Option<Text<MAX_NOTES>>>,
    pub sent_to_employer: Option<&'static str>,
}

/// Updates the status, the notes or whether it was sent. A new status is added to the history.
pub async fn update(work: &mut UnitOfWork<'_>, member: Uuid, update: &ApplicationUpdate) -> Result<(), Error> {
    // Reading and locking in one statement also orders the history of concurrent updates.
    let previous = sqlx::query_scalar!(
        "select status
        from jobs.applications
        where id = $1
            and member_id = $2
        for update",
        update.application,
        member,
    );
    let previous = previous.fetch_optional(&mut *work.db).await?.ok_or(Error::ApplicationNotFound)?;
    sqlx::query!(
        "update jobs.applications
        set
            status = coalesce($2, status),
            notes = case when $3 then $4 else notes end,
            sent_to_employer = coalesce($5, sent_to_employer),
            -- The time of the first of equal answers.
            sent_to_employer_at = case
                when $5 <> sent_to_employer or sent_to_employer is null then coalesce($6, sent_to_employer_at)
                else sent_to_employer_at
            end
        where id = $1",
        update.application,
        update.status,
        update.notes.is_some(),
        update.notes.as_ref().and_then(|notes| notes.as_deref()),
        update.sent_to_employer,
        update.sent_to_employer.map(|_| work.now),
    )
    .execute(&mut *work.db)
    .await?;
    if let Some(status) = update.status.filter(|status| *status != previous) {
        add_history(work, update.application, status).await?;
    }
    Ok(publishing::publish_application_changed(work, update.application, member).await?)
}

/// Adds a status to the history, always later than the previous one, whatever the clocks of replicas show. The caller has
/// locked the application.
pub async fn add_history(work: &mut UnitOfWork<'_>, application: Uuid, status: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into jobs.application_history (id, application_id, status, at)
        select $1, $2, $3, greatest($4, max(at) + interval '1 microsecond')
        from jobs.application_history
        where application_id = $2",
        work.ids.owned_by(application),
        application,
        status,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}
