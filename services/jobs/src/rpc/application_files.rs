//! RPCs of the files of the caller's applications.

use std::pin::Pin;

use db::begin;
use futures::{Stream, StreamExt as _, stream};
use portia_proto::jobs as pb;
use rpc::identity::Actor;
use sqlx::PgPool;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{JobsService, RpcResult};
use crate::{
    applications::{
        self, Application,
        files::{self, FileOf, NewFile},
    },
    convert::{file_of, parse_upload},
    error::Error,
    publishing,
};

/// The stream of a download.
pub type FileStream = Pin<Box<dyn Stream<Item = Result<pb::DownloadApplicationFileResponse, Status>> + Send>>;

pub(super) async fn upload(
    service: &JobsService,
    request: Request<Streaming<pb::UploadApplicationFileRequest>>,
) -> RpcResult<pb::UploadApplicationFileResponse> {
    let member = Actor::member(&request)?;
    let new = parse_upload(request.into_inner()).await?;
    let application = put(service, member, &new).await?;
    Ok(Response::new(pb::UploadApplicationFileResponse { application: Some(application.into()) }))
}

async fn put(service: &JobsService, member: Uuid, new: &NewFile) -> Result<Application, Error> {
    let (id, now) = (service.ids.owned_by(member), service.clock.now());
    let mut tx = begin(&service.db).await?;
    files::put(&mut tx, id, member, new, now).await?;
    publishing::publish_application_changed(&mut tx, &service.outbox, new.of.application, member, now).await?;
    let application = applications::get(&mut tx, member, new.of.application, now).await?;
    tx.commit().await?;
    Ok(application)
}

pub(super) async fn delete(
    service: &JobsService,
    request: Request<pb::DeleteApplicationFileRequest>,
) -> RpcResult<pb::DeleteApplicationFileResponse> {
    let member = Actor::member(&request)?;
    let request = request.into_inner();
    let of = file_of(&request.application_id, request.kind)?;
    let application = remove(service, member, &of).await?;
    Ok(Response::new(pb::DeleteApplicationFileResponse { application: Some(application.into()) }))
}

async fn remove(service: &JobsService, member: Uuid, of: &FileOf) -> Result<Application, Error> {
    let now = service.clock.now();
    let mut tx = begin(&service.db).await?;
    if files::delete(&mut tx, member, of).await? {
        publishing::publish_application_changed(&mut tx, &service.outbox, of.application, member, now).await?;
    }
    let application = applications::get(&mut tx, member, of.application, now).await?;
    tx.commit().await?;
    Ok(application)
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
