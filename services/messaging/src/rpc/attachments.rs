//! Upload and download the attachments of messages.

use std::pin::Pin;

use futures::{Stream, StreamExt as _, stream};
use idempotency::{Claim, hash};
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{MessagingService, RpcResult, commit, pb};
use crate::{
    attachments::{
        read::{self, Attachment},
        upload::{self, Upload},
    },
    convert::{IdempotentUpload, parse_file_upload, parse_picture_upload, parse_selection},
    error::Error,
};

/// The longer side of a picture, in pixels.
const PICTURE_SIZE: u32 = 1_600;

/// The stream of a download.
pub type AttachmentStream = Pin<Box<dyn Stream<Item = Result<pb::DownloadAttachmentResponse, Status>> + Send>>;

pub(super) async fn upload_picture(
    service: &MessagingService,
    request: Request<Streaming<pb::UploadPictureRequest>>,
) -> RpcResult<pb::UploadPictureResponse> {
    let member = Actor::member(&request)?;
    let IdempotentUpload { body: raw, key } = parse_picture_upload(request.into_inner()).await?;
    let body_hash = hash(&[&raw]);
    let picture = service.encoder.reencode(raw.into(), PICTURE_SIZE).await.map_err(Error::from)?;
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let (width, height) = (side(picture.width), side(picture.height));
    let resource = service.ids.owned_by(member);
    let claim = Claim { member, route: "UploadPicture", key: key.as_ref(), body_hash, resource };
    let id = store(service, &claim, &Upload::Picture(picture)).await?;
    Ok(Response::new(pb::UploadPictureResponse { picture_id: id.to_string(), width, height }))
}

pub(super) async fn upload_file(
    service: &MessagingService,
    request: Request<Streaming<pb::UploadFileRequest>>,
) -> RpcResult<pb::UploadFileResponse> {
    let member = Actor::member(&request)?;
    let IdempotentUpload { body: file, key } = parse_file_upload(request.into_inner()).await?;
    let (name, size) = (file.name.clone(), file.size());
    let body_hash = hash(&[file.name.as_bytes(), &file.bytes]);
    let resource = service.ids.owned_by(member);
    let claim = Claim { member, route: "UploadFile", key: key.as_ref(), body_hash, resource };
    let id = store(service, &claim, &Upload::File(file)).await?;
    Ok(Response::new(pb::UploadFileResponse { file_id: id.to_string(), name, size }))
}

/// Stores the upload of a claim, and returns its id: that of the first request with the key.
async fn store(service: &MessagingService, claim: &Claim<'_>, upload: &Upload) -> Result<Uuid, Error> {
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let id = service.keys.claim(&mut tx, claim, now).await?.unwrap_or(claim.resource);
    upload::store(&mut tx, id, claim.member, upload, now).await?;
    commit(tx).await?;
    Ok(id)
}

pub(super) async fn download(
    service: &MessagingService,
    request: Request<pb::DownloadAttachmentRequest>,
) -> RpcResult<AttachmentStream> {
    let member = Actor::member(&request)?;
    let (message, selection) = parse_selection(request.get_ref())?;
    let found = read::find(&mut *service.connection().await?, member, message, selection).await?;
    let Attachment { id, name, size } = found;
    let attachment = Some(pb::DownloadedAttachment { name: name.unwrap_or_default(), size });
    let first = pb::DownloadAttachmentResponse { attachment, chunk: Vec::new() };
    Ok(Response::new(Box::pin(stream::iter([Ok(first)]).chain(chunks(service.db.clone(), id)))))
}

/// Reads a chunk when the reader takes it. A slow reader holds no connection, and one chunk of memory.
fn chunks(db: PgPool, id: Uuid) -> impl Stream<Item = Result<pb::DownloadAttachmentResponse, Status>> + Send {
    stream::try_unfold(0_i32, move |offset| {
        let db = db.clone();
        async move {
            let mut connection = db.acquire().await.map_err(Error::from)?;
            let chunk = read::read_chunk(&mut connection, id, offset).await?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { return Ok(None) };
            Ok(Some((pb::DownloadAttachmentResponse { attachment: None, chunk }, offset.saturating_add(read))))
        }
    })
}
