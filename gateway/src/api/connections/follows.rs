//! Following: a member reads the posts of another without a connection.

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{FollowMemberRequest, GetFollowRequest, ListFollowsRequest, UnfollowMemberRequest};

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::connections::views::{Follow, FollowState},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the members that the signed-in member follows, newest first. Private to the caller.
#[utoipa::path(get, path = "/api/follows", operation_id = "listFollows", tag = "follows",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Follow])))]
pub async fn list(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Follow>>, Problem> {
    let request = ListFollowsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_follows(member.call.request(request)?).await?.into_inner();
    let people = members.cards(&member.call, page.follows.iter().map(|follow| follow.member_id.as_str())).await;
    let follows = page.follows.into_iter().map(|follow| Follow::of(follow, &people)).collect();
    Ok(ApiResponse::ok(follows).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Returns whether the signed-in member follows a member.
#[utoipa::path(get, path = "/api/follows/{memberId}", operation_id = "getFollow", tag = "follows",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "Whether the member is followed.", body = FollowState)))]
pub async fn get(
    State(mut graph): State<SocialGraphClient>,
    member: Member,
    id: Id<OfUser>,
) -> Result<ApiResponse<FollowState>, Problem> {
    let request = GetFollowRequest { member_id: id.0.to_string() };
    let followed = graph.get_follow(member.call.request(request)?).await?.into_inner().followed;
    Ok(ApiResponse::ok(FollowState { followed }))
}

/// Follows a member, at most 2,000: their posts are in the following feed. The member is not notified. Repeated requests have
/// no effect.
#[utoipa::path(put, path = "/api/follows/{memberId}", operation_id = "followMember", tag = "follows",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is followed.")))]
pub async fn follow(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    members.ensure_exists(&member.call, id.0).await?;
    let request = FollowMemberRequest { member_id: id.0.to_string() };
    graph.follow_member(member.call.request(request)?).await.map_err(|status| refusal(status.into()))?;
    Ok(StatusCode::NO_CONTENT)
}

/// A member that the caller may not follow gets the response of a member who does not exist.
fn refusal(problem: Problem) -> Problem {
    let missing = Problem::no_such_user();
    if problem.code == missing.code { missing } else { problem }
}

/// Unfollows a member. Succeeds when the member is not followed too.
#[utoipa::path(delete, path = "/api/follows/{memberId}", operation_id = "unfollowMember", tag = "follows",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is not followed.")))]
pub async fn unfollow(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = UnfollowMemberRequest { member_id: id.0.to_string() };
    graph.unfollow_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
