//! Members: ensure, get, batch get, search, update and export.

use picture_store::Owner;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{ProfileService, RpcResult, commit, pb};
use crate::{
    convert::{parse_member_id, parse_member_ids, parse_picture, parse_search},
    error::Error,
    export::RecordStream,
    members::{
        self, NewMember,
        bodies::Profile,
        card::{self, MemberUpdate, PictureChange, StoredPicture},
    },
    pictures,
    read_model::blocks,
    search::{self as member_search, NameQuery},
    views::View,
};

/// The longer side of an avatar, in pixels.
const AVATAR_SIZE: u32 = 400;

pub(super) async fn ensure(
    service: &ProfileService,
    request: Request<pb::EnsureMemberRequest>,
) -> RpcResult<pb::EnsureMemberResponse> {
    Actor::require_service(&request, "gateway")?;
    let new = NewMember::try_from(request.into_inner()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    members::ensure(&mut service.work(&mut tx), &new).await?;
    let member = members::get(&mut *tx, new.id, Some(new.id)).await?;
    commit(tx).await?;
    Ok(Response::new(pb::EnsureMemberResponse { member: Some(member.into()) }))
}

pub(super) async fn get(
    service: &ProfileService,
    request: Request<pb::GetMemberRequest>,
) -> RpcResult<pb::GetMemberResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = parse_member_id(&request.get_ref().member_id).map_err(Error::from)?;
    let pb::GetMemberRequest { for_report, known_version, .. } = request.into_inner();
    let mut connection = service.connection().await?;
    let profile = if for_report {
        Profile::Complete(Box::new(members::get_reported(&mut *connection, id, viewer).await?), None)
    } else {
        service.profiles.get(&mut connection, id, viewer, &known_version).await?
    };
    drop(connection);
    if let Some(viewer_id) = viewer.filter(|_| !profile.is_restricted() && !for_report) {
        service.views.record(View { member_id: id, viewer_id, day: service.clock.now().date_naive() });
    }
    Ok(Response::new(profile.into_response(viewer == Some(id))))
}

pub(super) async fn check_picture(
    service: &ProfileService,
    request: Request<pb::CheckPictureRequest>,
) -> RpcResult<pb::CheckPictureResponse> {
    Actor::require_service(&request, "gateway")?;
    let (name, viewer) = parse_picture(request.get_ref()).map_err(Error::from)?;
    let visible = pictures::is_visible(&mut *service.connection().await?, &name, viewer).await?;
    Ok(Response::new(pb::CheckPictureResponse { visible }))
}

pub(super) async fn batch_get(
    service: &ProfileService,
    request: Request<pb::BatchGetMembersRequest>,
) -> RpcResult<pb::BatchGetMembersResponse> {
    let viewer = Actor::viewer(&request)?;
    let mut ids = parse_member_ids(&request.get_ref().member_ids).map_err(Error::from)?;
    let mut connection = service.connection().await?;
    if let Some(viewer) = viewer.filter(|_| request.get_ref().visible_to_actor) {
        let hidden = blocks::list_separated(&mut connection, viewer, &ids).await?;
        ids.retain(|id| !hidden.contains(id));
    }
    let cards = members::list::batch_get_cards(&mut connection, &ids, viewer).await?;
    Ok(Response::new(pb::BatchGetMembersResponse { members: cards.into_iter().map(Into::into).collect() }))
}

pub(super) async fn match_names(
    service: &ProfileService,
    request: Request<pb::MatchNamesRequest>,
) -> RpcResult<pb::MatchNamesResponse> {
    Actor::of(&request)?;
    let query = NameQuery::try_from(request.into_inner()).map_err(Error::from)?;
    let ids = member_search::match_names(&mut *service.connection().await?, &query).await?;
    Ok(Response::new(pb::MatchNamesResponse { member_ids: ids.iter().map(ToString::to_string).collect() }))
}

pub(super) async fn search(
    service: &ProfileService,
    request: Request<pb::SearchMembersRequest>,
) -> RpcResult<pb::SearchMembersResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = parse_search(&request.into_inner()).map_err(Error::from)?;
    let mut connection = service.connection().await?;
    let page = member_search::members(&mut connection, &service.search_cards, &query, viewer).await?;
    let (members, next_page_token, terms) = page.into_wire();
    Ok(Response::new(pb::SearchMembersResponse { members, next_page_token, terms }))
}

pub(super) async fn update(
    service: &ProfileService,
    request: Request<pb::UpdateMemberRequest>,
) -> RpcResult<pb::UpdateMemberResponse> {
    let id = Actor::member(&request)?;
    let update = MemberUpdate::parse(request.into_inner(), service.clock.now());
    let MemberUpdate { changes, picture } = update.map_err(Error::from)?;
    let picture = store_picture(service, id, picture).await?;
    let mut tx = service.begin().await?;
    card::update(&mut service.work(&mut tx), id, changes, picture).await?;
    let member = members::get(&mut *tx, id, Some(id)).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateMemberResponse { member: Some(member.into()) }))
}

pub(super) async fn export(
    service: &ProfileService,
    request: Request<pb::ExportMemberRequest>,
) -> RpcResult<RecordStream> {
    let member = Actor::member(&request)?;
    Ok(Response::new(service.exports.stream(member)))
}

/// Puts an uploaded file into the picture store, outside any transaction.
async fn store_picture(service: &ProfileService, id: Uuid, picture: PictureChange) -> Result<StoredPicture, Error> {
    let file = match picture {
        PictureChange::Unchanged => return Ok(StoredPicture::Unchanged),
        PictureChange::Same(address) => return Ok(StoredPicture::Same(address)),
        PictureChange::Cleared => return Ok(StoredPicture::Cleared),
        PictureChange::File(file) => file,
    };
    let picture = service.pictures.prepare(Owner { service: "profile", id }, id, file, AVATAR_SIZE).await?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    pictures::claim(work.db, &picture.name, id, work.now).await?;
    commit(tx).await?;
    service.pictures.put(&picture).await?;
    Ok(StoredPicture::Object(picture.name))
}
