//! Sets the interests of a stream, after the services have confirmed what the member may see.

use std::{collections::HashSet, sync::Arc};

use axum::extract::State;
use portia_proto::{
    feed::{BatchGetPostsRequest, Post},
    profile::BatchGetMembersRequest,
    social_graph::{BatchGetCommunitiesRequest, BatchGetEventsRequest, Community, CommunityRole},
};
use uuid::Uuid;

use crate::{
    api::{
        ids::OfStream,
        live::{
            channel::{self, ChannelMessage},
            interests::{Interests, Origin, Topic},
            views::{LivePostVersion, LiveVersions, SetLiveInterests},
        },
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        limits::Limits,
        problem::Problem,
        timestamps::moment,
    },
};

/// The maximum of ids of a stream.
const MAX_IDS: usize = 100;

/// Sets what a stream watches, at most 100 ids in total. What the member may not see is left out silently. The answer
/// contains the state of the posts that are new among the interests.
#[utoipa::path(put, path = "/api/live/{streamId}/interests", operation_id = "setLiveInterests", tag = "live",
    request_body = SetLiveInterests,
    security(("session" = [])),
    params(("streamId" = Uuid, Path, description = "The id from `hello`.")),
    responses((status = 200, description = "The interests are set.", body = LiveVersions)))]
pub async fn set(
    State(gateway): State<Arc<Gateway>>,
    State(limits): State<Limits>,
    member: Member,
    stream: Id<OfStream>,
    Body(wanted): Body<SetLiveInterests>,
) -> Result<ApiResponse<LiveVersions>, Problem> {
    let local = gateway.live.interests(member.id, stream.0);
    if local.is_none() && !channel::is_announced(&gateway.cache, stream.0, member.id).await {
        return Err(Problem::not_found("Stream not found"));
    }
    let Some(wanted) = Wanted::of(wanted) else {
        return Err(Problem::field("posts", format!("At most {MAX_IDS} ids in total.")));
    };
    member.limit(&limits, rate_limits::LIVE_INTERESTS).await?;
    let Confirmed { interests, carried, posts } =
        confirm(&gateway, &member, wanted, &local.unwrap_or_default()).await?;
    if !gateway.live.watch(member.id, stream.0, interests.clone(), &carried) {
        let message = ChannelMessage::Interests(stream.0, interests.into_iter().collect());
        channel::publish(&gateway.cache, member.id, &message).await;
    }
    let posts = posts.into_iter().map(LivePostVersion::from).collect();
    Ok(ApiResponse::ok(LiveVersions { posts }))
}

/// The interests that a client asks for.
struct Wanted {
    posts: HashSet<Uuid>,
    members: HashSet<Uuid>,
    communities: HashSet<Uuid>,
    events: HashSet<Uuid>,
    feed: bool,
}

impl Wanted {
    /// `None` if there are too many.
    fn of(wanted: SetLiveInterests) -> Option<Self> {
        let SetLiveInterests { posts, members, communities, events, feed } = wanted;
        let total = posts.len() + members.len() + communities.len() + events.len();
        (total <= MAX_IDS).then(|| Self {
            posts: posts.into_iter().collect(),
            members: members.into_iter().collect(),
            communities: communities.into_iter().collect(),
            events: events.into_iter().collect(),
            feed,
        })
    }
}

/// The interests that a stream may watch.
struct Confirmed {
    interests: Interests,
    /// The topics that were `known` before.
    carried: HashSet<Topic>,
    /// The posts that were not `known`.
    posts: Vec<Post>,
}

