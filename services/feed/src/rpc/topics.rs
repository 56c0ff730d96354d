//! Follow and unfollow topics; list their posts and the trending topics.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, mentions, pb};
use crate::{
    convert::{PageRequest, TopicQuery, parse_topic},
    error::Error,
    timeline, topics,
};

pub(super) async fn list_posts(
    service: &FeedService,
    request: Request<pb::ListTopicPostsRequest>,
) -> RpcResult<pb::ListTopicPostsResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<TopicQuery> = request.into_inner().try_into().map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let page = timeline::list_by_topic(db, &service.bodies, viewer, &query.topic, size, query.after);
    let page = page.await.map_err(Error::from)?;
    super::timeline::record_impressions(service, viewer, &page.rows);
    let (mut posts, next_page_token) = page.into_wire();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
    Ok(Response::new(pb::ListTopicPostsResponse { posts, next_page_token }))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListTopicsRequest>,
) -> RpcResult<pb::ListTopicsResponse> {
    let viewer = Actor::viewer(&request)?;
    let db = &mut *service.connection().await?;
    let followed = match viewer {
        Some(member) => topics::list_followed(db, member).await.map_err(Error::from)?,
        None => Vec::new(),
    };
    let trending = topics::list_trending(db, viewer, service.clock.now()).await.map_err(Error::from)?;
    Ok(Response::new(pb::ListTopicsResponse { followed, trending: trending.into_iter().map(Into::into).collect() }))
}

pub(super) async fn follow(
    service: &FeedService,
    request: Request<pb::FollowTopicRequest>,
) -> RpcResult<pb::FollowTopicResponse> {
    let member = Actor::member(&request)?;
    let topic = parse_topic(&request.get_ref().topic).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    topics::follow(&mut service.work(&mut tx), member, &topic).await?;
    commit(tx).await?;
    Ok(Response::new(pb::FollowTopicResponse {}))
}

pub(super) async fn unfollow(
    service: &FeedService,
    request: Request<pb::UnfollowTopicRequest>,
) -> RpcResult<pb::UnfollowTopicResponse> {
    let member = Actor::member(&request)?;
    let topic = parse_topic(&request.get_ref().topic).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    topics::unfollow(&mut tx, member, &topic).await.map_err(Error::from)?;
    commit(tx).await?;
    Ok(Response::new(pb::UnfollowTopicResponse {}))
}
