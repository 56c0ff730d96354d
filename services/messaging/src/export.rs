//! Everything messaging keeps of a member, for the member: read from one moment, sent record by record, held nowhere.

use std::{sync::Arc, time::Duration};

use chassis::Frame;
use chrono::{DateTime, Utc};
use futures::TryStreamExt as _;
use portia_proto::messaging::ExportMemberResponse;
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
    conversations(&mut tx, member, to).await?;
    messages(&mut tx, member, to).await?;
    notifications(&mut tx, member, to).await?;
    tx.commit().await?;
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Conversation {
    id: Uuid,
    /// None once that account is gone.
    other_member_id: Option<Uuid>,
    opened_at: DateTime<Utc>,
    last_message_at: Option<DateTime<Utc>>,
    unread_count: i32,
}

async fn conversations(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut conversations = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, c.opened_at, c.last_message_at, p.unread_count,
            case p.member_id when c.lower_member_id then c.upper_member_id else c.lower_member_id end as other_member_id
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
        order by p.active_at, c.id"#,
        member,
    )
    .fetch(db);
    while let Some(conversation) = conversations.try_next().await? {
        to.tell("conversations", &conversation).await?;
    }
    Ok(())
}

/// What was said in one of the member's conversations, by either side.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Uuid,
    conversation_id: Uuid,
    sender_is_me: bool,
    content: String,
    sent_at: DateTime<Utc>,
}

async fn messages(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut messages = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.content, m.sent_at,
            m.sender_id is not distinct from p.member_id as "sender_is_me!"
        from messaging.participants p
        join messaging.messages m on m.conversation_id = p.conversation_id
        where p.member_id = $1
        order by p.active_at, p.conversation_id, m.seq"#,
        member,
    )
    .fetch(db);
    while let Some(message) = messages.try_next().await? {
        to.tell("messages", &message).await?;
    }
    Ok(())
}

/// What the member was told, and who had caused it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification {
    id: Uuid,
    kind: String,
    subject_id: Uuid,
    active_at: DateTime<Utc>,
    read_at: Option<DateTime<Utc>>,
    caused_by: Vec<Uuid>,
}

async fn notifications(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), Error> {
    let mut notifications = sqlx::query_as!(
        Notification,
        r#"select
            n.id, n.kind, n.subject_id, n.active_at, n.read_at,
            array(
                select actor_id
                from messaging.notification_causes
                where notification_id = n.id
                order by at, actor_id
            ) as "caused_by!"
        from messaging.notifications n
        where n.member_id = $1
        order by n.active_at, n.id"#,
        member,
    )
    .fetch(db);
    while let Some(notification) = notifications.try_next().await? {
        to.tell("notifications", &notification).await?;
    }
    Ok(())
}
