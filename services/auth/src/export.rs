//! A member's own copy: everything auth keeps of them but what opens the account.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::auth::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Gives exports.
pub type Exports = data_export::Exporter<Everything>;
/// One export.
pub type Records = data_export::RecordStream<ExportMemberResponse>;
type Reader = data_export::RecordWriter<ExportMemberResponse>;

/// All that auth keeps of a member and may be read.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl ExportSource for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
        account(conn, member, to).await?;
        sessions(conn, member, to).await?;
        trusted_browsers(conn, member, to).await?;
        recovery_codes(conn, member, to).await?;
        audit(conn, member, to).await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    id: Uuid,
    username: String,
    created_at: DateTime<Utc>,
}

async fn account(conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Account,
        "select id, username, created_at
        from auth.accounts
        where id = $1",
        member,
    );
    to.write_all("account", records.fetch(conn)).await
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

async fn sessions(conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Session,
        "select id, created_at, last_seen_at, ends_at, user_agent, address
        from auth.sessions
        where member_id = $1
        order by created_at, id",
        member,
    );
    to.write_all("sessions", records.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TrustedBrowser {
    trusted_at: DateTime<Utc>,
}

async fn trusted_browsers(conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        TrustedBrowser,
        "select trusted_at
        from auth.trusted_browsers
        where member_id = $1
        order by trusted_at",
        member,
    );
    to.write_all("trusted-browsers", records.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecoveryCode {
    made_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
}

async fn recovery_codes(conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        RecoveryCode,
        "select made_at, used_at
        from auth.recovery_codes
        where member_id = $1
        order by used_at nulls last",
        member,
    );
    to.write_all("recovery-codes", records.fetch(conn)).await
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Noted {
    at: DateTime<Utc>,
    event: String,
    /// `operator`, or null for what happened at the account's door.
    actor: Option<String>,
    /// What of the member's it was done to. What operators wrote of it is theirs, and may name others.
    about: Option<String>,
    session_id: Option<Uuid>,
    address: Option<String>,
}

async fn audit(conn: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let records = sqlx::query_as!(
        Noted,
        "select at, event, actor, about, session_id, address
        from auth.audit
        where member_id = $1
        order by at, id",
        member,
    );
    to.write_all("audit", records.fetch(conn)).await
}
