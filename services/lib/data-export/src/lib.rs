//! What a service keeps of a member, for the member: read from one moment, streamed record by record, held nowhere.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::{FutureExt as _, Stream, TryStreamExt as _};
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::{
    sync::{Semaphore, mpsc},
    time::timeout,
};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;

use chassis::ServiceContext;
use primitives::error::{ErrorChain, ErrorKind, new_status};

/// RecordStream on their way.
pub const BUFFER: usize = 64;
/// An export holds a connection for as long as its reader takes: never more of the pool than this.
pub const MAX_CONCURRENT: usize = 2;
/// How long a reader may take nothing and still hold the connection.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one may hold it at all: meanwhile Postgres keeps every row that anybody deletes.
pub const MAX_DURATION: Duration = Duration::from_mins(15);

/// What a service keeps of a member.
pub trait ExportSource: Send + Sync + 'static {
    /// The contract's message for one record.
    type Record: Send + 'static;

    /// One record: what it is one of, in kebab case, and a JSON object.
    fn record(section: String, json: String) -> Self::Record;

    /// Tells all of it, one section after the other. `conn` is in a read-only transaction which sees one moment.
    fn write(
        &self,
        conn: &mut PgConnection,
        member: Uuid,
        to: &RecordWriter<Self::Record>,
    ) -> impl Future<Output = Result<(), ExportError>> + Send;
}

/// One export.
pub type RecordStream<R> = ReceiverStream<Result<R, Status>>;

/// Gives exports of one service.
#[derive(Debug)]
pub struct Exporter<S> {
    service: &'static str,
    sections: Arc<S>,
    db: PgPool,
    places: Arc<Semaphore>,
    stopped: CancellationToken,
}

impl<S: ExportSource> Exporter<S> {
    /// Exporter of these sections from this pool.
    #[must_use]
    pub fn new(context: &ServiceContext, db: &PgPool, sections: S) -> Self {
        Self {
            service: context.service,
            sections: Arc::new(sections),
            db: db.clone(),
            places: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            stopped: context.tasks.stopped(),
        }
    }

    /// Everything of one member. It is read as fast as it is taken, and no further once nobody takes it; one that is
    /// not complete ends with an error.
    #[must_use]
    pub fn stream(&self, member: Uuid) -> RecordStream<S::Record> {
        let (out, records) = mpsc::channel(BUFFER);
        let to = RecordWriter { out: out.clone(), record: S::record };
        let (sections, db, places) = (Arc::clone(&self.sections), self.db.clone(), Arc::clone(&self.places));
        let (service, stopped) = (self.service, self.stopped.clone());
        tokio::spawn(async move {
            let told = async {
                let _place = places.acquire().await;
                let told = write_snapshot(sections.as_ref(), &db, member, &to);
                timeout(MAX_DURATION, told).await.unwrap_or(Err(ExportError::Slow))
            };
            let ended = tokio::select! {
                // A panic that went by would leave the stream to end as if that had been all.
                told = AssertUnwindSafe(told).catch_unwind() => told.unwrap_or(Err(ExportError::Panicked)),
                () = stopped.cancelled() => Err(ExportError::Stopped),
                () = out.closed() => return,
            };
            if let Err(error) = ended {
                // Nothing is held any more, so this may wait for a reader who comes back.
                out.send(Err(error.into_status(service))).await.ok();
            }
        });
        ReceiverStream::new(records)
    }
}

/// All sections, of one moment.
async fn write_snapshot<S: ExportSource>(
    sections: &S,
    pool: &PgPool,
    member: Uuid,
    to: &RecordWriter<S::Record>,
) -> Result<(), ExportError> {
    let mut tx = db::begin_snapshot(pool).await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    sections.write(&mut tx, member, to).await?;
    tx.commit().await?;
    Ok(())
}

/// Who is told, as fast as they listen.
#[derive(Debug)]
pub struct RecordWriter<R> {
    out: mpsc::Sender<Result<R, Status>>,
    record: fn(String, String) -> R,
}

impl<R> RecordWriter<R> {
    /// Tells one record of a section.
    ///
    /// # Errors
    /// When the reader takes nothing for [`WRITE_TIMEOUT`], or JSON cannot say it.
    pub async fn write(&self, section: &str, record: &impl Serialize) -> Result<(), ExportError> {
        let record = (self.record)(section.to_owned(), serde_json::to_string(record)?);
        self.out.send_timeout(Ok(record), WRITE_TIMEOUT).await.map_err(|_| ExportError::Slow)
    }

    /// Tells each row as a record of a section, as it comes from the database.
    ///
    /// # Errors
    /// As [`Self::write`], and when the database fails.
    pub async fn write_all<T: Serialize>(
        &self,
        section: &str,
        mut rows: impl Stream<Item = Result<T, sqlx::Error>> + Unpin,
    ) -> Result<(), ExportError> {
        while let Some(row) = rows.try_next().await? {
            self.write(section, &row).await?;
        }
        Ok(())
    }
}

/// Why an export was not told to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The service refused, and has said why.
    #[error("the service refused")]
    Refused(#[source] Status),
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] db::Error),
    /// A record is nothing JSON could say.
    #[error("a record cannot be written")]
    Unwritable(#[from] serde_json::Error),
    /// The reader took nothing for too long, or too little.
    #[error("the reader is too slow")]
    Slow,
    /// The process stops.
    #[error("the process stops")]
    Stopped,
    /// A bug in a section.
    #[error("a section panicked")]
    Panicked,
}

impl From<sqlx::Error> for ExportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<Status> for ExportError {
    fn from(status: Status) -> Self {
        Self::Refused(status)
    }
}

impl ExportError {
    /// What the reader is told. This is the edge: it is logged here, once.
    fn into_status(self, service: &'static str) -> Status {
        let (kind, reason) = match self {
            Self::Refused(to_status) => return to_status,
            Self::Database(ref error) => (error.kind(), error.reason()),
            Self::Unwritable(_) => (ErrorKind::Internal, "RECORD"),
            Self::Panicked => (ErrorKind::Internal, "PANIC"),
            Self::Slow | Self::Stopped => (ErrorKind::Unavailable, "INTERRUPTED"),
        };
        if kind == ErrorKind::Internal {
            tracing::error!(service, reason, error = %ErrorChain(&self), "an export failed");
        } else {
            tracing::warn!(service, reason, error = %ErrorChain(&self), "an export is not complete");
        }
        new_status(kind, reason, "This was interrupted. Please try again.")
    }
}
