//! Read posts: lists, single posts, search, and the activity of a member.

use portia_proto::feed::activity::Action;
use primitives::input::Page;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, mentions, pb};
use crate::{
    comments::own_reaction,
    convert::{ActivityQuery, PageRequest, parse_post_id, parse_post_ids, parse_post_list, parse_search},
    error::Error,
    posts::{Community, Post},
    search,
    timeline::{self, activity, versions::ListedPost},
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
    let db = &mut *service.connection().await?;
    let now = service.clock.now();
    let mut listed = timeline::list(db, viewer, query, size, now).await?;
    if request.get_ref().without_bodies {
        match listed.of_bodies() {
            Ok(Page { rows, next_page_token }) => {
                record_listed(service, viewer, &rows);
                let posts = rows.into_iter().map(|post| without_body(viewer, post)).collect();
                return Ok(Response::new(pb::ListPostsResponse { posts, next_page_token }));
            }
            Err(other) => listed = other,
        }
    }
    let page = timeline::complete(db, &service.bodies, viewer, (query, size), now, listed).await?;
    record_impressions(service, viewer, &page.rows);
    let (mut posts, next_page_token) = page.into_wire();
    mentions::add_to_posts(db, viewer, &mut posts).await?;
    Ok(Response::new(pb::ListPostsResponse { posts, next_page_token }))
}

pub(super) async fn get(service: &FeedService, request: Request<pb::GetPostRequest>) -> RpcResult<pb::GetPostResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let post = timeline::get_listed(db, &service.bodies, viewer, id).await?;
    record_impressions(service, viewer, std::slice::from_ref(&post));
    let post = mentions::of_post(db, viewer, post).await?;
    Ok(Response::new(pb::GetPostResponse { post: Some(post) }))
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

/// Posts without their bodies, and these. Not impressions: the list recorded them.
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
    let versions = with_bodies.iter().map(|(post, _)| post.version.to_bytes());
    let bodies = versions.zip(&with_bodies);
    let bodies = bodies.map(|(version, (_, body))| pb::Post { version, ..body.post().clone().into() });
    let mut bodies: Vec<pb::Post> = bodies.collect();
    mentions::add_to_posts(db, None, &mut bodies).await?;
    posts.extend(with_bodies.into_iter().map(|(post, _)| without_body(viewer, post)));
    Ok(Response::new(pb::BatchGetPostBodiesResponse { posts, bodies }))
}

/// The parts of the viewer.
fn without_body(viewer: Option<Uuid>, post: ListedPost) -> pb::Post {
    let reaction = |kind| own_reaction(viewer, Some(kind)).map(pb::Reaction::from);
    let comments = post.comment_kinds.into_iter().map(|(id, kind)| pb::Comment {
        id: id.to_string(),
        reactions: reaction(kind).into_iter().collect(),
        ..Default::default()
    });
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
