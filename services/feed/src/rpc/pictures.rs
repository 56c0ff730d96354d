//! Upload pictures of posts, and check who may see them.

use idempotency::Claim;
use picture_store::{Name, Owner, Picture};
use rpc::identity::Actor;
use tonic::{Request, Response, Streaming};
use uuid::Uuid;

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    convert::{IdempotentRequest, parse_picture, parse_upload},
    error::Error,
    pictures::{self, UploadedPicture},
};

/// The longer side of a post's picture, in pixels.
const PICTURE_SIZE: u32 = 1_600;

pub(super) async fn upload(
    service: &FeedService,
    request: Request<Streaming<pb::UploadPictureRequest>>,
) -> RpcResult<pb::UploadPictureResponse> {
    let member = Actor::member(&request)?;
    let upload = parse_upload(request.into_inner()).await?;
    let picture = store_picture(service, member, upload).await?;
    Ok(Response::new(picture.into()))
}

pub(super) async fn check(
    service: &FeedService,
    request: Request<pb::CheckPictureRequest>,
) -> RpcResult<pb::CheckPictureResponse> {
    Actor::require_service(&request, "gateway")?;
    let (name, viewer) = parse_picture(request.get_ref()).map_err(Error::from)?;
    let mut connection = service.connection().await?;
    let visible = pictures::is_visible(&mut connection, &name, viewer, service.clock.now()).await?;
    Ok(Response::new(pb::CheckPictureResponse { visible }))
}

/// Commits the row before it stores the object, so that the cleanup finds every object after a crash.
async fn store_picture(
    service: &FeedService,
    member: Uuid,
    IdempotentRequest { body: file, key }: IdempotentRequest<Vec<u8>>,
) -> Result<UploadedPicture, Error> {
    let id = service.changes.ids.owned_by(member);
    let claim = Claim { member, route: "UploadPicture", key: key.as_ref(), resource: id };
    let picture = service.pictures.prepare(Owner { service: "feed", id }, member, file.into(), PICTURE_SIZE).await?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let uploaded = match service.keys.claim(work.db, &claim, work.now).await? {
        Some(earlier) => pictures::renew(work, earlier, member).await?,
        None => pictures::insert(work, id, member, &picture).await?,
    };
    commit(tx).await?;
    if uploaded.post_id.is_none() {
        // The earlier request may have crashed before it stored the object. The same file gives the same JPEG.
        let picture = Picture { name: Name::from_hash(&uploaded.hash).unwrap_or(picture.name), ..picture };
        service.pictures.put(&picture).await?;
        // Meanwhile a post may have used the picture and been deleted, and the cleanup may have deleted the row: then it
        // does not know of this object.
        if !pictures::exists(&service.db, uploaded.id).await? {
            service.pictures.delete(&picture.name).await?;
            return Err(Error::KeyReused);
        }
    }
    Ok(uploaded)
}
