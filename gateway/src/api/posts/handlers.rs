//! Posts: list, get, create, update and delete.

use axum::extract::State;
use http::Uri;
use portia_proto::feed::{self as pb, CreatePostRequest, ListPostsRequest, PostSort, UpdatePostRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfPost;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::signed_addresses::SignedAddresses;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::{
        posts::bodies::{self, PostBodies, ShownPost},
        posts::requests::{CreatePost, FeedKind, FeedSort, UpdatePost},
        posts::views::{Post, people_of},
    },
    edge::{
        answer::{ApiResponse, JsonText},
        authentication::{Caller, Member},
        extract::{Body, Id, IdempotencyKey, Params, unless_empty},
        problem::Problem,
    },
};

/// The query of `listPosts`.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListPostsQuery {
    /// The order; `relevant` by default. The posts of one member or community are always newest first.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    sort: Option<FeedSort>,
    /// A feed of the caller: `relevant` and `top` are the sorts of these names, the others are for members and newest first. With a
    /// `sort`, it must be that order.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    feed: Option<FeedKind>,
    /// Only posts of this member.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    user_id: Option<String>,
    /// Only posts in this community. For its members.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(nullable = false)]
    community_id: Option<String>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of posts per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Lists posts.
#[utoipa::path(get, path = "/api/posts", operation_id = "listPosts", tag = "posts", params(ListPostsQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Post])))]
pub async fn list(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    State(bodies): State<PostBodies>,
    caller: Caller,
    uri: Uri,
    Params(query): Params<ListPostsQuery>,
) -> Result<ApiResponse<JsonText>, Problem> {
    let mut kind = pb::FeedKind::Unspecified;
    let sort = match (&query.user_id, &query.community_id) {
        (None, None) => {
            let (sort, feed) = order(query.sort, query.feed, caller.member.is_some())?;
            kind = feed;
            sort
        }
        _ if query.feed.is_some() => {
            return Err(Problem::field("feed", "Ask for a feed, a member's posts or a community's."));
        }
        (Some(_), Some(_)) => return Err(Problem::field("communityId", "Ask for a member's posts or a community's.")),
        (None, Some(_)) if caller.member.is_none() => return Err(Problem::sign_in("Sign in required")),
        _ => PostSort::Recent,
    };
    let request = ListPostsRequest {
        sort: sort.into(),
        author_id: query.user_id,
        community_id: query.community_id,
        page_size: query.limit,
        page_token: query.cursor,
        feed: kind.into(),
        without_bodies: true,
    };
    let page = feed.list_posts(caller.call.request(request)?).await;
    let page = page.map_err(|status| Problem::from(status).renamed("authorId", "userId"))?.into_inner();
    let posts = bodies.complete(&caller.call, page.posts, page.bodies).await?;
    let people = members.cards(&caller.call, posts.iter().flat_map(ShownPost::people)).await;
    let posts = bodies::list(posts, &people, addresses.given_to(caller.member))?;
    Ok(ApiResponse::ok(posts).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// The sort of a list, and the feed if it needs a member.
fn order(sort: Option<FeedSort>, feed: Option<FeedKind>, is_member: bool) -> Result<(PostSort, pb::FeedKind), Problem> {
    let Some(feed) = feed else { return Ok((sort.unwrap_or_default().into(), pb::FeedKind::Unspecified)) };
    let (expected, kind) = match feed {
        FeedKind::Relevant => (PostSort::Relevant, pb::FeedKind::Unspecified),
        FeedKind::Top => (PostSort::Top, pb::FeedKind::Unspecified),
        _ if !is_member => return Err(Problem::sign_in("Sign in required")),
        FeedKind::Following | FeedKind::School | FeedKind::Community => (PostSort::Recent, feed.into()),
    };
    if sort.is_some_and(|sort| PostSort::from(sort) != expected) {
        return Err(Problem::field("sort", "This feed has one order. Ask for it without a sort."));
    }
    Ok((expected, kind))
}

/// Returns a post.
#[utoipa::path(get, path = "/api/posts/{id}", operation_id = "getPost", tag = "posts",
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, description = "The post.", body = Post)))]
pub async fn get(
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    State(bodies): State<PostBodies>,
    caller: Caller,
    id: Id<OfPost>,
) -> Result<ApiResponse<JsonText>, Problem> {
    let post = bodies.single(&caller.call, id.0).await?;
    let people = members.cards(&caller.call, post.people()).await;
    let post = bodies::json(post, &people, addresses.given_to(caller.member))?;
    Ok(ApiResponse::ok(post).degraded(people.degraded()))
}

/// Updates a post of the signed-in member. `editedAt` is set.
#[utoipa::path(patch, path = "/api/posts/{id}", operation_id = "updatePost", tag = "posts",
    request_body = UpdatePost,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the post.")),
    responses((status = 200, description = "The current state.", body = Post)))]
pub async fn update(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfPost>,
    Body(body): Body<UpdatePost>,
) -> Result<ApiResponse<Post>, Problem> {
    member.limit(&limits, rate_limits::EDITS).await?;
    let UpdatePost { content, title, picture_alt, picture_alts } = body;
    let picture_alts = picture_alts.unwrap_or_default();
    let request = UpdatePostRequest { post_id: id.0.to_string(), content, title, picture_alt, picture_alts };
    let answer = feed.update_post(member.call.request(request)?).await?.into_inner();
    let post = answer.post.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, people_of(&post)).await;
    Ok(ApiResponse::ok(Post::of(post, &people, addresses.given_to(member.id))).degraded(people.degraded()))
}

/// Creates a post, public or in a community of the signed-in member.
#[utoipa::path(post, path = "/api/posts", operation_id = "createPost", tag = "posts",
    request_body = CreatePost,
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the post of the first one, for 24 hours.")),
    responses((status = 201, description = "The new post. `Location` contains its URL.", body = Post)))]
pub async fn create(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    Body(body): Body<CreatePost>,
) -> Result<ApiResponse<Post>, Problem> {
    member.require_self(body.user_id.as_deref())?;
    member.limit(&limits, rate_limits::POSTS).await?;
    let pictures = body.pictures.into_iter().flatten().map(Into::into).collect();
    let CreatePost { content, community_id, title, picture_id, picture_alt, video_url, repost_of, pdf_id, .. } = body;
    let without_link_preview = body.without_link_preview;
    let request = CreatePostRequest {
        content,
        idempotency_key: key.0,
        community_id,
        title,
        picture_id,
        picture_alt,
        video_url,
        repost_of,
        pictures,
        pdf_id,
        without_link_preview,
    };
    let answer = feed.create_post(member.call.request(request)?).await?.into_inner();
    let post = answer.post.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, people_of(&post)).await;
    let path = format!("/api/posts/{}", post.id);
    Ok(ApiResponse::created(Post::of(post, &people, addresses.given_to(member.id)))
        .at(&path)
        .degraded(people.degraded()))
}
