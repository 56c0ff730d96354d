//! The export of a member's data: its sections and their queries.

mod attachments;

use chrono::{DateTime, NaiveDate, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::messaging::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::attachments::StoredAttachments;

pub type Exporter = data_export::Exporter<MemberData>;
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type Writer = data_export::RecordWriter<ExportMemberResponse>;

/// The data of a member in this schema.
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json, part: None }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
        conversations(db, member, to).await?;
        group_departures(db, member, to).await?;
        messages(db, member, to).await?;
        reactions(db, member, to).await?;
        notifications(db, member, to).await?;
        switches(db, member, to).await?;
        push_subscriptions(db, member, to).await?;
        attachments::write(db, member, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Conversation {
    id: Uuid,
    /// None after that account is erased.
    other_member_id: Option<Uuid>,
    opened_at: DateTime<Utc>,
    folder: String,
    last_message_at: Option<DateTime<Utc>>,
    unread_count: i32,
    muted: bool,
    is_group: bool,
    group_title: Option<String>,
    /// The other members of a group.
    group_member_ids: Vec<Uuid>,
    owned_by_me: bool,
}

async fn conversations(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let conversations = sqlx::query_as!(
        Conversation,
        r#"select
            c.id, c.opened_at, c.last_message_at, p.folder, p.unread_count, p.muted, p.other_member_id, c.is_group,
            case when p.folder = 'inbox' then c.title end as group_title, coalesce(c.owner_id = p.member_id, false) as "owned_by_me!",
            array(
                select o.member_id
                from messaging.participants o
                where c.is_group
                    and o.conversation_id = c.id
                    and o.member_id <> p.member_id
                order by o.joined_seq, o.member_id
            ) as "group_member_ids!"
        from messaging.participants p
        join messaging.conversations c on c.id = p.conversation_id
        where p.member_id = $1
        order by p.active_at, c.id"#,
        member,
    );
    to.write_all("conversations", conversations.fetch(db)).await
}

/// A group that the member left.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupDeparture {
    conversation_id: Uuid,
    left_at: DateTime<Utc>,
}

async fn group_departures(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let departures = sqlx::query_as!(
        GroupDeparture,
        "select conversation_id, left_at
        from messaging.group_departures
        where member_id = $1
        order by left_at, conversation_id",
        member,
    );
    to.write_all("group-departures", departures.fetch(db)).await
}

/// A message in a conversation of the member. In cleared conversations and former groups, only the member's own
/// messages, which the other participants still have.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Uuid,
    conversation_id: Uuid,
    sender_is_me: bool,
    /// Empty for a deleted message, and for one of attachments only.
    content: String,
    /// The descriptions of the pictures or the file.
    attachments: Option<StoredAttachments>,
    sent_at: DateTime<Utc>,
    edited_at: Option<DateTime<Utc>>,
    deleted_at: Option<DateTime<Utc>>,
    reply_to_id: Option<Uuid>,
    /// The change of a group that the message states.
    system_kind: Option<String>,
}

async fn messages(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let messages = sqlx::query_as!(
        Message,
        r#"select
            m.id as "id!", m.conversation_id as "conversation_id!", m.content as "content!", m.sent_at as "sent_at!",
            m.edited_at, m.deleted_at, m.reply_to_id, m.system_kind, m.is_own as "sender_is_me!",
            m.attachments as "attachments: StoredAttachments"
        from (
            select w.*, w.sender_id is not distinct from p.member_id as is_own, p.active_at
            from messaging.participants p
            join messaging.conversations c on c.id = p.conversation_id
            join messaging.messages w on w.conversation_id = p.conversation_id
            where p.member_id = $1
                and (w.seq > p.cleared_seq or w.sender_id = p.member_id)
                and not (
                    c.is_group
                    and exists (
                        select
                        from messaging.blocks b
                        where (b.blocker_id = $1 and b.blocked_id = w.sender_id)
                            or (b.blocker_id = w.sender_id and b.blocked_id = $1)
                    )
                )
                and ($1 = any (w.audience) or (w.sender_id is not null and p.folder = 'inbox'))
            union all
            select w.*, true, null
            from messaging.messages w
            where w.sender_id = $1
                and not exists (
                    select
                    from messaging.participants p
                    where p.conversation_id = w.conversation_id
                        and p.member_id = $1
                )
        ) m
        order by m.active_at nulls last, m.conversation_id, m.seq"#,
        member,
    );
    to.write_all("messages", messages.fetch(db)).await
}

/// A reaction of the member to a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reaction {
    message_id: Uuid,
    kind: String,
    reacted_at: DateTime<Utc>,
}

async fn reactions(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let reactions = sqlx::query_as!(
        Reaction,
        "select message_id, kind, reacted_at
        from messaging.message_reactions
        where member_id = $1
        order by reacted_at, message_id, kind",
        member,
    );
    to.write_all("message-reactions", reactions.fetch(db)).await
}

/// A notification of the member with its actors.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification {
    id: Uuid,
    kind: String,
    subject_id: Uuid,
    /// The skill, or the name of the subject.
    detail: Option<String>,
    active_at: DateTime<Utc>,
    read_at: Option<DateTime<Utc>>,
    /// The deadline of a reminder.
    due_at: Option<DateTime<Utc>>,
    /// That deadline, when it is a date.
    due_date: Option<NaiveDate>,
    /// The browser, network and time of a security notice.
    user_agent: Option<String>,
    address: Option<String>,
    happened_at: Option<DateTime<Utc>>,
    /// The passkeys that a security notice names.
    passkeys: Vec<String>,
    /// The community of a removal.
    community_id: Option<Uuid>,
    caused_by: Vec<Uuid>,
}

async fn notifications(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let notifications = sqlx::query_as!(
        Notification,
        r#"select
            n.id, n.kind, n.subject_id, nullif(n.detail, '') as detail, n.active_at, n.read_at, n.due_at,
            n.due_date, n.user_agent, n.address, n.happened_at, n.passkeys, n.community_id,
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

async fn switches(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
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

/// A browser to which notifications are pushed, without its endpoint and keys.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushSubscription {
    browser: String,
    language: String,
    topics: Vec<String>,
    created_at: DateTime<Utc>,
    last_success_at: Option<DateTime<Utc>>,
}

async fn push_subscriptions(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let subscriptions = sqlx::query_as!(
        PushSubscription,
        "select browser, language, topics, created_at, last_success_at
        from messaging.push_subscriptions
        where member_id = $1
        order by created_at, id",
        member,
    );
    to.write_all("push-subscriptions", subscriptions.fetch(db)).await
}
