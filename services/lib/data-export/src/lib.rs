//! The export of the rows of a member: read from one snapshot, streamed record by record. No business term.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

#[doc(hidden)]
pub use futures::TryStreamExt;
use futures::{FutureExt as _, Stream};
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

/// The buffered records of an export.
pub const BUFFER: usize = 64;
/// The maximum of concurrent exports: each holds a connection for as long as its reader takes.
pub const MAX_CONCURRENT: usize = 2;
/// The timeout of a write to a stalled reader, because the export holds a connection.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum duration of an export: until its end Postgres cannot vacuum deleted rows.
pub const MAX_DURATION: Duration = Duration::from_mins(15);

/// The records of a service.
pub trait ExportSource: Send + Sync + 'static {
    /// The message of one record.
    type Record: Send + 'static;

    /// A record: its section in kebab case, and a JSON object.
    fn record(section: String, json: String) -> Self::Record;

    /// Writes all sections in order. `db` is in a read-only transaction on one snapshot.
    fn write(
        &self,
        db: &mut PgConnection,
        member: Uuid,
        to: &RecordWriter<Self::Record>,
    ) -> impl Future<Output = Result<(), ExportError>> + Send;
}

/// The stream of an export.
pub type RecordStream<R> = ReceiverStream<Result<R, Status>>;

/// Exports the records of one service.
#[derive(Debug)]
pub struct Exporter<S> {
    service: &'static str,
    sections: Arc<S>,
    db: PgPool,
    permits: Arc<Semaphore>,
    stopped: CancellationToken,
}

impl<S: ExportSource> Exporter<S> {
    /// Creates an exporter of these sections from this pool.
    #[must_use]
    pub fn new(context: &ServiceContext, db: &PgPool, sections: S) -> Self {
        Self {
            service: context.service,
            sections: Arc::new(sections),
            db: db.clone(),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            stopped: context.tasks.stopped(),
        }
    }

    /// Streams the records of a member, as fast as the reader takes them. An incomplete export ends with an error.
    #[must_use]
    pub fn stream(&self, member: Uuid) -> RecordStream<S::Record> {
        let (out, records) = mpsc::channel(BUFFER);
        let to = RecordWriter { out: out.clone(), record: S::record };
        let (sections, db, permits) = (Arc::clone(&self.sections), self.db.clone(), Arc::clone(&self.permits));
        let (service, stopped) = (self.service, self.stopped.clone());
        tokio::spawn(async move {
            let written = async {
                let _permit = permits.acquire().await;
                let written = write_snapshot(sections.as_ref(), &db, member, &to);
                timeout(MAX_DURATION, written).await.unwrap_or(Err(ExportError::Slow))
            };
            let ended = tokio::select! {
                // Without this, a panic would end the stream as if it were complete.
                result = AssertUnwindSafe(written).catch_unwind() => result.unwrap_or(Err(ExportError::Panicked)),
                () = stopped.cancelled() => Err(ExportError::Stopped),
                () = out.closed() => return,
            };
            if let Err(error) = ended {
                // The connection is released, so this may wait for the reader.
                out.send(Err(error.into_status(service))).await.ok();
            }
        });
        ReceiverStream::new(records)
    }
}

/// Writes all sections from one snapshot.
async fn write_snapshot<S: ExportSource>(
    sections: &S,
    pool: &PgPool,
    member: Uuid,
    to: &RecordWriter<S::Record>,
) -> Result<(), ExportError> {
    let mut tx = db::begin_snapshot(pool).await?;
    // A slow reader prolongs a statement; the timeout is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    sections.write(&mut tx, member, to).await?;
    tx.commit().await?;
    Ok(())
}

/// Writes records to the reader.
#[derive(Debug)]
pub struct RecordWriter<R> {
    out: mpsc::Sender<Result<R, Status>>,
    record: fn(String, String) -> R,
}

impl<R> RecordWriter<R> {
    /// Writes one record of a section.
    ///
    /// # Errors
    /// When the reader stalls for [`WRITE_TIMEOUT`], or the record cannot be serialised.
    pub async fn write(&self, section: &str, record: &impl Serialize) -> Result<(), ExportError> {
        self.send((self.record)(section.to_owned(), serde_json::to_string(record)?)).await
    }

