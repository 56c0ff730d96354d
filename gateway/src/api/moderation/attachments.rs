//! The pictures and the file of a reported message, as they were when it was reported.

use axum::{extract::State, response::Response};
use futures::{Stream, TryStreamExt as _};
use portia_proto::messaging::{
    DownloadReportedAttachmentRequest, DownloadReportedAttachmentResponse, DownloadedAttachment,
    ListReportedAttachmentsRequest,
};
use rpc::Call;
use tonic::Status;
use uuid::Uuid;

use crate::{
    api::{
        ids::OfMessage,
        messaging::{
            attachment_views::{MessageFile, MessagePicture},
            attachments::PicturePath,
        },
        posts::pictures::PictureFile,
    },
    edge::{
        authentication::{Member, Moderator},
        extract::Id,
        pdf::{self, PdfFile},
        problem::Problem,
        upstreams::MessagingClient,
    },
};

/// The attachments of a reported message: pictures or a file.
#[derive(Default)]
pub struct ReportedAttachments {
    /// In their order.
    pub pictures: Vec<MessagePicture>,
    /// Absent beside pictures.
    pub file: Option<MessageFile>,
}

/// Lists the attachments of a reported message.
pub async fn list(mut messaging: MessagingClient, call: &Call, message: &str) -> Result<ReportedAttachments, Problem> {
    let request = ListReportedAttachmentsRequest { message_id: message.to_owned() };
    let found = messaging.list_reported_attachments(call.request(request)?).await?.into_inner();
    let base = format!("/api/moderation/messages/{message}");
    let pictures = found.pictures.into_iter().enumerate().map(|(at, picture)| MessagePicture {
        url: format!("{base}/pictures/{}", at + 1),
        alt: picture.alt,
        width: picture.width,
        height: picture.height,
    });
    let file = found.file.map(|file| MessageFile { name: file.name, size: file.size, url: format!("{base}/file") });
    Ok(ReportedAttachments { pictures: pictures.collect(), file })
}

/// Returns a picture of a reported message, for moderators who did not send the message.
#[utoipa::path(get, path = "/api/moderation/messages/{id}/pictures/{number}", operation_id = "downloadReportedPicture",
    tag = "moderation",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the message."),
        ("number" = i32, Path, minimum = 1, description = "The number of the picture, from 1.")),
    responses((status = 200, content_type = "image/jpeg", body = inline(PictureFile), description = "The picture.")))]
pub async fn picture(
    State(messaging): State<MessagingClient>,
    Moderator(member): Moderator,
    path: PicturePath,
) -> Result<Response, Problem> {
    let (picture, chunks) = download(messaging, &member, path.message, Some(path.number)).await?;
    Ok(pdf::picture(picture.size, chunks))
}

/// Returns the PDF file of a reported message as a download, for moderators who did not send the message.
#[utoipa::path(get, path = "/api/moderation/messages/{id}/file", operation_id = "downloadReportedFile", tag = "moderation",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the message.")),
    responses((status = 200, content_type = "application/pdf", body = inline(PdfFile),
        description = "The file as uploaded, always as an attachment.")))]
pub async fn file(
    State(messaging): State<MessagingClient>,
    Moderator(member): Moderator,
    id: Id<OfMessage>,
) -> Result<Response, Problem> {
    let (file, chunks) = download(messaging, &member, id.0, None).await?;
    Ok(pdf::download(&file.name, file.size, chunks))
}

/// The description and the bytes of an attachment.
async fn download(
    mut messaging: MessagingClient,
    member: &Member,
    message: Uuid,
    picture: Option<i32>,
) -> Result<(DownloadedAttachment, impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static), Problem> {
    let request = DownloadReportedAttachmentRequest { message_id: message.to_string(), picture };
    let mut parts = messaging.download_reported_attachment(member.call.request(request)?).await?.into_inner();
    let first = parts.message().await?.ok_or(Problem::internal())?;
    let attachment = first.attachment.ok_or(Problem::internal())?;
    Ok((attachment, parts.map_ok(|part: DownloadReportedAttachmentResponse| part.chunk)))
}
