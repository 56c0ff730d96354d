//! Apply to an open posting: once per member, with a snapshot of the posting.

use idempotency::{Claim, RequestKey};
use outbox::UnitOfWork;
use primitives::input::Text;
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    applications::{MAX_NOTES, PostingSnapshot, add_history},
    error::Error,
    publishing,
};

pub struct NewApplication {
    pub job: Uuid,
    pub notes: Option<Text<MAX_NOTES>>,
    pub sent_to_employer: Option<&'static str>,
}

/// A request with an optional idempotency key.
pub struct IdempotentRequest<T> {
    pub body: T,
    pub key: Option<RequestKey>,
}

/// Claims the request's idempotency key for the application `id`.
pub fn claim(member: Uuid, request: &IdempotentRequest<NewApplication>, id: Uuid) -> Claim<'_> {
    Claim { member, route: "Apply", key: request.key.as_ref(), resource: id }
}

/// Creates the application `id`.
pub async fn apply(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, new: &NewApplication) -> Result<(), Error> {
    let notes = new.notes.as_deref();
    // Share-locked until the commit: closing the posting notifies all applicants, this one included.
    let posting = sqlx::query!(
        r#"select
            p.title, p.company, p.location, p.summary, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.application_deadline_date,
            p.external_url, p.posted_at, p.posted_date,
            s.connector = 'demo' as "is_demo!",
            p.closed_at is null and coalesce(p.application_deadline > $2, true) as "is_open!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.id = $1
        for share of p"#,
        new.job,
        work.now,
    );
    let posting = posting.fetch_optional(&mut *work.db).await?.ok_or(Error::JobNotFound)?;
    let snapshot = PostingSnapshot {
        title: posting.title,
        company: posting.company,
        location: posting.location,
        summary: posting.summary,
        employment_type: posting.employment_type,
        experience_level: posting.experience_level,
        practice_area: posting.practice_area,
        salary: posting.salary,
        source: posting.source,
        application_deadline: posting.application_deadline,
        application_deadline_date: posting.application_deadline_date,
        external_url: posting.external_url,
        posted_at: posting.posted_at,
        posted_date: posting.posted_date,
        is_demo: posting.is_demo,
    };
    // Inserted before the posting is checked, so that a second application fails as such even if the posting is closed.
    sqlx::query!(
        "insert into jobs.applications (
            id, posting_id, member_id, status, notes, applied_at, job, job_description, sent_to_employer,
            sent_to_employer_at
        )
        values ($1, $2, $3, 'applied', $4, $5, $6, $7, $8, $9)",
        id,
        new.job,
        member,
        notes,
        work.now,
        Json(&snapshot) as _,
        posting.description,
        new.sent_to_employer,
        new.sent_to_employer.map(|_| work.now),
    )
    .execute(&mut *work.db)
    .await?;
    if !posting.is_open {
        return Err(Error::JobClosed);
    }
    add_history(work, id, "applied").await?;
    Ok(publishing::publish_application_changed(work, id, member).await?)
}
