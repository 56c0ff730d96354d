//! The recent activity of a member: posts, comments and reactions.

use axum::extract::State;
use http::Uri;
use portia_proto::feed::ListActivityRequest;

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::edge::upstreams::FeedClient;
use crate::{
    api::activity::views::{Activity, people_of},
    edge::{
        answer::ApiResponse,
        authentication::Caller,
        extract::{Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the recent activity of a member, newest first. Contains what the caller may see.
#[utoipa::path(get, path = "/api/users/{id}/activity", operation_id = "listActivity", tag = "users",
    params(("id" = Uuid, Path, description = "The id of the member."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Activity])))]
pub async fn list(
    State(mut feed): State<FeedClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfUser>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Activity>>, Problem> {
    let request =
        ListActivityRequest { member_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = feed.list_activity(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.activities.iter().flat_map(people_of)).await;
    let activities = page.activities.into_iter().filter_map(|activity| Activity::of(activity, &people)).collect();
    Ok(ApiResponse::ok(activities).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}
