//! Hide posts, mute, and explain why a list contains a post.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, mentions, pb};
use crate::{
    convert::{PageRequest, parse_mute, parse_mute_id, parse_post_id},
    cursors::HiddenPostsCursor,
    error::Error,
    hidden_posts, mutes, reasons,
};

pub(super) async fn list_reasons(
    service: &FeedService,
    request: Request<pb::ListPostReasonsRequest>,
) -> RpcResult<pb::ListPostReasonsResponse> {
    let member = Actor::member(&request)?;
    let id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let reasons = reasons::list(&mut *service.connection().await?, member, id, service.clock.now()).await?;
    Ok(Response::new(pb::ListPostReasonsResponse { reasons: reasons.into_iter().map(Into::into).collect() }))
}

pub(super) async fn hide_post(
    service: &FeedService,
    request: Request<pb::HidePostRequest>,
) -> RpcResult<pb::HidePostResponse> {
    let member = Actor::member(&request)?;
    let pb::HidePostRequest { post_id, not_interested } = request.into_inner();
    let id = parse_post_id(&post_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    hidden_posts::hide(&mut service.work(&mut tx), member, id, not_interested).await?;
    commit(tx).await?;
    Ok(Response::new(pb::HidePostResponse {}))
}

pub(super) async fn unhide_post(
    service: &FeedService,
    request: Request<pb::UnhidePostRequest>,
) -> RpcResult<pb::UnhidePostResponse> {
    let member = Actor::member(&request)?;
    let id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    hidden_posts::unhide(&mut tx, member, id).await.map_err(Error::from)?;
    commit(tx).await?;
    Ok(Response::new(pb::UnhidePostResponse {}))
}

pub(super) async fn list_hidden_posts(
    service: &FeedService,
    request: Request<pb::ListHiddenPostsRequest>,
) -> RpcResult<pb::ListHiddenPostsResponse> {
    let member = Actor::member(&request)?;
    let PageRequest { query, size }: PageRequest<HiddenPostsCursor> =
        request.into_inner().try_into().map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let page = hidden_posts::list(db, member, size, query).await?;
    let (mut hidden, next_page_token): (Vec<pb::HiddenPost>, _) = page.into_wire();
    let mut posts: Vec<pb::Post> = hidden.iter_mut().filter_map(|hidden| hidden.post.take()).collect();
    mentions::add_to_posts(db, Some(member), &mut posts).await?;
    let posts = hidden.into_iter().zip(posts).map(|(hidden, post)| pb::HiddenPost { post: Some(post), ..hidden });
    Ok(Response::new(pb::ListHiddenPostsResponse { posts: posts.collect(), next_page_token }))
}

pub(super) async fn create_mute(
    service: &FeedService,
    request: Request<pb::CreateMuteRequest>,
) -> RpcResult<pb::CreateMuteResponse> {
    let member = Actor::member(&request)?;
    let new = parse_mute(member, request.get_ref()).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let (mute, created) = mutes::create(&mut service.work(&mut tx), member, &new).await?;
    commit(tx).await?;
    Ok(Response::new(pb::CreateMuteResponse { mute: Some(mute.into()), created }))
}

pub(super) async fn delete_mute(
    service: &FeedService,
    request: Request<pb::DeleteMuteRequest>,
) -> RpcResult<pb::DeleteMuteResponse> {
    let member = Actor::member(&request)?;
    let id = parse_mute_id(&request.get_ref().mute_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    mutes::delete(&mut tx, member, id).await.map_err(Error::from)?;
    commit(tx).await?;
    Ok(Response::new(pb::DeleteMuteResponse {}))
}

pub(super) async fn list_mutes(
    service: &FeedService,
    request: Request<pb::ListMutesRequest>,
) -> RpcResult<pb::ListMutesResponse> {
    let member = Actor::member(&request)?;
    let db = &mut *service.connection().await?;
    let mutes = mutes::list(db, member, service.clock.now()).await.map_err(Error::from)?;
    Ok(Response::new(pb::ListMutesResponse { mutes: mutes.into_iter().map(Into::into).collect() }))
}
