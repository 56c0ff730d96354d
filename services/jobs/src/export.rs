//! The data export: the member's applications, their history and files.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use futures::TryStreamExt as _;
use portia_proto::jobs::{ExportMemberResponse, ExportedPart};
use serde::Serialize;
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use crate::{
    applications::{PostingSnapshot, files::read_chunk},
    dates::DateOrTime,
};

pub type MemberExporter = data_export::Exporter<MemberExport>;
pub type ExportStream = data_export::RecordStream<ExportMemberResponse>;
type ExportWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of a member's export.
#[derive(Clone, Copy, Debug)]
pub struct MemberExport;

impl ExportSource for MemberExport {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json, part: None }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
        applications(db, member, to).await?;
        history(db, member, to).await?;
        files(db, member, to).await
    }
}

/// An application, with the posting as it was at that time.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Application {
    id: Uuid,
    status: String,
    notes: Option<String>,
    applied_at: DateTime<Utc>,
    sent_to_employer: Option<String>,
    sent_to_employer_at: Option<DateTime<Utc>>,
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
    application_deadline: Option<DateOrTime>,
    external_url: Option<String>,
    posted_at: DateOrTime,
    /// Current.
    closed_at: Option<DateTime<Utc>>,
    is_demo: bool,
}

async fn applications(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let applications = sqlx::query!(
        r#"select
            a.id, a.status, a.notes, a.applied_at, a.sent_to_employer, a.sent_to_employer_at, a.posting_id,
            a.job as "job: Json<PostingSnapshot>", a.job_description, p.closed_at
        from jobs.applications a
        join jobs.postings p on p.id = a.posting_id
        where a.member_id = $1
        order by a.applied_at, a.id"#,
        member,
    );
    let applications = applications.fetch(db).map_ok(|row| {
        let job = row.job.0.into_posting(row.posting_id, Some(row.job_description), row.closed_at);
        Application {
            id: row.id,
            status: row.status,
            notes: row.notes,
            applied_at: row.applied_at,
            sent_to_employer: row.sent_to_employer,
            sent_to_employer_at: row.sent_to_employer_at,
            job: Job {
                id: job.id,
                title: job.title,
                company: job.company,
                location: job.location,
                description: job.description,
                employment_type: job.employment_type,
                experience_level: job.experience_level,
                practice_area: job.practice_area,
                salary: job.salary,
                source: job.source,
                application_deadline: job
                    .application_deadline
                    .map(|at| DateOrTime::of(at, job.application_deadline_date)),
                external_url: job.external_url,
                posted_at: DateOrTime::of(job.posted_at, job.posted_date),
                closed_at: job.closed_at,
                is_demo: job.is_demo,
            },
        }
    });
    to.write_all("applications", applications).await
}

async fn history(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "application-history" [application_id, status, at]
        "select h.application_id, h.status, h.at
        from jobs.applications a
        join jobs.application_history h on h.application_id = a.id
        where a.member_id = $1
        order by a.applied_at, a.id, h.at, h.id";
    );
    Ok(())
}

/// A file of an application. Its bytes follow the records.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(skip)]
    id: Uuid,
    application_id: Uuid,
    kind: String,
    name: String,
    size: i32,
    uploaded_at: DateTime<Utc>,
    /// The name in the archive.
    file: String,
}

async fn files(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let files = sqlx::query_as!(
        File,
        r#"select
            f.id, f.application_id, f.kind, f.name, f.size, f.uploaded_at,
            a.id || '-' || f.kind || '.pdf' as "file!"
        from jobs.applications a
        join jobs.application_files f on f.application_id = a.id
        where a.member_id = $1
        order by a.applied_at, a.id, f.kind"#,
        member,
    );
    let files = files.fetch_all(&mut *db).await?;
    for file in &files {
        to.write("application-files", file).await?;
    }
    for file in files {
        let mut offset = 0;
        loop {
            let chunk = read_chunk(&mut *db, file.id, offset).await.map_err(tonic::Status::from)?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { break };
            let part = Some(ExportedPart { file: file.file.clone(), chunk });
            to.send(ExportMemberResponse { part, ..Default::default() }).await?;
            offset += read;
        }
    }
    Ok(())
}
