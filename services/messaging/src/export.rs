//! Everything messaging keeps of a member, for the member: which sections, and where each is read from.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::messaging::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Gives exports.
pub type Exports = data_export::Exporter<Everything>;
/// One export.
pub type Records = data_export::RecordStream<ExportMemberResponse>;
type Reader = data_export::RecordWriter<ExportMemberResponse>;

/// All that messaging keeps of a member.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl ExportSource for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
        conversations(db, member, to).await?;
        messages(db, member, to).await?;
        notifications(db, member, to).await?;
        switches(db, member, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Conversation {
    id: Uuid,
    /// None once that account is gone.
    other_member_id: Option<Uuid>,
    opened_at: DateTime<Utc>,
    folder: String,
    last_message_at: Option<DateTime<Utc>>,
    unread_count: i32,
}

async fn conversations(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let conversations = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, c.opened_at, c.last_message_at, p.folder, p.unread_count, p.other_member_id
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
        order by p.active_at, c.id"#,
        member,
    );
    to.write_all("conversations", conversations.fetch(db)).await
}

/// What was said in one of the member's conversations, by either side. Of one that the member cleared, what they said
/// themselves: the other has it still.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Uuid,
    conversation_id: Uuid,
    sender_is_me: bool,
    content: String,
    sent_at: DateTime<Utc>,
}

async fn messages(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let messages = sqlx::query_as!(
        Message,
        r#"select
            m.id, m.conversation_id, m.content, m.sent_at,
            m.sender_id is not distinct from p.member_id as "sender_is_me!"
        from messaging.participants p
        join messaging.messages m on m.conversation_id = p.conversation_id
        where p.member_id = $1
            and (m.seq > p.cleared_seq or m.sender_id = p.member_id)
        order by p.active_at, p.conversation_id, m.seq"#,
        member,
    );
    to.write_all("messages", messages.fetch(db)).await
}

/// What the member was told, and who had caused it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification {
    id: Uuid,
    kind: String,
    subject_id: Uuid,
    /// Which skill of it, or what it was called.
    detail: Option<String>,
    active_at: DateTime<Utc>,
    read_at: Option<DateTime<Utc>>,
    caused_by: Vec<Uuid>,
}

async fn notifications(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let notifications = sqlx::query_as!(
        Notification,
        r#"select
            n.id, n.kind, n.subject_id, nullif(n.detail, '') as detail, n.active_at, n.read_at,
            array(
                select actor_id
                from messaging.notification_causes
                where notification_id = n.id
                group by actor_id
                order by min(at)
            ) as "caused_by!"
        from messaging.notifications n
        where n.member_id = $1
        order by n.active_at, n.id"#,
        member,
    );
    to.write_all("notifications", notifications.fetch(db)).await
}

/// A kind of notification that the member turned on or off.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Switch {
    kind: String,
    on: bool,
}

async fn switches(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let switches = sqlx::query_as!(
        Switch,
        r#"select kind, is_on as "on"
        from messaging.notification_switches
        where member_id = $1
        order by kind"#,
        member,
    );
    to.write_all("notification-switches", switches.fetch(db)).await
}
