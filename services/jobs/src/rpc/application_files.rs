//! RPCs of the files of the caller's applications.

use std::pin::Pin;

use futures::{Stream, StreamExt as _, stream};
use portia_proto::jobs as pb;
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{JobsService, RpcResult, commit};
use crate::{
    applications::{self, files},
    convert::{file_of, parse_upload},
    error::Error,
};

/// The stream of a download.
pub type FileStream = Pin<Box<dyn Stream<Item = Result<pb::DownloadApplicationFileResponse, Status>> + Send>>;

pub(super) async fn upload(
    service: &JobsService,
    request: Request<Streaming<pb::UploadApplicationFileRequest>>,
) -> RpcResult<pb::UploadApplicationFileResponse> {
    let member = Actor::member(&request)?;
    let new = parse_upload(request.into_inner()).await?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    files::put(work, member, &new).await?;
    let application = applications::get(work.db, member, new.of.application, work.now).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UploadApplicationFileResponse { application: Some(application.into()) }))
}

pub(super) async fn delete(
    service: &JobsService,
    request: Request<pb::DeleteApplicationFileRequest>,
) -> RpcResult<pb::DeleteApplicationFileResponse> {
    let member = Actor::member(&request)?;
    let request = request.into_inner();
    let of = file_of(&request.application_id, request.kind)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    files::delete(work, member, &of).await?;
    let application = applications::get(work.db, member, of.application, work.now).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeleteApplicationFileResponse { application: Some(application.into()) }))
}

pub(super) async fn download(
    service: &JobsService,
    request: Request<pb::DownloadApplicationFileRequest>,
) -> RpcResult<FileStream> {
    let member = Actor::member(&request)?;
    let request = request.into_inner();
    let of = file_of(&request.application_id, request.kind)?;
    let (id, file) = files::find(&mut *service.connection().await?, member, &of).await?;
    let first = pb::DownloadApplicationFileResponse { file: Some(file.into()), chunk: Vec::new() };
    let messages = stream::iter([Ok(first)]).chain(chunks(PgPool::clone(&service.db), id));
    Ok(Response::new(Box::pin(messages)))
}

/// Reads a chunk when the reader takes it. A slow reader holds no connection, and one chunk of memory.
fn chunks(db: PgPool, id: Uuid) -> impl Stream<Item = Result<pb::DownloadApplicationFileResponse, Status>> + Send {
    stream::try_unfold(0_i32, move |offset| {
        let db = db.clone();
        async move {
            let mut connection = db.acquire().await.map_err(Error::from)?;
            let chunk = files::read_chunk(&mut connection, id, offset).await?;
            let Ok(read @ 1..) = i32::try_from(chunk.len()) else { return Ok(None) };
            Ok(Some((pb::DownloadApplicationFileResponse { file: None, chunk }, offset.saturating_add(read))))
        }
    })
}
