//! Everything jobs keeps of a member, for the member: read from one moment, sent record by record, held nowhere.

use std::{sync::Arc, time::Duration};

use chassis::Frame;
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use portia_proto::jobs::ExportMemberResponse;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::error::Error;

/// Records on their way.
const BUFFER: usize = 64;
/// An export holds a connection for as long as its reader takes: never more of the pool than this.
const AT_ONCE: usize = 2;
/// How long a reader may take nothing and still hold the connection.
const PATIENCE: Duration = Duration::from_secs(30);

/// One export.
pub type Records = ReceiverStream<Result<ExportMemberResponse, Status>>;

/// Gives exports.
#[derive(Clone)]
pub struct Exports {
    db: PgPool,
    places: Arc<Semaphore>,
    stopped: CancellationToken,
}

impl Exports {
    /// Exports from this pool.
    pub fn new(frame: &Frame, db: &PgPool) -> Self {
        Self { db: db.clone(), places: Arc::new(Semaphore::new(AT_ONCE)), stopped: frame.tasks.stopped() }
    }

    /// Everything of one member. It is read as fast as it is taken, and no further once nobody takes it; one that is
    /// not complete ends with an error.
    pub fn of(&self, member_id: Uuid) -> Records {
        let (out, records) = mpsc::channel(BUFFER);
        let Self { db, places, stopped } = self.clone();
        tokio::spawn(async move {
            let told = async {
                let _place = places.acquire().await;
                tell(&db, member_id, &Reader(out.clone())).await
            };
            let ended = tokio::select! {
                told = told => told,
                () = stopped.cancelled() => Err(Error::Interrupted),
                () = out.closed() => return,
            };
            if let Err(error) = ended {
                // Nothing is held any more, so this may wait for a reader who comes back.
                out.send(Err(error.into())).await.ok();
            }
        });
        ReceiverStream::new(records)
    }
}

/// Who is told, as fast as they listen.
struct Reader(mpsc::Sender<Result<ExportMemberResponse, Status>>);

impl Reader {
    async fn tell(&self, section: &str, record: &impl Serialize) -> Result<(), Error> {
        let record = ExportMemberResponse { section: section.to_owned(), json: serde_json::to_string(record)? };
        self.0.send_timeout(Ok(record), PATIENCE).await.map_err(|_| Error::Interrupted)
    }
}

/// All sections, of one moment.
async fn tell(db: &PgPool, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut tx = db.begin_with("begin isolation level repeatable read, read only").await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    applications(&mut tx, member, to).await?;
    history(&mut tx, member, to).await?;
    tx.commit().await?;
    Ok(())
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

async fn applications(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut applications = sqlx::query!(
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
    )
    .fetch(db);
    while let Some(row) = applications.try_next().await? {
        let application = Application {
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
        };
        to.tell("applications", &application).await?;
    }
    Ok(())
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

async fn history(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut history = sqlx::query_as!(
        Standing,
        "select h.application_id, h.status, h.note, h.at
        from jobs.applications a
        join jobs.application_history h on h.application_id = a.id
        where a.member_id = $1
        order by a.applied_at, a.id, h.at, h.id",
        member,
    )
    .fetch(db);
    while let Some(standing) = history.try_next().await? {
        to.tell("application-history", &standing).await?;
    }
    Ok(())
}
