//! The data export: the suggestions of a member.

use data_export::{ExportError, ExportSource};
use portia_proto::news::ExportMemberResponse;
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

async fn suggestions(db: &mut PgConnection, member: Uuid, to: &ExportWriter) -> Result<(), ExportError> {
    data_export::sections!(to, db, member;
        "resource-suggestions" [id, title, description, url, r#type, suggested_at, approved_at]
        "select id, title, description, url, type, created_at as suggested_at, approved_at
        from news.resources
        where suggested_by = $1
        order by created_at, id";
    );
    Ok(())
}
