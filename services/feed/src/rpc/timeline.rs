//! Read posts: lists, single posts, search, and the activity of a member.

use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, pb};
use crate::{
    convert::{ActivityQuery, PageRequest, parse_post_id, parse_post_ids, parse_search},
    error::Error,
    posts::Post,
    search,
    timeline::{self, PostOrder, activity},
};

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListPostsRequest>,
) -> RpcResult<pb::ListPostsResponse> {
    // Only members read the posts of a community.
    let viewer = match request.get_ref().community_id {
        Some(_) => Some(Actor::member(&request)?),
        None => Actor::viewer(&request)?,
    };
    let PageRequest { query, size }: PageRequest<PostOrder> = request.into_inner().try_into().map_err(Error::from)?;
    let page = timeline::list(&mut *service.connection().await?, viewer, query, size, service.clock.now()).await?;
    record_impressions(service, viewer, &page.rows);
    let (posts, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListPostsResponse { posts, next_page_token }))
}

pub(super) async fn get(service: &FeedService, request: Request<pb::GetPostRequest>) -> RpcResult<pb::GetPostResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let post = timeline::get(&mut *service.connection().await?, viewer, id).await?;
    record_impressions(service, viewer, std::slice::from_ref(&post));
    Ok(Response::new(pb::GetPostResponse { post: Some(post.into()) }))
}

pub(super) async fn batch_get(
    service: &FeedService,
    request: Request<pb::BatchGetPostsRequest>,
) -> RpcResult<pb::BatchGetPostsResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = parse_post_ids(request.get_ref()).map_err(Error::from)?;
    let posts = timeline::batch_get(&mut *service.connection().await?, viewer, &ids).await.map_err(Error::from)?;
    record_impressions(service, viewer, &posts);
    Ok(Response::new(pb::BatchGetPostsResponse { posts: posts.into_iter().map(Into::into).collect() }))
}

pub(super) async fn search(
    service: &FeedService,
    request: Request<pb::SearchPostsRequest>,
) -> RpcResult<pb::SearchPostsResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = parse_search(&request.into_inner()).map_err(Error::from)?;
    let page = search::posts(&mut *service.connection().await?, query, viewer).await?;
    let (posts, next_page_token, terms) = page.into_wire();
    Ok(Response::new(pb::SearchPostsResponse { posts, next_page_token, terms }))
}

pub(super) async fn list_activity(
    service: &FeedService,
    request: Request<pb::ListActivityRequest>,
) -> RpcResult<pb::ListActivityResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<ActivityQuery> =
        request.into_inner().try_into().map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let page = activity::list(db, viewer, query.member_id, size, query.after).await?;
    let (activities, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListActivityResponse { activities, next_page_token }))
}

fn record_impressions(service: &FeedService, viewer: Option<Uuid>, posts: &[Post]) {
    let posts = posts.iter().map(|post| (post.author_id, post.id));
    service.impressions.record(viewer, posts, service.clock.now());
}
