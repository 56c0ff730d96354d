//! Upload and download the attachments of messages.

use std::pin::Pin;

use futures::{Stream, StreamExt as _, TryStreamExt as _, stream};
use idempotency::{Claim, RequestKey};
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    attachments::{
        read::{self, Attachment},
        reported,
        upload::{self, Upload},
    },
    convert::{IdempotentUpload, parse_file_upload, parse_message_id, parse_picture_upload, parse_selection},
    error::Error,
    messages,
};

/// The longer side of a picture, in pixels.
const PICTURE_SIZE: u32 = 1_600;

/// The stream of a download of a moderator.
pub type ReportedAttachmentStream =
    Pin<Box<dyn Stream<Item = Result<pb::DownloadReportedAttachmentResponse, Status>> + Send>>;

/// The stream of a download.
pub type AttachmentStream = Pin<Box<dyn Stream<Item = Result<pb::DownloadAttachmentResponse, Status>> + Send>>;

pub(super) async fn upload_picture(
    service: &MessagingService,
    request: Request<Streaming<pb::UploadPictureRequest>>,
) -> RpcResult<pb::UploadPictureResponse> {
    let member = Actor::member(&request)?;
    let IdempotentUpload { body: raw, key } = parse_picture_upload(request.into_inner()).await?;
    let picture = service.encoder.reencode(member, raw.into(), PICTURE_SIZE).await.map_err(Error::from)?;
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let (width, height) = (side(picture.width), side(picture.height));
    let id = store(service, member, "UploadPicture", key.as_ref(), &Upload::Picture(picture)).await?;
    Ok(Response::new(pb::UploadPictureResponse { picture_id: id.to_string(), width, height }))
}

pub(super) async fn upload_file(
    service: &MessagingService,
    request: Request<Streaming<pb::UploadFileRequest>>,
) -> RpcResult<pb::UploadFileResponse> {
    let member = Actor::member(&request)?;
    let IdempotentUpload { body: file, key } = parse_file_upload(request.into_inner()).await?;
    let (name, size) = (file.name.clone(), file.size());
    let id = store(service, member, "UploadFile", key.as_ref(), &Upload::File(file)).await?;
    Ok(Response::new(pb::UploadFileResponse { file_id: id.to_string(), name, size }))
}

/// Stores an upload, and returns the id from the first request with the key.
async fn store(
    service: &MessagingService,
    member: Uuid,
    route: &'static str,
    key: Option<&RequestKey>,
    upload: &Upload,
) -> Result<Uuid, Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let claim = Claim { member, route, key, resource: work.ids.owned_by(member) };
    let id = service.keys.claim(work.db, &claim, work.now).await?.unwrap_or(claim.resource);
    upload::store(work, id, member, upload).await?;
    commit(tx).await?;
    Ok(id)
}

pub(super) async fn download(
    service: &MessagingService,
    request: Request<pb::DownloadAttachmentRequest>,
) -> RpcResult<AttachmentStream> {
    let member = Actor::member(&request)?;
    let pb::DownloadAttachmentRequest { message_id, picture } = request.into_inner();
    let (message, selection) = parse_selection(&message_id, picture)?;
    let found = messages::attachments::find(&mut *service.connection().await?, member, message, selection).await?;
    let Attachment { id, name, size } = found;
    let attachment = Some(pb::DownloadedAttachment { name: name.unwrap_or_default(), size });
    let first = pb::DownloadAttachmentResponse { attachment, chunk: Vec::new() };
    let rest = chunks(PgPool::clone(&service.db), id, Source::Message);
    let rest = rest.map_ok(|chunk| pb::DownloadAttachmentResponse { attachment: None, chunk });
    Ok(Response::new(Box::pin(stream::iter([Ok(first)]).chain(rest))))
}

pub(super) async fn list_reported(
    service: &MessagingService,
    request: Request<pb::ListReportedAttachmentsRequest>,
) -> RpcResult<pb::ListReportedAttachmentsResponse> {
    let moderator = Actor::moderator(&request)?;
    let message = parse_message_id(&request.get_ref().message_id).map_err(Error::from)?;
    let found = reported::list(&mut *service.connection().await?, moderator, message).await?;
    let pictures = found.pictures.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::ListReportedAttachmentsResponse { pictures, file: found.file.map(Into::into) }))
}

pub(super) async fn download_reported(
    service: &MessagingService,
    request: Request<pb::DownloadReportedAttachmentRequest>,
) -> RpcResult<ReportedAttachmentStream> {
    let moderator = Actor::moderator(&request)?;
    let pb::DownloadReportedAttachmentRequest { message_id, picture } = request.into_inner();
    let (message, selection) = parse_selection(&message_id, picture)?;
    let found = reported::find(&mut *service.connection().await?, moderator, message, selection).await?;
    let Attachment { id, name, size } = found;
    let attachment = Some(pb::DownloadedAttachment { name: name.unwrap_or_default(), size });
    let first = pb::DownloadReportedAttachmentResponse { attachment, chunk: Vec::new() };
    let rest = chunks(PgPool::clone(&service.db), id, Source::Report);
    let rest = rest.map_ok(|chunk| pb::DownloadReportedAttachmentResponse { attachment: None, chunk });
    Ok(Response::new(Box::pin(stream::iter([Ok(first)]).chain(rest))))
}

/// The location of a download's bytes.
#[derive(Clone, Copy)]
enum Source {
    Message,
    Report,
}

/// Reads a chunk when the client takes it. A slow client holds one chunk of memory and no connection.
fn chunks(db: PgPool, id: Uuid, source: Source) -> impl Stream<Item = Result<Vec<u8>, Status>> + Send {
    stream::try_unfold(0_i32, move |offset| {
        let db = db.clone();
        async move {
            let mut connection = db.acquire().await.map_err(Error::from)?;
            let chunk = match source {
                Source::Message => read::read_chunk(&mut connection, id, offset).await?,
                Source::Report => reported::read_chunk(&mut connection, id, offset).await?,
            };
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { return Ok(None) };
            Ok(Some((chunk, offset.saturating_add(read))))
        }
    })
}
