//! The data export: the suggestions of a member.

use chrono::{DateTime, Utc};
use data_export::{ExportError, ExportSource};
use portia_proto::news::ExportMemberResponse;
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

pub type MemberExporter = data_export::Exporter<MemberExport>;
pub type ExportStream = data_export::RecordStream<ExportMemberResponse>;
type ExportWriter = data_export::RecordWriter<ExportMemberResponse>;

/// The sections of a member's export.
#[derive(Clone, Copy, Debug)]
pub struct MemberExport;

impl ExportSource for MemberExport {
    type Record = ExportMemberResponse;

    fn record(section: String, json: String) -> ExportMemberResponse {
        ExportMemberResponse { section, json }
    }

    async fn write(&self, db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
        suggestions(db, member, to).await
    }
}

/// A resource that the member suggested.
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

async fn suggestions(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
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
