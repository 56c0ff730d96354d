//! Upload and download PDF files of posts.

use std::pin::Pin;

use futures::{Stream, StreamExt as _, stream};
use idempotency::Claim;
use primitives::input::PdfFile;
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    convert::{IdempotentRequest, parse_pdf_upload, parse_post_id},
    error::Error,
    pdf_files::{self, UploadedPdf},
};

/// The stream of a download.
pub type PdfStream = Pin<Box<dyn Stream<Item = Result<pb::DownloadPdfResponse, Status>> + Send>>;

pub(super) async fn upload(
    service: &FeedService,
    request: Request<Streaming<pb::UploadPdfRequest>>,
) -> RpcResult<pb::UploadPdfResponse> {
    let member = Actor::member(&request)?;
    let upload = parse_pdf_upload(request.into_inner()).await?;
    let stored = store(service, member, &upload).await?;
    Ok(Response::new(pb::UploadPdfResponse { pdf_id: stored.id.to_string(), name: stored.name, size: stored.size }))
}

async fn store(
    service: &FeedService,
    member: Uuid,
    IdempotentRequest { body: file, key }: &IdempotentRequest<PdfFile>,
) -> Result<UploadedPdf, Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let id = work.ids.owned_by(member);
    let claim = Claim { member, route: "UploadPdf", key: key.as_ref(), resource: id };
    let stored = match service.keys.claim(work.db, &claim, work.now).await? {
        Some(earlier) => pdf_files::get(work.db, earlier, member).await?,
        None => pdf_files::insert(work, id, member, file).await?,
    };
    commit(tx).await?;
    Ok(stored)
}

pub(super) async fn download(service: &FeedService, request: Request<pb::DownloadPdfRequest>) -> RpcResult<PdfStream> {
    let viewer = Actor::viewer(&request)?;
    let post_id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let UploadedPdf { id, name, size } = pdf_files::find(&mut *service.connection().await?, viewer, post_id).await?;
    let first = pb::DownloadPdfResponse { pdf: Some(pb::Pdf { name, size }), chunk: Vec::new() };
    Ok(Response::new(Box::pin(stream::iter([Ok(first)]).chain(chunks(PgPool::clone(&service.db), id)))))
}

/// Reads a chunk when the client takes it. A slow client holds one chunk of memory and no connection.
fn chunks(db: PgPool, id: Uuid) -> impl Stream<Item = Result<pb::DownloadPdfResponse, Status>> + Send {
    stream::try_unfold(0_i32, move |offset| {
        let db = db.clone();
        async move {
            let mut connection = db.acquire().await.map_err(Error::from)?;
            let chunk = pdf_files::read_chunk(&mut connection, id, offset).await?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { return Ok(None) };
            Ok(Some((pb::DownloadPdfResponse { pdf: None, chunk }, offset.saturating_add(read))))
        }
    })
}
