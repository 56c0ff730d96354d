//! Topics and their posts.

use axum::extract::{FromRequestParts, Path, State};
use http::{StatusCode, Uri, request::Parts};
use portia_proto::feed::{FollowTopicRequest, ListTopicPostsRequest, UnfollowTopicRequest};

use crate::{
    api::{
        members::cache::MemberCache,
        posts::views::{Post, people_of},
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::{Caller, Member},
        extract::{Paging, Params},
        limits::Limits,
        problem::Problem,
        signed_addresses::SignedAddresses,
        upstreams::FeedClient,
    },
};

/// The `{topic}` of a path. feed validates it.
pub struct TopicPath(String);

impl<S: Send + Sync> FromRequestParts<S> for TopicPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw = Path::<String>::from_request_parts(parts, state).await.ok();
        raw.map(|Path(raw)| Self(raw)).ok_or(Problem::not_found("Topic not found"))
    }
}

/// Lists the posts with a topic, newest first.
#[utoipa::path(get, path = "/api/topics/{topic}/posts", operation_id = "listTopicPosts", tag = "topics",
    params(("topic" = String, Path, description = "The topic: 2 to 50 letters, digits and underscores, compared without case."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Post])))]
pub async fn posts(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    State(addresses): State<SignedAddresses>,
    caller: Caller,
    TopicPath(topic): TopicPath,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Post>>, Problem> {
    let request = ListTopicPostsRequest { topic, page_size: paging.limit, page_token: paging.cursor };
    let page = feed.list_topic_posts(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.posts.iter().flat_map(people_of)).await;
    let signer = addresses.given_to(caller.member);
    let posts = page.posts.into_iter().map(|post| Post::of(post, &people, signer)).collect();
    Ok(ApiResponse::ok(posts).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Follows a topic: at most 100. Succeeds when the member follows it already.
#[utoipa::path(put, path = "/api/topics/{topic}/follow", operation_id = "followTopic", tag = "topics",
    security(("session" = [])),
    params(("topic" = String, Path, description = "The topic.")),
    responses((status = 204, description = "The member follows the topic.")))]
pub async fn follow(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    TopicPath(topic): TopicPath,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    feed.follow_topic(member.call.request(FollowTopicRequest { topic })?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unfollows a topic. Succeeds when the member does not follow it too.
#[utoipa::path(delete, path = "/api/topics/{topic}/follow", operation_id = "unfollowTopic", tag = "topics",
    security(("session" = [])),
    params(("topic" = String, Path, description = "The topic.")),
    responses((status = 204, description = "The member does not follow the topic.")))]
pub async fn unfollow(
    State(mut feed): State<FeedClient>,
    State(limits): State<Limits>,
    member: Member,
    TopicPath(topic): TopicPath,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    feed.unfollow_topic(member.call.request(UnfollowTopicRequest { topic })?).await?;
    Ok(StatusCode::NO_CONTENT)
}
