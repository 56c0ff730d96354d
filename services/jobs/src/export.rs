//! Everything jobs keeps of a member, for the member: which sections, and where each is read from.

use chassis::rpc::records::{self, Interrupted, Sections};
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use portia_proto::jobs::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Gives exports.
pub type Exports = records::Exports<Everything>;
/// One export.
pub type Records = records::Records<ExportMemberResponse>;
type Reader = records::Reader<ExportMemberResponse>;

/// All that jobs keeps of a member.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl Sections for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn tell(&self, db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Interrupted> {
        applications(db, member, to).await?;
        history(db, member, to).await
    }
}

/// An application, with the posting as it stands now.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Application {
    id: Uuid,
    status: String,
    notes: Option<String>,
    applied_at: DateTime<Utc>,
    job: Job,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    id: Uuid,
    title: String,
    company: String,
    location: Option<String>,
    description: String,
    employment_type: Option<String>,
    experience_level: Option<String>,
    practice_area: Option<String>,
    salary: Option<String>,
    source: String,
    application_deadline: Option<DateTime<Utc>>,
    external_url: Option<String>,
    posted_at: DateTime<Utc>,
    closed_at: Option<DateTime<Utc>>,
}

async fn applications(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Interrupted> {
    let applications = sqlx::query!(
        "select
            a.id as application_id, a.status, a.notes, a.applied_at,
            p.id, p.title, p.company, p.location, p.description, p.employment_type, p.experience_level,
            p.practice_area, p.salary, s.name as source, p.application_deadline, p.external_url, p.posted_at, p.closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        join jobs.sources s on s.id = p.source_id
        where a.member_id = $1
        order by a.applied_at, a.id",
        member,
    );
    let applications = applications.fetch(db).map_ok(|row| Application {
        id: row.application_id,
        status: row.status,
        notes: row.notes,
        applied_at: row.applied_at,
        job: Job {
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
            closed_at: row.closed_at,
        },
    });
    to.each("applications", applications).await
}

/// A status an application has had.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Standing {
    application_id: Uuid,
    status: String,
    note: Option<String>,
    at: DateTime<Utc>,
}

async fn history(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Interrupted> {
    let history = sqlx::query_as!(
        Standing,
        "select h.application_id, h.status, h.note, h.at
        from jobs.applications a
        join jobs.application_history h on h.application_id = a.id
        where a.member_id = $1
        order by a.applied_at, a.id, h.at, h.id",
        member,
    );
    to.each("application-history", history.fetch(db)).await
}