    /// Writes one record of a section, with these fields. For [`sections!`].
    ///
    /// # Errors
    /// When the reader stalls for [`WRITE_TIMEOUT`].
    pub async fn write_fields(&self, section: &str, Fields(mut json): Fields) -> Result<(), ExportError> {
        json.push('}');
        self.send((self.record)(section.to_owned(), json)).await
    }

    /// Sends a message that is not a record, such as a part of a file. [`BUFFER`] messages are in memory.
    ///
    /// # Errors
    /// When the reader stalls for [`WRITE_TIMEOUT`].
    pub async fn send(&self, message: R) -> Result<(), ExportError> {
        self.out.send_timeout(Ok(message), WRITE_TIMEOUT).await.map_err(|_| ExportError::Slow)
    }

    /// Writes each row as a record of a section, as it arrives from the database.
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

/// Writes sections of which each record is a row of one statement about the member. A section has a name, the columns in the order of
/// the record, and the statement; `$1` is the member.
///
/// Records are not built in Postgres: `to_jsonb` writes times with other digits and zones than the API.
#[macro_export]
macro_rules! sections {
    ($to:expr, $db:expr, $member:expr; $($section:literal [$($column:ident),+ $(,)?] $statement:literal;)+) => {
        $({
            let mut rows = sqlx::query!($statement, $member).fetch(&mut *$db);
            while let Some(row) = $crate::TryStreamExt::try_next(&mut rows).await? {
                let mut fields = $crate::Fields::default();
                $(fields.add(stringify!($column), &row.$column)?;)+
                $to.write_fields($section, fields).await?;
            }
        })+
    };
}

/// The fields of a record, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Fields(String);

impl Fields {
    /// Adds the value of a column. The field is named as the column, in camel case.
    ///
    /// # Errors
    /// When the value cannot be serialised.
    pub fn add(&mut self, column: &str, value: &impl Serialize) -> Result<(), ExportError> {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push('"');
        let mut words = column.trim_start_matches("r#").split('_');
        self.0.push_str(words.next().unwrap_or_default());
        for word in words {
            let mut letters = word.chars();
            self.0.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
            self.0.push_str(letters.as_str());
        }
        self.0.push_str("\":");
        self.0.push_str(&serde_json::to_string(value)?);
        Ok(())
    }
}

/// The reason why an export is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The service refused with a status.
    #[error("the service refused")]
    Refused(#[source] Status),
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] db::Error),
    /// A record cannot be serialised.
    #[error("a record cannot be serialised")]
    Serialization(#[from] serde_json::Error),
    /// The reader stalled, or was too slow.
    #[error("the reader is too slow")]
    Slow,
    /// The process stops.
    #[error("the process stops")]
    Stopped,
    /// A section panicked.
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
    /// Returns the status for the reader. This is the edge: the error is logged here, once.
    fn into_status(self, service: &'static str) -> Status {
        let (kind, reason) = match self {
            Self::Refused(to_status) => return to_status,
            Self::Database(ref error) => (error.kind(), error.reason()),
            Self::Serialization(_) => (ErrorKind::Internal, "RECORD"),
            Self::Panicked => (ErrorKind::Internal, "PANIC"),
            Self::Slow | Self::Stopped => (ErrorKind::Unavailable, "INTERRUPTED"),
        };
        if kind == ErrorKind::Internal {
            tracing::error!(service, reason, error = %ErrorChain(&self), "an export failed");
        } else {
            tracing::warn!(service, reason, error = %ErrorChain(&self), "an export is incomplete");
        }
        new_status(kind, reason, "This was interrupted. Please try again.")
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn fields_are_in_camel_case_and_in_order() {
        let mut fields = Fields::default();
        fields.add("post_id", &7).unwrap();
        fields.add("r#type", &"a \"b\"").unwrap();
        fields.add("a_b_c", &None::<i32>).unwrap();
        assert_eq!(fields.0, r#"{"postId":7,"type":"a \"b\"","aBC":null"#);
    }
}
