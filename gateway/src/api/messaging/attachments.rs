//! The attachments of messages: upload, download.

use axum::{
    extract::{FromRequestParts, Path, State},
    response::Response,
};
use futures::{Stream, TryStreamExt as _, stream};
use http::request::Parts;
use portia_proto::messaging::{
    DownloadAttachmentRequest, DownloadAttachmentResponse, DownloadedAttachment, UploadFileRequest,
    UploadPictureRequest,
};
use primitives::ids;
use tonic::Status;
use uuid::Uuid;

use crate::api::ids::OfMessage;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::MessagingClient;
use crate::{
    api::{
        messaging::attachment_views::{UploadedMessageFile, UploadedMessagePicture},
        posts::pictures::PictureFile,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Id, IdempotencyKey, Noun as _},
        pdf::{self, PdfFile, UploadedPdf},
        problem::Problem,
    },
};

/// Uploads a picture for a message: PNG or JPEG, at most 8 MiB and 4096 x 4096 pixels. A message can use it within a day. Of more
/// than 16 unused uploads the oldest ones are deleted.
#[utoipa::path(post, path = "/api/message-pictures", operation_id = "uploadMessagePicture", tag = "messaging",
    request_body(description = "The file.",
        content((PictureFile = "image/png"), (PictureFile = "image/jpeg"))),
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and file returns the picture of the first one, for 24 hours.")),
    responses((status = 201, description = "The stored picture: re-encoded, upright, without metadata.",
        body = UploadedMessagePicture)))]
pub async fn upload_picture(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    file: PictureFile,
) -> Result<ApiResponse<UploadedMessagePicture>, Problem> {
    member.limit(&limits, rate_limits::MESSAGE_PICTURES).await?;
    let call = file.call(member);
    let first = UploadPictureRequest { chunk: Vec::new(), idempotency_key: key.0 };
    let chunks = file.chunks().map(|chunk| UploadPictureRequest { chunk, idempotency_key: None });
    let request = call.request(stream::iter([first].into_iter().chain(chunks)))?;
    Ok(ApiResponse::created(messaging.upload_picture(request).await?.into_inner().into()))
}

/// Uploads a PDF file of at most 5 MiB for a message. A message can use it within a day. Unused files are deleted like pictures.
#[utoipa::path(post, path = "/api/message-files", operation_id = "uploadMessageFile", tag = "messaging",
    request_body(description = "The file.", content((PdfFile = "application/pdf"))),
    security(("session" = [])),
    params(("X-File-Name" = String, Header, description = "The name of the file, percent-encoded UTF-8, at most 255 characters."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and file returns the file of the first one, for 24 hours.")),
    responses((status = 201, description = "The stored file.", body = UploadedMessageFile)))]
pub async fn upload_file(
    State(mut messaging): State<MessagingClient>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    file: UploadedPdf,
) -> Result<ApiResponse<UploadedMessageFile>, Problem> {
    member.limit(&limits, rate_limits::MESSAGE_FILES).await?;
    let first = UploadFileRequest { name: file.name.clone(), chunk: Vec::new(), idempotency_key: key.0 };
    let chunks = file.chunks().map(|chunk| UploadFileRequest { chunk, ..Default::default() });
    let request = member.call.request(stream::iter([first].into_iter().chain(chunks)))?;
    let stored = messaging.upload_file(request).await.map_err(Problem::from);
    let stored = stored.map_err(|problem| problem.renamed("name", "X-File-Name"))?.into_inner();
    Ok(ApiResponse::created(stored.into()))
}

/// The `{id}` and `{number}` of a path.
pub struct PicturePath {
    /// The message.
    pub message: Uuid,
    /// The place of the picture, from 1.
    pub number: i32,
}

impl<S: Send + Sync> FromRequestParts<S> for PicturePath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let missing = || Problem::not_found(OfMessage::MISSING);
        let Path((message, number)) =
            Path::<(String, String)>::from_request_parts(parts, state).await.map_err(|_| missing())?;
        let message = ids::parse("id", &message).map_err(|_| missing())?;
        let number = number.parse().ok().filter(|number| *number > 0);
        Ok(Self { message, number: number.ok_or(Problem::not_found("Attachment not found"))? })
    }
}

/// Returns a picture of a message to members who see the message. 404 in a request that the signed-in member has not accepted.
#[utoipa::path(get, path = "/api/messages/{id}/pictures/{number}", operation_id = "downloadMessagePicture", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the message."),
        ("number" = i32, Path, minimum = 1, description = "The number of the picture, from 1.")),
    responses((status = 200, content_type = "image/jpeg", body = inline(PictureFile), description = "The picture.")))]
pub async fn picture(
    State(messaging): State<MessagingClient>,
    member: Member,
    path: PicturePath,
) -> Result<Response, Problem> {
    let (picture, chunks) = download(messaging, &member, path.message, Some(path.number)).await?;
    Ok(pdf::picture(picture.size, chunks))
}

/// Returns the PDF file of a message to members who see the message, as a download. 404 in a request that the signed-in member
/// has not accepted.
#[utoipa::path(get, path = "/api/messages/{id}/file", operation_id = "downloadMessageFile", tag = "messaging",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the message.")),
    responses((status = 200, content_type = "application/pdf", body = inline(PdfFile),
        description = "The file as uploaded, always as an attachment.")))]
pub async fn file(
    State(messaging): State<MessagingClient>,
    member: Member,
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
    let request = DownloadAttachmentRequest { message_id: message.to_string(), picture };
    let mut messages = messaging.download_attachment(member.call.request(request)?).await?.into_inner();
    let first = messages.message().await?.ok_or(Problem::internal())?;
    let attachment = first.attachment.ok_or(Problem::internal())?;
    Ok((attachment, messages.map_ok(|message: DownloadAttachmentResponse| message.chunk)))
}
