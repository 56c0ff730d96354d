//! Members one blocks: two of whom one blocks the other do not meet.

use std::sync::Arc;

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{BlockMemberRequest, ListBlocksRequest, UnblockMemberRequest};

use crate::api::rate_limits;
use crate::{
    api::{Gateway, connections::views::Block},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Id, OfUser, Paging, Params},
        problem::Problem,
    },
};

/// Whom I block, newest first. Nobody else is told.
#[utoipa::path(get, path = "/api/blocks", operation_id = "listBlocks", tag = "blocks",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [Block])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Block>>, Problem> {
    let request = ListBlocksRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.clients.graph().list_blocks(member.call.request(request)?).await?.into_inner();
    let people = gateway.members.cards(&member.call, page.blocks.iter().map(|block| block.member_id.as_str())).await;
    let blocks = page.blocks.iter().map(|block| Block::of(block, &people)).collect();
    Ok(ApiResponse::ok(blocks).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Blocks a member, and ends what connects us. Blocking twice changes nothing.
#[utoipa::path(put, path = "/api/blocks/{memberId}", operation_id = "blockMember", tag = "blocks",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "Whom.")),
    responses((status = 204, description = "The two do not meet any more.")))]
pub async fn block(State(gateway): State<Arc<Gateway>>, member: Member, id: Id<OfUser>) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    gateway.members.ensure_exists(&member.call, id.0).await?;
    let request = BlockMemberRequest { member_id: id.0.to_string() };
    gateway.clients.graph().block_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lifts my block, whether or not there was one.
#[utoipa::path(delete, path = "/api/blocks/{memberId}", operation_id = "unblockMember", tag = "blocks",
    security(("session" = [])),
    params(("memberId" = Uuid, Path, description = "Whom.")),
    responses((status = 204, description = "I do not block them.")))]
pub async fn unblock(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    let request = UnblockMemberRequest { member_id: id.0.to_string() };
    gateway.clients.graph().unblock_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
