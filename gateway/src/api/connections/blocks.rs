//! Blocks. After one member blocks another, neither sees the other.

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{BlockMemberRequest, ListBlocksRequest, UnblockMemberRequest};

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::connections::views::Block,
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists the members blocked by the signed-in member, newest first. Private to the caller.
#[utoipa::path(get, path = "/api/blocks", operation_id = "listBlocks", tag = "blocks",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Block])))]
pub async fn list(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Block>>, Problem> {
    let request = ListBlocksRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_blocks(member.call.request(request)?).await?.into_inner();
    let people = members.cards(&member.call, page.blocks.iter().map(|block| block.member_id.as_str())).await;
    let blocks = page.blocks.into_iter().map(|block| Block::of(block, &people)).collect();
    Ok(ApiResponse::ok(blocks).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Blocks a member and removes the connection with them. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/blocks/{memberId}", operation_id = "blockMember", tag = "blocks",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is blocked.")))]
pub async fn block(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    // The same response for an unknown id: it does not tell whether a member with this id, who may block the caller, exists.
    match members.ensure_exists(&member.call, id.0).await {
        Ok(_) => {}
        Err(problem) if problem.status == StatusCode::NOT_FOUND => return Ok(StatusCode::NO_CONTENT),
        Err(problem) => return Err(problem),
    }
    let request = BlockMemberRequest { member_id: id.0.to_string() };
    graph.block_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Unblocks a member. Succeeds without a block too.
#[utoipa::path(delete, path = "/api/blocks/{memberId}", operation_id = "unblockMember", tag = "blocks",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member is not blocked.")))]
pub async fn unblock(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = UnblockMemberRequest { member_id: id.0.to_string() };
    graph.unblock_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