/// The interests that the services confirm. Known posts, members and events are not asked for again. One round of concurrent
/// calls.
async fn confirm(gateway: &Gateway, member: &Member, wanted: Wanted, known: &Interests) -> Result<Confirmed, Problem> {
    let Wanted { posts, members, communities, events, feed } = wanted;
    let mut interests = Interests::new();
    let mut unknown = |ids: HashSet<Uuid>, topic: fn(Uuid) -> Topic| {
        let (old, new): (Vec<_>, Vec<_>) = ids.into_iter().partition(|id| known.contains_key(&topic(*id)));
        interests.extend(old.into_iter().filter_map(|id| known.get_key_value(&topic(id))).map(|(t, o)| (*t, *o)));
        new.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let (posts, members, events) =
        (unknown(posts, Topic::Post), unknown(members, Topic::Member), unknown(events, Topic::Event));
    let carried = interests.keys().copied().collect();
    let (posts, members, events, communities) = tokio::try_join!(
        visible_posts(gateway, member, posts),
        visible_members(gateway, member, members),
        known_events(gateway, member, events),
        visible_communities(gateway, member, communities),
    )?;
    interests.extend(posts.iter().filter_map(|post| {
        let community = post.community.as_ref().and_then(|community| community.id.parse().ok());
        let origin = Origin { member: Some(post.author_id.parse().ok()?), community };
        Some((Topic::Post(post.id.parse().ok()?), origin))
    }));
    interests.extend(members.into_iter().map(|id| (Topic::Member(id), Origin { member: Some(id), community: None })));
    interests.extend(events.into_iter().map(|id| (Topic::Event(id), Origin::default())));
    // The posts of a community are visible to its members only.
    for community in communities {
        let Ok(id) = community.id.parse() else { continue };
        let origin = Origin { member: None, community: Some(id) };
        interests.insert(Topic::Community(id), origin);
        if community.role() != CommunityRole::Unspecified {
            interests.insert(Topic::NewPosts(Some(id)), origin);
        }
    }
    interests.extend(feed.then_some((Topic::NewPosts(None), Origin::default())));
    Ok(Confirmed { interests, carried, posts })
}

async fn visible_posts(gateway: &Gateway, member: &Member, post_ids: Vec<String>) -> Result<Vec<Post>, Problem> {
    if post_ids.is_empty() {
        return Ok(Vec::new());
    }
    let request = member.call.request(BatchGetPostsRequest { post_ids })?;
    let mut posts = gateway.clients.feed().batch_get_posts(request).await?.into_inner().posts;
    // The author who left the community of a post, which then has no name, sees no changes by others.
    posts.retain(|post| post.community.as_ref().is_none_or(|community| !community.name.is_empty()));
    Ok(posts)
}

async fn visible_members(gateway: &Gateway, member: &Member, member_ids: Vec<String>) -> Result<Vec<Uuid>, Problem> {
    if member_ids.is_empty() {
        return Ok(Vec::new());
    }
    let request = member.call.request(BatchGetMembersRequest { member_ids, visible_to_actor: true })?;
    let cards = gateway.clients.profile().batch_get_members(request).await?.into_inner().members;
    Ok(cards.iter().filter_map(|card| card.id.parse().ok()).collect())
}

async fn known_events(gateway: &Gateway, member: &Member, event_ids: Vec<String>) -> Result<Vec<Uuid>, Problem> {
    if event_ids.is_empty() {
        return Ok(Vec::new());
    }
    let request = member.call.request(BatchGetEventsRequest { event_ids })?;
    let events = gateway.clients.graph().batch_get_events(request).await?.into_inner().events;
    Ok(events.iter().filter_map(|event| event.id.parse().ok()).collect())
}

/// Returns the communities that the member may see, with the member's role. Asks each time, because a role changes.
async fn visible_communities(
    gateway: &Gateway,
    member: &Member,
    communities: HashSet<Uuid>,
) -> Result<Vec<Community>, Problem> {
    if communities.is_empty() {
        return Ok(Vec::new());
    }
    let community_ids = communities.iter().map(ToString::to_string).collect();
    let request = member.call.request(BatchGetCommunitiesRequest { community_ids })?;
    Ok(gateway.clients.graph().batch_get_communities(request).await?.into_inner().communities)
}

impl From<Post> for LivePostVersion {
    fn from(post: Post) -> Self {
        let Post { id, like_count, comment_count, share_count, edited_at, .. } = post;
        Self { id, like_count, comment_count, share_count, edited_at: moment(edited_at) }
    }
}
