//! What is told to a member who asks for their data: everything kept of them here, and nobody else's doings.

use chrono::{DateTime, Utc};
use futures::{Stream, TryStreamExt as _};
use portia_proto::social_graph::ExportMemberResponse;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use uuid::Uuid;

use crate::error::Error;

/// Records on their way to whoever writes them down: the database is read no faster than that.
const BUFFER: usize = 64;

/// Streams the member's records, section by section, as of one moment.
pub fn stream(db: PgPool, member: Uuid) -> ReceiverStream<Result<ExportMemberResponse, Status>> {
    let (out, records) = mpsc::channel(BUFFER);
    tokio::spawn(async move {
        if let Err(Stopped::Failed(error)) = tell(&db, member, &out).await {
            out.send(Err(error.into())).await.ok();
        }
    });
    ReceiverStream::new(records)
}

/// Why an export ended early.
enum Stopped {
    /// Nobody listens any more.
    Left,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stopped {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

type Out = Sender<Result<ExportMemberResponse, Status>>;

async fn tell(db: &PgPool, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let mut tx = db.begin_with("begin isolation level repeatable read, read only").await?;
    // A slow reader stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    connections(&mut tx, member, out).await?;
    requests(&mut tx, member, out).await?;
    dismissed(&mut tx, member, out).await?;
    blocks(&mut tx, member, out).await?;
    memberships(&mut tx, member, out).await?;
    attendances(&mut tx, member, out).await?;
    events(&mut tx, member, out).await?;
    Ok(())
}

/// Tells each row as a record of `section`.
async fn each<T: Serialize>(
    section: &str,
    mut rows: impl Stream<Item = Result<T, sqlx::Error>> + Unpin,
    out: &Out,
) -> Result<(), Stopped> {
    while let Some(row) = rows.try_next().await? {
        // Structs of texts, numbers and times: there is nothing JSON could not say.
        let json = serde_json::to_string(&row).unwrap_or_default();
        let record = ExportMemberResponse { section: section.to_owned(), json };
        out.send(Ok(record)).await.map_err(|_| Stopped::Left)?;
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Connected {
    id: Uuid,
    member_id: Uuid,
    requested_by_me: bool,
    requested_at: DateTime<Utc>,
    accepted_at: Option<DateTime<Utc>>,
}

async fn connections(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Connected,
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", requested_at, answered_at as accepted_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status = 'accepted'
        order by id"#,
        member,
    );
    each("connections", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    id: Uuid,
    member_id: Uuid,
    requested_by_me: bool,
    status: String,
    requested_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
}

async fn requests(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Asked,
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", status, requested_at, answered_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status <> 'accepted'
        order by id"#,
        member,
    );
    each("connection-requests", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Dismissed {
    member_id: Uuid,
    dismissed_at: DateTime<Utc>,
}

async fn dismissed(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Dismissed,
        "select dismissed_id as member_id, dismissed_at
        from social_graph.dismissed_suggestions
        where member_id = $1
        order by dismissed_id",
        member,
    );
    each("dismissed-suggestions", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Blocked {
    member_id: Uuid,
    blocked_at: DateTime<Utc>,
}

/// Who blocks the member is not theirs to know.
async fn blocks(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Blocked,
        "select blocked_id as member_id, blocked_at
        from social_graph.blocks
        where blocker_id = $1
        order by blocked_id",
        member,
    );
    each("blocks", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Membership {
    community_id: Uuid,
    community: String,
    role: String,
    joined_at: DateTime<Utc>,
}

async fn memberships(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Membership,
        "select m.community_id, c.name as community, m.role, m.joined_at
        from social_graph.memberships m
        join social_graph.communities c on c.id = m.community_id
        where m.member_id = $1
        order by m.joined_at, m.community_id",
        member,
    );
    each("memberships", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attendance {
    event_id: Uuid,
    event: String,
    starts_at: DateTime<Utc>,
    said_at: DateTime<Utc>,
}

async fn attendances(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Attendance,
        "select a.event_id, e.title as event, e.starts_at, a.said_at
        from social_graph.attendances a
        join social_graph.events e on e.id = a.event_id
        where a.member_id = $1
        order by a.said_at, a.event_id",
        member,
    );
    each("attendances", rows.fetch(db), out).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Organised {
    id: Uuid,
    title: String,
    description: Option<String>,
    location: Option<String>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    time_zone: String,
    created_at: DateTime<Utc>,
}

async fn events(db: &mut PgConnection, member: Uuid, out: &Out) -> Result<(), Stopped> {
    let rows = sqlx::query_as!(
        Organised,
        "select id, title, description, location, starts_at, ends_at, time_zone, created_at
        from social_graph.events
        where organiser_id = $1
        order by starts_at, id",
        member,
    );
    each("events-organised", rows.fetch(db), out).await
}
