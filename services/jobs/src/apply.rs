//! Applying: once for each posting that is open, with a snapshot of it.

use chrono::{DateTime, Utc};
use primitives::{ids::Ids, input::Text};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    applications::{Snapshot, step},
    error::Error,
    idempotency::{self, Keyed, claim, hash},
};

/// The longest notes, in characters.
pub const LONGEST_NOTES: usize = 4_000;

/// What a member applies for, and wants to remember.
pub struct NewApplication {
    pub job: Uuid,
    pub notes: Option<Text<LONGEST_NOTES>>,
}

/// The application's id: made now, or what an earlier request with the same key made.
pub async fn apply(
    db: &mut PgConnection,
    ids: &Ids,
    member: Uuid,
    wanted: &Keyed<NewApplication>,
    now: DateTime<Utc>,
) -> Result<Uuid, Error> {
    let (id, new) = (ids.owned_by(member), &wanted.what);
    let notes = new.notes.as_deref();
    if let Some(key) = &wanted.key {
        let body_hash = hash(&[new.job.as_bytes(), notes.unwrap_or_default().as_bytes()]);
        let request = idempotency::Request { member, route: "Apply", key, body_hash };
        if let Some(earlier) = claim(db, &request, id, now).await? {
            return Ok(earlier);
        }
    }
    // Shared, so that it cannot close before this is told: whoever closes it tells everybody who applied.
    let posting = sqlx::query!(
        r#"select
            p.title, p.company, p.location, p.summary, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at,
            s.connector = 'demo' as "is_demo!",
            p.closed_at is null and coalesce(p.application_deadline > $2, true) as "is_open!"
        from jobs.postings p
        join jobs.sources s on s.id = p.source_id
        where p.id = $1
        for share of p"#,
        new.job,
        now,
    );
    let posting = posting.fetch_optional(&mut *db).await?.ok_or(Error::JobNotFound)?;
    let snapshot = Snapshot {
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
        external_url: posting.external_url,
        posted_at: posting.posted_at,
        is_demo: posting.is_demo,
    };
    // Whoever applied hears that first, whatever has become of the posting.
    sqlx::query!(
        "insert into jobs.applications (id, posting_id, member_id, status, notes, applied_at, job, job_description)
        values ($1, $2, $3, 'applied', $4, $5, $6, $7)",
        id,
        new.job,
        member,
        notes,
        now,
        Json(&snapshot) as _,
        posting.description,
    )
    .execute(&mut *db)
    .await?;
    if !posting.is_open {
        return Err(Error::JobClosed);
    }
    step(db, ids, id, "applied", now).await?;
    Ok(id)
}
