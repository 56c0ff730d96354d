//! The account of the caller: password, sessions, trusted browsers, recovery codes, closing.

use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use http::{HeaderMap, StatusCode};
use portia_proto::auth::{ChangePasswordRequest, CloseAccountRequest, EndSessionsRequest, RenewRecoveryCodesRequest};

use crate::api::auth::attempts;
use crate::api::ids::OfSession;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::api::state::Gateway;
use crate::edge::authentication::Authentication;
use crate::edge::limits::Limits;
use crate::edge::upstreams::AuthClient;
use crate::{
    api::account::views::{ChangePassword, CloseAccount, RecoveryCodes, RenewRecoveryCodes},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        limits::Client,
        problem::Problem,
    },
};

/// Changes the password, renews the cookie of the session and ends all other sessions of the account. Where an authenticator app is set
/// up: 403 `STEP_UP_REQUIRED` without a recent proof of the second factor.
#[utoipa::path(post, path = "/api/auth/change-password", operation_id = "changePassword", tag = "account",
    request_body = ChangePassword,
    security(("session" = [])),
    responses((status = 204, description = "The password is changed. The current session continues with a new cookie.")))]
pub async fn change_password(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<ChangePassword>,
) -> Result<impl IntoResponse, Problem> {
    let attempt = attempts::reauthenticate(&gateway, &client, &member, None, body.proof_of_work.as_deref()).await?;
    let change = ChangePasswordRequest {
        current_password: body.current_password,
        new_password: body.new_password,
        browser: Some(client.browser()),
    };
    let answer = gateway.clients.auth().change_password(member.call.request(change)?).await.map_err(Problem::from);
    if !answer.as_ref().err().is_some_and(attempts::is_refused_proof) {
        attempt.give_back().await;
    }
    let changed = answer?.into_inner();
    let authentication = &gateway.authentication;
    authentication.sessions.end_all(&changed.ended_session_ids);
    if let Some(previous) = authentication.cookies.read(&headers) {
        authentication.sessions.forget(previous);
    }
    let session = changed.session.ok_or(Problem::internal())?;
    // The computer is not shared if the browser was trusted, or if the sign-in said so: its trust may have ended meanwhile.
    let is_own = changed.was_trusted || authentication.cookies.owner_of_device(&headers) == Some(member.id);
    let cookies = authentication.cookies.issue(&session, member.id, None, !is_own, gateway.clock.now());
    Ok((cookies, StatusCode::NO_CONTENT))
}

/// Ends all sessions of the signed-in member, including the current one. 403 `STEP_UP_REQUIRED` without a recent proof.
#[utoipa::path(delete, path = "/api/auth/sessions", operation_id = "endSessions", tag = "account",
    security(("session" = [])),
    responses((status = 204, description = "All sessions have ended.")))]
pub async fn end_sessions(
    State(mut auth): State<AuthClient>,
    State(authentication): State<Authentication>,
    member: Member,
    client: Client,
) -> Result<impl IntoResponse, Problem> {
    let end = EndSessionsRequest { session_id: None, browser: Some(client.browser()) };
    let request = member.call.request(end)?;
    let ended = auth.end_sessions(request).await?.into_inner();
    authentication.sessions.end_all(&ended.ended_session_ids);
    Ok((authentication.cookies.clear(), StatusCode::NO_CONTENT))
}

/// Ends one session of the signed-in member. 403 `STEP_UP_REQUIRED` for another one than the current without a recent proof.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", operation_id = "endSession", tag = "account",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the session.")),
    responses((status = 204, description = "The session has ended.")))]
pub async fn end_session(
    State(mut auth): State<AuthClient>,
    State(authentication): State<Authentication>,
    member: Member,
    client: Client,
    id: Id<OfSession>,
) -> Result<impl IntoResponse, Problem> {
    let end = EndSessionsRequest { session_id: Some(id.0.to_string()), browser: Some(client.browser()) };
    let request = member.call.request(end)?;
    let ended = auth.end_sessions(request).await?.into_inner();
    authentication.sessions.end_all(&ended.ended_session_ids);
    let cookies = (id.0 == member.session).then(|| authentication.cookies.clear());
    Ok((cookies.unwrap_or_default(), StatusCode::NO_CONTENT))
}

/// Creates new recovery codes. They replace all earlier ones. 403 `STEP_UP_REQUIRED` without a recent proof.
#[utoipa::path(post, path = "/api/auth/recovery-codes", operation_id = "renewRecoveryCodes", tag = "account",
    request_body(content = Option<RenewRecoveryCodes>),
    security(("session" = [])),
    responses((status = 201, description = "The new codes. They cannot be read again.", body = RecoveryCodes)))]
pub async fn renew_recovery_codes(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    client: Client,
    Body(RenewRecoveryCodes {}): Body<RenewRecoveryCodes>,
) -> Result<ApiResponse<RecoveryCodes>, Problem> {
    member.limit(&limits, rate_limits::RECOVERY_CODES).await?;
    let renew = RenewRecoveryCodesRequest { browser: Some(client.browser()) };
    let renewed = auth.renew_recovery_codes(member.call.request(renew)?).await?.into_inner();
    Ok(ApiResponse::created(RecoveryCodes { codes: renewed.codes }))
}

/// Closes the account. Signing in within 14 days reactivates it; afterwards it is erased. 403 `STEP_UP_REQUIRED` without a recent
/// proof.
#[utoipa::path(post, path = "/api/auth/close-account", operation_id = "closeAccount", tag = "account",
    request_body = CloseAccount,
    security(("session" = [])),
    responses((status = 204, description = "The account is closed and all its sessions have ended.")))]
pub async fn close_account(
    State(mut auth): State<AuthClient>,
    State(members): State<MemberCache>,
    State(authentication): State<Authentication>,
    member: Member,
    client: Client,
    Body(body): Body<CloseAccount>,
) -> Result<impl IntoResponse, Problem> {
    let close = CloseAccountRequest { confirmation: body.confirmation, browser: Some(client.browser()) };
    let closed = auth.close_account(member.call.request(close)?).await?.into_inner();
    authentication.sessions.end_all(&closed.ended_session_ids);
    members.forget(&member.id.to_string());
    Ok((authentication.cookies.clear_all(), StatusCode::NO_CONTENT))
}
