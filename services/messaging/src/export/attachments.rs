//! Exports the descriptions and bytes of a member's uploads. Messages describe the attachments of other members.

use chrono::{DateTime, Utc};
use data_export::ExportError;
use portia_proto::messaging::{ExportMemberResponse, ExportedPart};
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Writer;
use crate::attachments::read::read_chunk;

/// An uploaded picture or file, whether or not in a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Upload {
    id: Uuid,
    kind: String,
    /// The name in the folder of files.
    file: String,
    /// The name on the computer of the member; None for a picture.
    name: Option<String>,
    size: i32,
    message_id: Option<Uuid>,
    uploaded_at: DateTime<Utc>,
}

pub async fn write(db: &mut PgConnection, member: Uuid, to: &Writer) -> Result<(), ExportError> {
    let uploads = sqlx::query_as!(
        Upload,
        r#"select
            id, kind, id || case kind when 'picture' then '.jpg' else '.pdf' end as "file!", name, size, message_id,
            uploaded_at
        from messaging.attachments
        where member_id = $1
        order by uploaded_at, id"#,
        member,
    );
    let uploads = uploads.fetch_all(&mut *db).await?;
    for upload in &uploads {
        to.write("attachments", upload).await?;
    }
    for upload in uploads {
        let mut offset = 0;
        loop {
            let chunk = read_chunk(&mut *db, upload.id, offset).await.map_err(tonic::Status::from)?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { break };
            let part = Some(ExportedPart { file: upload.file.clone(), chunk });
            to.send(ExportMemberResponse { part, ..Default::default() }).await?;
            offset += read;
        }
    }
    Ok(())
}
