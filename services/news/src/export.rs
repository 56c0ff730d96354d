//! Everything news keeps of a member, for the member: what they suggested.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::news::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

/// Gives exports.
pub type Exports = data_export::Exporter<Everything>;
/// One export.
pub type Records = data_export::RecordStream<ExportMemberResponse>;
type Reader = data_export::RecordWriter<ExportMemberResponse>;

/// All that news keeps of a member.
#[derive(Clone, Copy, Debug)]
pub struct Everything;

impl ExportSource for Everything {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
        suggestions(db, member, to).await
    }
}

/// A resource the member suggested. How many of them wait is counted beside them, and follows from these.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Suggestion {
    id: Uuid,
    title: String,
    description: Option<String>,
    url: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    suggested_at: DateTime<Utc>,
    approved_at: Option<DateTime<Utc>>,
}

async fn suggestions(db: &mut PgConnection, member: Uuid, to: &Reader) -> Result<(), ExportError> {
    let suggestions = sqlx::query_as!(
        Suggestion,
        "select id, title, description, url, type as kind, created_at as suggested_at, approved_at
        from news.resources
        where suggested_by = $1
        order by created_at, id",
        member,
    );
    to.write_all("resource-suggestions", suggestions.fetch(db)).await
}
