//! A member's own copy: everything auth keeps of them but what opens the account, record by record.

use std::{sync::Arc, time::Duration};

use chassis::error::{Kind, frame_status};
use chrono::{DateTime, Utc};
use futures::{Stream, TryStreamExt as _};
use portia_proto::auth::ExportMemberResponse;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use crate::error::Error;

/// Records on their way to one reader.
const BUFFER: usize = 64;
/// An export holds a connection for as long as its reader takes: never more of the pool than this, nor longer than this.
const AT_ONCE: usize = 2;
const PATIENCE: Duration = Duration::from_secs(120);

/// What the reader gets.
pub type Records = ReceiverStream<Result<ExportMemberResponse, Status>>;

/// The exports under way; clones share their places.
#[derive(Clone, Debug)]
pub struct Exports {
    db: PgPool,
    places: Arc<Semaphore>,
    draining: CancellationToken,
}

/// Why an export was not told to its end.
#[derive(Debug)]
enum Interrupted {
    Refused(Error),
    Left,
}

impl From<sqlx::Error> for Interrupted {
    fn from(error: sqlx::Error) -> Self {
        Self::Refused(error.into())
    }
}

impl Exports {
    /// Exports from a database, cut off when `draining`.
    #[must_use]
    pub fn new(db: PgPool, draining: CancellationToken) -> Self {
        Self { db, places: Arc::new(Semaphore::new(AT_ONCE)), draining }
    }

    /// Everything about a member. Whoever reads it to its end without an error has all of it, as of one moment.
    #[must_use]
    pub fn of(&self, member: Uuid) -> Records {
        let (out, records) = mpsc::channel(BUFFER);
        let this = self.clone();
        tokio::spawn(async move {
            let told = async {
                let _place = this.places.acquire().await;
                tell(&this.db, member, &out).await
            };
            let end = tokio::select! {
                told = tokio::time::timeout(PATIENCE, told) => match told {
                    Ok(Ok(()) | Err(Interrupted::Left)) => None,
                    Ok(Err(Interrupted::Refused(error))) => Some(error.into()),
                    Err(_) => Some(cut(Kind::Timeout, "EXPORT_TIMEOUT", "The export took too long. Please try again.")),
                },
                () = this.draining.cancelled() => {
                    Some(cut(Kind::Unavailable, "LEAVING", "The export was cut off. Please try again."))
                }
                () = out.closed() => None,
            };
            if let Some(status) = end {
                out.send(Err(status)).await.ok();
            }
        });
        ReceiverStream::new(records)
    }
}

fn cut(kind: Kind, reason: &'static str, message: &str) -> Status {
    frame_status(kind, reason, message)
}

type Out = mpsc::Sender<Result<ExportMemberResponse, Status>>;

async fn tell(db: &PgPool, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let mut tx = db.begin_with("begin isolation level repeatable read, read only").await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    account(&mut tx, member, out).await?;
    sessions(&mut tx, member, out).await?;
    trusted_browsers(&mut tx, member, out).await?;
    recovery_codes(&mut tx, member, out).await?;
    audit(&mut tx, member, out).await?;
    Ok(tx.commit().await?)
}

/// Sends records on as they come from the database; the channel holds no more than [`BUFFER`] of them.
async fn pass_on<T: Serialize>(
    section: &str,
    mut records: impl Stream<Item = Result<T, sqlx::Error>> + Unpin,
    out: &Out,
) -> Result<(), Interrupted> {
    while let Some(record) = records.try_next().await? {
        let json = serde_json::to_string(&record).map_err(|error| Interrupted::Refused(Error::Unwritable(error)))?;
        let response = ExportMemberResponse { section: section.to_owned(), json };
        out.send(Ok(response)).await.map_err(|_| Interrupted::Left)?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    id: Uuid,
    username: String,
    created_at: DateTime<Utc>,
}

async fn account(conn: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let records = sqlx::query_as!(
        Account,
        "select id, username, created_at
        from auth.accounts
        where id = $1",
        member,
    );
    pass_on("account", records.fetch(conn), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    id: Uuid,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    user_agent: Option<String>,
    address: Option<String>,
}

async fn sessions(conn: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let records = sqlx::query_as!(
        Session,
        "select id, created_at, last_seen_at, ends_at, user_agent, address
        from auth.sessions
        where member_id = $1
        order by created_at, id",
        member,
    );
    pass_on("sessions", records.fetch(conn), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TrustedBrowser {
    trusted_at: DateTime<Utc>,
}

async fn trusted_browsers(conn: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let records = sqlx::query_as!(
        TrustedBrowser,
        "select trusted_at
        from auth.trusted_browsers
        where member_id = $1
        order by trusted_at",
        member,
    );
    pass_on("trusted-browsers", records.fetch(conn), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecoveryCode {
    made_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

async fn recovery_codes(conn: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let records = sqlx::query_as!(
        RecoveryCode,
        "select made_at, used_at
        from auth.recovery_codes
        where member_id = $1
        order by used_at nulls last",
        member,
    );
    pass_on("recovery-codes", records.fetch(conn), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Noted {
    at: DateTime<Utc>,
    event: String,
    session_id: Option<Uuid>,
    address: Option<String>,
}

async fn audit(conn: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Interrupted> {
    let records = sqlx::query_as!(
        Noted,
        "select at, event, session_id, address
        from auth.audit
        where member_id = $1
        order by at, id",
        member,
    );
    pass_on("audit", records.fetch(conn), out).await
}
