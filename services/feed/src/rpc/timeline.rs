//! Read posts: lists, single posts, search, and the activity of a member.

use std::{collections::HashMap, sync::Arc};

use portia_proto::feed::activity::Action;
use primitives::input::Page;
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, mentions, pb};
use crate::{
    comments::own_reaction,
    convert::{ActivityQuery, PageRequest, parse_post_id, parse_post_ids, parse_post_list, parse_search},
    error::Error,
    posts::{Community, Post},
    reactions::ReactionKind,
    timeline::{self, PostOrder, activity, bodies::Body, search, versions::ListedPost},
};

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListPostsRequest>,
) -> RpcResult<pb::ListPostsResponse> {
    // Only members have feeds and read the posts of a community.
    let needs_member =
        request.get_ref().community_id.is_some() || request.get_ref().feed() != pb::FeedKind::Unspecified;
    let viewer = if needs_member { Some(Actor::member(&request)?) } else { Actor::viewer(&request)? };
    let PageRequest { query, size } = parse_post_list(request.get_ref(), viewer).map_err(Error::from)?;
    let db = &mut *match query {
        PostOrder::Relevant(_) => service.connection_of_memory().await?,
        _ => service.connection().await?,
    };
    let now = service.clock.now();
    let mut listed = timeline::list(db, &service.relevance, viewer, query, size, now).await?;
    if request.get_ref().without_bodies {
        match listed.unfiltered() {
            Ok(Page { rows, next_page_token }) => {
                record_listed(service, viewer, &rows);
                let (posts, bodies) = service.bodies.page(db, viewer, rows).await.map_err(Error::from)?;
                let bodies = with_mentions(db, &bodies).await?;
                let posts = posts.into_iter().map(|(post, own)| match own {
                    Some(own) => own.into(),
                    None => without_body(viewer, post),
                });
                let mut posts: Vec<pb::Post> = posts.collect();
                mentions::add_to_posts(db, viewer, &mut posts).await?;
                return Ok(Response::new(pb::ListPostsResponse { posts, next_page_token, bodies }));
            }
            Err(other) => listed = other,
        }
    }
    let page =
        timeline::complete(db, (&service.relevance, &service.bodies), viewer, (query, size), now, listed).await?;
    record_impressions(service, viewer, &page.rows);
    let (mut posts, next_page_token) = page.into_wire();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
    Ok(Response::new(pb::ListPostsResponse { posts, next_page_token, bodies: Vec::new() }))
}

pub(super) async fn get(service: &FeedService, request: Request<pb::GetPostRequest>) -> RpcResult<pb::GetPostResponse> {
    let viewer = Actor::viewer(&request)?;
    let pb::GetPostRequest { post_id, known_version } = request.get_ref();
    let id = parse_post_id(post_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let (listed, blocked) = timeline::version(db, viewer, id).await?;
    if let Some(known) = known_version
        && !listed.has_left()
    {
        let is_known = *known == listed.version.to_bytes();
        let is_needed = !is_known || !blocked.is_empty();
        let body = if is_needed { service.bodies.whole_body(db, &listed).await.map_err(Error::from)? } else { None };
        if body.as_ref().map_or(!is_needed, |body| !body.names(&blocked)) {
            record_listed(service, viewer, std::slice::from_ref(&listed));
            let body = body.filter(|_| !is_known);
            let body = with_mentions(db, body.as_slice()).await?.pop();
            return Ok(Response::new(pb::GetPostResponse { post: Some(without_body(viewer, listed)), body }));
        }
    }
    let post = timeline::get_listed(db, &service.bodies, viewer, listed).await?;
    record_impressions(service, viewer, std::slice::from_ref(&post));
    let post = mentions::of_post(db, viewer, post).await?;
    Ok(Response::new(pb::GetPostResponse { post: Some(post), body: None }))
}

pub(super) async fn batch_get(
    service: &FeedService,
    request: Request<pb::BatchGetPostsRequest>,
) -> RpcResult<pb::BatchGetPostsResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = parse_post_ids(&request.get_ref().post_ids).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let posts = timeline::batch_get(db, viewer, &ids).await.map_err(Error::from)?;
    record_impressions(service, viewer, &posts);
    let mut posts: Vec<pb::Post> = posts.into_iter().map(Into::into).collect();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
    Ok(Response::new(pb::BatchGetPostsResponse { posts }))
}

