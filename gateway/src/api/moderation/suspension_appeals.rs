//! Appeals against suspensions: of the suspended member, who has no session, and their decisions.

use std::sync::Arc;

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::auth as pb;

use crate::{
    api::{
        ids::OfSuspension,
        moderation::{
            removal_views::DecideAppeal,
            suspension_views::{AppealSuspension, SuspensionAppeal},
            views::{CaseState, ListAppealsQuery},
        },
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::{Authentication, HASHING_BUDGET, Moderator},
        extract::{Body, Id, Params},
        limits::{Client, Limits},
        problem::Problem,
        upstreams::AuthClient,
    },
};

/// Appeals against a suspension by a moderator: once, within 30 minutes of a sign-in that was refused with 403 `ACCOUNT_SUSPENDED`, whose
/// `appeal` has the token.
#[utoipa::path(post, path = "/api/auth/suspension-appeal", operation_id = "appealSuspension", tag = "auth",
    request_body = AppealSuspension,
    responses((status = 204, description = "The appeal waits for another moderator. The next sign-in tells the decision.")))]
pub async fn appeal(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    State(authentication): State<Authentication>,
    client: Client,
    Body(body): Body<AppealSuspension>,
) -> Result<StatusCode, Problem> {
    limits.take_from(rate_limits::SUSPENSION_APPEALS, &client).await?;
    let request = pb::AppealSuspensionRequest { token: body.token, text: body.text, browser: Some(client.browser()) };
    auth.appeal_suspension(authentication.service_call(HASHING_BUDGET).request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists appeals against suspensions, for moderators: open ones oldest first, decided ones newest first.
#[utoipa::path(get, path = "/api/moderation/suspension-appeals", operation_id = "listSuspensionAppeals", tag = "moderation",
    security(("session" = [])),
    params(ListAppealsQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [SuspensionAppeal])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    uri: Uri,
    Params(query): Params<ListAppealsQuery>,
) -> Result<ApiResponse<Vec<SuspensionAppeal>>, Problem> {
    let request = pb::ListSuspensionAppealsRequest {
        decided: query.state == CaseState::Decided,
        page_size: query.limit,
        page_token: query.cursor,
    };
    let page = gateway.clients.auth().list_suspension_appeals(member.call.request(request)?).await?.into_inner();
    let appeals = page.appeals.into_iter().map(Into::into).collect();
    Ok(ApiResponse::ok(appeals).next_page(&uri, &page.next_page_token))
}

/// Decides an appeal against a suspension, for moderators who are no party of the case. An overturned suspension ends.
#[utoipa::path(post, path = "/api/moderation/suspension-appeals/{id}/decision", operation_id = "decideSuspensionAppeal",
    tag = "moderation",
    request_body = DecideAppeal,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the suspension.")),
    responses((status = 200, description = "The decided appeal.", body = SuspensionAppeal)))]
pub async fn decide(
    State(gateway): State<Arc<Gateway>>,
    Moderator(member): Moderator,
    id: Id<OfSuspension>,
    Body(body): Body<DecideAppeal>,
) -> Result<ApiResponse<SuspensionAppeal>, Problem> {
    member.limit(&gateway.limits, rate_limits::MODERATION).await?;
    let request = member.call.request(body.of_suspension(id.0.to_string()))?;
    let decided = gateway.clients.auth().decide_suspension_appeal(request).await?.into_inner();
    decided.appeal.map(|appeal| ApiResponse::ok(appeal.into())).ok_or(Problem::internal())
}
