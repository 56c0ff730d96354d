//! Appeals: of the author of removed content, and their decisions.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::feed as pb;

use crate::{
    api::{
        ids::OfRemoval,
        moderation::{
            removal_views::{DecideAppeal, ModeratedAppeal, NewAppeal, Removal},
            views::{CaseState, ListAppealsQuery},
        },
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::{Member, Moderator},
        extract::{Body, Id, Paging, Params},
        problem::Problem,
    },
};

/// Lists appeals, for moderators: open ones oldest first, decided ones newest first.
#[utoipa::path(get, path = "/api/moderation/appeals", operation_id = "listAppeals", tag = "moderation",
    security(("session" = [])),
    params(ListAppealsQuery, Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [ModeratedAppeal])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    uri: Uri,
    Params(query): Params<ListAppealsQuery>,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<ModeratedAppeal>>, Problem> {
    let request = pb::ListAppealsRequest {
        decided: query.state == CaseState::Decided,
        page_size: paging.limit,
        page_token: paging.cursor,
    };
    let page = gateway.clients.feed().list_appeals(member.call.request(request)?).await?.into_inner();
    let people = gateway.members.cards(&member.call, page.removals.iter().flat_map(ModeratedAppeal::members)).await;
    let appeals = page.removals.into_iter().map(|removal| ModeratedAppeal::of(removal, &people)).collect();
    Ok(ApiResponse::ok(appeals).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Decides an appeal, for moderators other than the one who removed the content.
#[utoipa::path(post, path = "/api/moderation/appeals/{id}/decision", operation_id = "decideAppeal", tag = "moderation",
    request_body = DecideAppeal,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the removal.")),
    responses((status = 200, description = "The decided appeal.", body = ModeratedAppeal)))]
pub async fn decide(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    id: Id<OfRemoval>,
    Body(body): Body<DecideAppeal>,
) -> Result<ApiResponse<ModeratedAppeal>, Problem> {
    member.limit(&gateway.limits, rate_limits::MODERATION).await?;
    let request = member.call.request(body.of(id.0.to_string()))?;
    let decided = gateway.clients.feed().decide_appeal(request).await?.into_inner();
    let removal = decided.removal.ok_or(Problem::internal())?;
    let people = gateway.members.cards(&member.call, ModeratedAppeal::members(&removal)).await;
    let appeal = ModeratedAppeal::of(removal, &people);
    Ok(ApiResponse::ok(appeal).degraded(people.degraded()))
}

/// Returns a removal of content of the caller: what was removed, why, and the state of the appeal.
#[utoipa::path(get, path = "/api/appeals/{id}", operation_id = "getRemoval", tag = "moderation",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the removal, from the notification.")),
    responses((status = 200, description = "The removal.", body = Removal)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfRemoval>,
) -> Result<ApiResponse<Removal>, Problem> {
    let request = pb::GetRemovalRequest { removal_id: id.0.to_string() };
    let found = gateway.clients.feed().get_removal(member.call.request(request)?).await?.into_inner();
    found.removal.map(|removal| ApiResponse::ok(removal.into())).ok_or(Problem::internal())
}

/// Appeals against a removal of content of the caller: once, within 30 days.
#[utoipa::path(post, path = "/api/appeals/{id}", operation_id = "appealRemoval", tag = "moderation",
    request_body = NewAppeal,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the removal, from the notification.")),
    responses((status = 201, description = "The removal with the appeal.", body = Removal)))]
pub async fn appeal(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfRemoval>,
    Body(body): Body<NewAppeal>,
) -> Result<ApiResponse<Removal>, Problem> {
    member.limit(&gateway.limits, rate_limits::APPEALS).await?;
    let request = pb::AppealRemovalRequest { removal_id: id.0.to_string(), text: body.text };
    let appealed = gateway.clients.feed().appeal_removal(member.call.request(request)?).await?.into_inner();
    appealed.removal.map(|removal| ApiResponse::created(removal.into())).ok_or(Problem::internal())
}
