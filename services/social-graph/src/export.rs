//! The data export: every row of the member in this service, and no action of another member.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::social_graph::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

pub type MemberExporter = data_export::Exporter<MemberExport>;
pub type ExportStream = data_export::RecordStream<ExportMemberResponse>;
type ExportWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of a member's export.
pub struct MemberExport;

impl ExportSource for MemberExport {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
        connections(db, member, to).await?;
        requests(db, member, to).await?;
        dismissed(db, member, to).await?;
        blocks(db, member, to).await?;
        follows(db, member, to).await?;
        memberships(db, member, to).await?;
        community_requests(db, member, to).await?;
        community_request_declines(db, member, to).await?;
        community_invitations(db, member, to).await?;
        community_bans(db, member, to).await?;
        community_actions(db, member, to).await?;
        attendances(db, member, to).await?;
        events(db, member, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConnectionRecord {
    id: Uuid,
    member_id: Uuid,
    requested_by_me: bool,
    requested_at: DateTime<Utc>,
    accepted_at: Option<DateTime<Utc>>,
}

async fn connections(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        ConnectionRecord,
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", requested_at, answered_at as accepted_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status = 'accepted'
        order by id"#,
        member,
    );
    to.write_all("connections", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestRecord {
    id: Uuid,
    member_id: Uuid,
    requested_by_me: bool,
    status: String,
    requested_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
}

async fn requests(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        RequestRecord,
        r#"select
            id, case when requester_id = $1 then recipient_id else requester_id end as "member_id!",
            requester_id = $1 as "requested_by_me!", status, requested_at, answered_at
        from social_graph.connections
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and status <> 'accepted'
        order by id"#,
        member,
    );
    to.write_all("connection-requests", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DismissalRecord {
    member_id: Uuid,
    dismissed_at: DateTime<Utc>,
}

async fn dismissed(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        DismissalRecord,
        "select dismissed_id as member_id, dismissed_at
        from social_graph.dismissed_suggestions
        where member_id = $1
        order by dismissed_id",
        member,
    );
    to.write_all("dismissed-suggestions", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BlockRecord {
    member_id: Uuid,
    blocked_at: DateTime<Utc>,
}

/// Excludes the blocks against the member, which are confidential.
async fn blocks(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        BlockRecord,
        "select blocked_id as member_id, blocked_at
        from social_graph.blocks
        where blocker_id = $1
        order by blocked_id",
        member,
    );
    to.write_all("blocks", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FollowRecord {
    member_id: Uuid,
    followed_at: DateTime<Utc>,
}

/// Excludes the followers of the member.
async fn follows(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        FollowRecord,
        "select followed_id as member_id, followed_at
        from social_graph.follows
        where follower_id = $1
        order by followed_at, followed_id",
        member,
    );
    to.write_all("followed-members", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MembershipRecord {
    community_id: Uuid,
    community: String,
    role: String,
    joined_at: DateTime<Utc>,
}

async fn memberships(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        MembershipRecord,
        "select m.community_id, c.name as community, m.role, m.joined_at
        from social_graph.memberships m
        join social_graph.communities c on c.id = m.community_id
        where m.member_id = $1
        order by m.joined_at, m.community_id",
        member,
    );
    to.write_all("memberships", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommunityRequestRecord {
    community_id: Uuid,
    community: String,
    requested_at: DateTime<Utc>,
}

async fn community_requests(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        CommunityRequestRecord,
        "select r.community_id, c.name as community, r.requested_at
        from social_graph.community_requests r
        join social_graph.communities c on c.id = r.community_id
        where r.member_id = $1
        order by r.requested_at, r.community_id",
        member,
    );
    to.write_all("community-requests", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommunityRequestDeclineRecord {
    community_id: Uuid,
    /// Null for a community that became private.
    community: Option<String>,
    declined_at: DateTime<Utc>,
}

/// Exports the last declined request to each community, without the moderator who declined it.
async fn community_request_declines(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        CommunityRequestDeclineRecord,
        r#"select
            d.community_id, case when c.visibility = 'public' then c.name end as "community?", d.declined_at
        from social_graph.community_request_declines d
        join social_graph.communities c on c.id = d.community_id
        where d.member_id = $1
        order by d.declined_at, d.community_id"#,
        member,
    );
    to.write_all("community-request-declines", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommunityInvitationRecord {
    community_id: Uuid,
    /// Null for a declined invitation to a private community, which the member does not see.
    community: Option<String>,
    invited_at: DateTime<Utc>,
    declined_at: Option<DateTime<Utc>>,
}

/// Exports the invitations that the member received, without their authors. The invitations that the member wrote are
/// actions.
async fn community_invitations(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        CommunityInvitationRecord,
        r#"select
            i.community_id, case when c.visibility = 'public' or i.declined_at is null then c.name end as "community?",
            i.invited_at, i.declined_at
        from social_graph.community_invitations i
        join social_graph.communities c on c.id = i.community_id
        where i.member_id = $1
            and not i.is_withheld
        order by i.invited_at, i.community_id"#,
        member,
    );
    to.write_all("community-invitations", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommunityBanRecord {
    community_id: Uuid,
    /// Null for a private community, which the member does not see.
    community: Option<String>,
    reason: Option<String>,
    banned_at: DateTime<Utc>,
}

/// Exports the bans of the member, without their authors. Leaves out private communities that the member never belonged
/// to, because their bans would reveal that they exist.
async fn community_bans(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        CommunityBanRecord,
        r#"select
            b.community_id, case when c.visibility = 'public' then c.name end as "community?", b.reason, b.banned_at
        from social_graph.community_bans b
        join social_graph.communities c on c.id = b.community_id
        where b.member_id = $1
            and (c.visibility = 'public' or b.was_member)
        order by b.banned_at, b.community_id"#,
        member,
    );
    to.write_all("community-bans", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommunityActionRecord {
    community_id: Uuid,
    /// Null for a private community that the member left.
    community: Option<String>,
    action: String,
    member_id: Option<Uuid>,
    role: Option<String>,
    reason: Option<String>,
    acted_at: DateTime<Utc>,
}

/// Exports the actions of the member as an owner or moderator, without the actions of others.
async fn community_actions(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        CommunityActionRecord,
        r#"select
            l.community_id,
            case
                when
                    c.visibility = 'public'
                    or exists (
                        select
                        from social_graph.memberships m
                        where m.community_id = c.id
                            and m.member_id = $1
                    )
                then c.name
            end as "community?",
            l.action, l.member_id, l.role, l.reason, l.created_at as acted_at
        from social_graph.community_log l
        join social_graph.communities c on c.id = l.community_id
        where l.actor_id = $1
        order by l.created_at, l.id"#,
        member,
    );
    to.write_all("community-actions", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AttendanceRecord {
    event_id: Uuid,
    event: String,
    starts_at: DateTime<Utc>,
    said_at: DateTime<Utc>,
}

async fn attendances(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        AttendanceRecord,
        "select a.event_id, e.title as event, e.starts_at, a.said_at
        from social_graph.attendances a
        join social_graph.events e on e.id = a.event_id
        where a.member_id = $1
        order by a.said_at, a.event_id",
        member,
    );
    to.write_all("attendances", rows.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventRecord {
    id: Uuid,
    title: String,
    description: Option<String>,
    location: Option<String>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    time_zone: String,
    created_at: DateTime<Utc>,
}

async fn events(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    let rows = sqlx::query_as!(
        EventRecord,
        "select id, title, description, location, starts_at, ends_at, time_zone, created_at
        from social_graph.events
        where organiser_id = $1
        order by starts_at, id",
        member,
    );
    to.write_all("events-organised", rows.fetch(db)).await
}
