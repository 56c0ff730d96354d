//! The export of a member's data, without secrets.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::auth::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Streams exports.
pub type Exporter = data_export::Exporter<MemberData>;
/// The stream of one export.
pub type RecordStream = data_export::RecordStream<ExportMemberResponse>;
type RecordWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of an export.
#[derive(Clone, Copy, Debug)]
pub struct MemberData;

impl ExportSource for MemberData {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
        account(db, member, to).await?;
        sessions(db, member, to).await?;
        trusted_browsers(db, member, to).await?;
        known_browsers(db, member, to).await?;
        recovery_codes(db, member, to).await?;
        passkeys(db, member, to).await?;
        authenticator_app(db, member, to).await?;
        role(db, member, to).await?;
        suspension_appeals(db, member, to).await?;
        audit(db, member, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    id: Uuid,
    username: String,
    created_at: DateTime<Utc>,
}

async fn account(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Account,
        "select id, username, created_at
        from auth.accounts
        where id = $1",
        member,
    );
    to.write_all("account", records.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    id: Uuid,
    created_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// The last proof after the sign-in.
    proved_at: Option<DateTime<Utc>>,
    /// The last proof by a code or a passkey.
    second_factor_at: Option<DateTime<Utc>>,
    user_agent: Option<String>,
    address: Option<String>,
}

async fn sessions(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Session,
        "select id, created_at, last_seen_at, ends_at, proved_at, second_factor_at, user_agent, address
        from auth.sessions
        where member_id = $1
        order by created_at, id",
        member,
    );
    to.write_all("sessions", records.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TrustedBrowser {
    trusted_since: Option<DateTime<Utc>>,
    trusted_at: DateTime<Utc>,
    last_seen_at: Option<DateTime<Utc>>,
    user_agent: Option<String>,
    address: Option<String>,
}

async fn trusted_browsers(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        TrustedBrowser,
        "select trusted_since, trusted_at, last_seen_at, user_agent, address
        from auth.trusted_browsers
        where member_id = $1
        order by trusted_at",
        member,
    );
    to.write_all("trusted-browsers", records.fetch(db)).await
}

/// The last sign-in on a browser that the account knows.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KnownBrowser {
    signed_in_at: DateTime<Utc>,
}

async fn known_browsers(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        KnownBrowser,
        "select signed_in_at
        from auth.known_browsers
        where member_id = $1
        order by signed_in_at",
        member,
    );
    to.write_all("known-browsers", records.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecoveryCode {
    made_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

async fn recovery_codes(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        RecoveryCode,
        "select made_at, used_at
        from auth.recovery_codes
        where member_id = $1
        order by used_at nulls last",
        member,
    );
    to.write_all("recovery-codes", records.fetch(db)).await
}

/// A passkey, without its public key and the id of its credential, which sites could compare.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Passkey {
    id: Uuid,
    name: String,
    created_at: DateTime<Utc>,
    last_used_at: Option<DateTime<Utc>>,
    sign_count: i64,
    backup_eligible: bool,
    backed_up: bool,
}

async fn passkeys(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Passkey,
        "select id, name, created_at, last_used_at, sign_count, backup_eligible, backed_up
        from auth.passkeys
        where member_id = $1
        order by created_at, id",
        member,
    );
    to.write_all("passkeys", records.fetch(db)).await
}

/// The authenticator app, without its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthenticatorApp {
    created_at: DateTime<Utc>,
    confirmed_at: Option<DateTime<Utc>>,
}

async fn authenticator_app(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        AuthenticatorApp,
        "select created_at, confirmed_at
        from auth.totp_secrets
        where member_id = $1",
        member,
    );
    to.write_all("authenticator-app", records.fetch(db)).await
}

/// The role of a moderator.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Role {
    granted_at: DateTime<Utc>,
}

async fn role(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Role,
        "select granted_at
        from auth.moderators
        where member_id = $1",
        member,
    );
    to.write_all("moderator", records.fetch(db)).await
}

/// An appeal of the member, without the moderators and their remarks.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SuspensionAppeal {
    suspended_at: DateTime<Utc>,
    appeal: String,
    appealed_at: DateTime<Utc>,
    outcome: Option<String>,
    decided_at: Option<DateTime<Utc>>,
}

async fn suspension_appeals(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        SuspensionAppeal,
        "select
            suspended_at, appeal as \"appeal!\", appealed_at as \"appealed_at!\", appeal_outcome as outcome,
            appeal_decided_at as decided_at
        from auth.suspensions
        where member_id = $1
            and appealed_at is not null
        order by suspended_at",
        member,
    );
    to.write_all("suspension-appeals", records.fetch(db)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuditRow {
    at: DateTime<Utc>,
    event: String,
    session_id: Option<Uuid>,
    address: Option<String>,
}

/// Exports the audit rows, without the actions of operators and moderators: they would reveal that others reported the
/// member, and who decided.
async fn audit(db: &mut PgConnection, member: Uuid, to: &RecordWriter) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        AuditRow,
        "select at, event, session_id, address
        from auth.audit
        where member_id = $1
            and actor is null
        order by at, id",
        member,
    );
    to.write_all("audit", records.fetch(db)).await
}
