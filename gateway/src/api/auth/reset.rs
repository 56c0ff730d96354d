//! Password reset in two steps: the available proofs, and the new password. The advice on a new password.

use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use http::{HeaderMap, StatusCode};
use portia_proto::auth::{CheckPasswordRequest, CheckUsernameRequest, ResetPasswordRequest};

use crate::api::rate_limits;
use crate::edge::authentication::Authentication;
use crate::edge::limits::Limits;
use crate::edge::upstreams::AuthClient;
use crate::{
    api::{
        account::views::{CheckPassword, CheckUsername, PasswordAdvice, ResetMethods, ResetPassword},
        auth::attempts::{self, ResetRequest},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse, authentication::HASHING_BUDGET, extract::Body, limits::Client, origin::RequestOrigin,
        problem::Problem,
    },
};

/// Step 1 of a password reset: returns the available proofs of ownership, 404 for an unknown username.
#[utoipa::path(post, path = "/api/auth/check-username", operation_id = "checkUsername", tag = "auth",
    request_body = CheckUsername,
    responses((status = 200, description = "The methods that are available in this browser.", body = ResetMethods)))]
pub async fn check_username(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    State(authentication): State<Authentication>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<CheckUsername>,
) -> Result<ApiResponse<ResetMethods>, Problem> {
    limits.take_from(rate_limits::CHECK_USERNAME, &client).await?;
    let call = authentication.service_call(HASHING_BUDGET);
    let ask = CheckUsernameRequest {
        username: body.username,
        trusted_browser_token: authentication.cookies.read_browser(&headers),
    };
    let answer = auth.check_username(call.request(ask)?).await?;
    Ok(ApiResponse::ok(answer.into_inner().into()))
}

/// Advises on a new password while it is typed: neither the password nor its whole hash is sent. The prefix is in the body, because
/// addresses are logged.
#[utoipa::path(post, path = "/api/auth/check-password", operation_id = "checkPassword", tag = "auth",
    request_body = CheckPassword,
    responses((status = 200, description = "The minimum length, and the common passwords with this prefix.",
        body = PasswordAdvice)))]
pub async fn check_password(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    State(authentication): State<Authentication>,
    client: Client,
    Body(body): Body<CheckPassword>,
) -> Result<ApiResponse<PasswordAdvice>, Problem> {
    limits.take_from(rate_limits::CHECK_PASSWORD, &client).await?;
    let call = authentication.service_call(HASHING_BUDGET);
    let answer = auth.check_password(call.request(CheckPasswordRequest { hash_prefix: body.hash_prefix })?).await?;
    Ok(ApiResponse::ok(answer.into_inner().into()))
}

/// Step 2 of a password reset: sets a new password and ends all sessions of the account. Where an authenticator app is set up, a
/// valid recovery code alone is answered with 401 `SECOND_FACTOR_REQUIRED`: the next request has a code of the app too.
#[utoipa::path(post, path = "/api/auth/reset-password", operation_id = "resetPassword", tag = "auth",
    request_body = ResetPassword,
    responses((status = 204, description = "The password is set. This browser is not signed in either.")))]
pub async fn reset_password(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    origin: RequestOrigin,
    headers: HeaderMap,
    Body(body): Body<ResetPassword>,
) -> Result<impl IntoResponse, Problem> {
    let call = gateway.authentication.service_call(HASHING_BUDGET);
    let trusted_browser_token = gateway.authentication.cookies.read_browser(&headers);
    // auth uses the first proof that is present, so an empty field must not hide the trusted browser.
    let present = |proof: Option<String>| proof.filter(|proof| !proof.trim().is_empty());
    let (link_token, recovery_code) = (present(body.token), present(body.recovery_code));
    let passkey = body.passkey.map(|assertion| assertion.into_proto(origin));
    let has_proof =
        link_token.is_some() || recovery_code.is_some() || passkey.is_some() || !trusted_browser_token.is_empty();
    let one_time_code = present(body.one_time_code).filter(|_| recovery_code.is_some());
    let request = ResetRequest {
        client: &client,
        username: &body.username,
        has_proof,
        code: one_time_code.as_deref(),
        solution: body.proof_of_work.as_deref(),
    };
    let (attempt, code) = attempts::reset(&gateway, &request).await?;
    let reset = ResetPasswordRequest {
        username: body.username,
        password: body.password,
        link_token,
        recovery_code,
        trusted_browser_token,
        browser: Some(client.browser()),
        passkey,
        one_time_code,
    };
    let answer = gateway.clients.auth().reset_password(call.request(reset)?).await.map_err(Problem::from);
    code.end(answer.as_ref().err()).await;
    let done = match answer {
        Ok(answer) => answer.into_inner(),
        Err(problem) => return Err(attempt.fail(problem).await),
    };
    attempt.succeed(&gateway.limits).await;
    gateway.authentication.sessions.end_all(&done.ended_session_ids);
    Ok((gateway.authentication.cookies.clear(), StatusCode::NO_CONTENT))
}