/// Returns posts without their bodies, and the bodies separately. Records no impressions, because the list did.
pub(super) async fn batch_get_bodies(
    service: &FeedService,
    request: Request<pb::BatchGetPostBodiesRequest>,
) -> RpcResult<pb::BatchGetPostBodiesResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = parse_post_ids(&request.get_ref().post_ids).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let listed = timeline::versions(db, viewer, &ids).await.map_err(Error::from)?;
    let read = service.bodies.with_bodies(db, viewer, listed).await;
    let (with_bodies, others) = read.map_err(Error::from)?;
    let mut posts: Vec<pb::Post> = others.into_iter().map(Into::into).collect();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
    let bodies: Vec<Arc<Body>> = with_bodies.iter().map(|(_, body)| Arc::clone(body)).collect();
    let bodies = with_mentions(db, &bodies).await?;
    posts.extend(with_bodies.into_iter().map(|(post, _)| without_body(viewer, post)));
    Ok(Response::new(pb::BatchGetPostBodiesResponse { posts, bodies }))
}

/// Converts bodies with their versions and the mentions that every visitor sees.
async fn with_mentions(db: &mut PgConnection, bodies: &[Arc<Body>]) -> Result<Vec<pb::Post>, Error> {
    let bodies = bodies.iter();
    let bodies = bodies.map(|body| pb::Post { version: body.version().to_bytes(), ..body.post().clone().into() });
    let mut bodies: Vec<pb::Post> = bodies.collect();
    mentions::add_to_posts(db, None, &mut bodies).await?;
    Ok(bodies)
}

/// Returns the comments to which the viewer reacted, without their content.
pub(super) fn reacted(viewer: Option<Uuid>, kinds: HashMap<Uuid, ReactionKind>) -> impl Iterator<Item = pb::Comment> {
    kinds.into_iter().map(move |(id, kind)| pb::Comment {
        id: id.to_string(),
        reactions: own_reaction(viewer, Some(kind)).into_iter().map(Into::into).collect(),
        ..Default::default()
    })
}

/// Converts the parts of a post that differ between viewers.
fn without_body(viewer: Option<Uuid>, post: ListedPost) -> pb::Post {
    let reaction = |kind| own_reaction(viewer, Some(kind)).map(pb::Reaction::from);
    let comments = reacted(viewer, post.comment_kinds);
    let name = post.community_name.unwrap_or_default();
    pb::Post {
        id: post.id.to_string(),
        author_id: post.author_id.to_string(),
        reactions: post.my_kind.and_then(reaction).into_iter().collect(),
        comments: comments.collect(),
        community: post.community_id.map(|id| Community { id, name }.into()),
        version: post.version.to_bytes(),
        ..Default::default()
    }
}

pub(super) async fn search(
    service: &FeedService,
    request: Request<pb::SearchPostsRequest>,
) -> RpcResult<pb::SearchPostsResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = parse_search(&request.into_inner()).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let page = search::posts(db, query, viewer).await?;
    let (mut posts, next_page_token, terms) = page.into_wire();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
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
    let (mut activities, next_page_token): (Vec<pb::Activity>, _) = page.into_wire();
    let comments = activities.iter_mut().filter_map(|activity| match &mut activity.action {
        Some(Action::Commented(comment)) => Some(comment),
        _ => None,
    });
    mentions::add_to_comments(db, viewer, comments).await?;
    Ok(Response::new(pb::ListActivityResponse { activities, next_page_token }))
}

fn record_listed(service: &FeedService, viewer: Option<Uuid>, posts: &[ListedPost]) {
    let posts = posts.iter().map(|post| (post.author_id, post.id));
    service.impressions.record(viewer, posts, service.clock.now());
}

pub(super) fn record_impressions(service: &FeedService, viewer: Option<Uuid>, posts: &[Post]) {
    let posts = posts.iter().map(|post| (post.author_id, post.id));
    service.impressions.record(viewer, posts, service.clock.now());
}
