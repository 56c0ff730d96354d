//! Step-up authentication: sensitive requests need a proof of the member within the last ten minutes. auth checks it; this only
//! passes a proof on.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use portia_proto::auth::{CheckReauthenticationRequest, ReauthenticateRequest};

use crate::{
    api::{
        auth::{attempts, views::Reauthenticate},
        state::Gateway,
    },
    edge::{
        authentication::Member, extract::Body, limits::Client, origin::RequestOrigin, problem::Problem,
        upstreams::AuthClient,
    },
};

/// Proves again that the caller is the member of the session. For ten minutes, requests that were refused with
/// `STEP_UP_REQUIRED` are then possible. Where an authenticator app is set up, they need a code or a passkey: their refusal, and that of
/// the password alone, has `fields.oneTimeCode`. After many failures of other networks: 429 `PROOF_OF_WORK_REQUIRED`.
#[utoipa::path(post, path = "/api/auth/reauthenticate", operation_id = "reauthenticate", tag = "account",
    request_body = Reauthenticate,
    security(("session" = [])),
    responses((status = 204, description = "Sensitive requests of this session are possible for ten minutes.")))]
pub async fn reauthenticate(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    client: Client,
    origin: RequestOrigin,
    Body(body): Body<Reauthenticate>,
) -> Result<StatusCode, Problem> {
    let code = body.one_time_code.as_deref().filter(|_| body.password.as_deref().unwrap_or_default().is_empty());
    let attempt = attempts::reauthenticate(&gateway, &client, &member, code, body.proof_of_work.as_deref()).await?;
    let prove = ReauthenticateRequest {
        password: body.password,
        one_time_code: body.one_time_code,
        browser: Some(client.browser()),
        passkey: body.passkey.map(|assertion| assertion.into_proto(origin)),
    };
    let answer = gateway.clients.auth().reauthenticate(member.call.request(prove)?).await.map_err(Problem::from);
    if !answer.as_ref().err().is_some_and(attempts::is_refused_proof) {
        attempt.give_back().await;
    }
    answer?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whether sensitive requests are possible for another minute at least. For a download, which a client cannot repeat.
#[utoipa::path(get, path = "/api/auth/reauthenticate", operation_id = "checkReauthentication", tag = "account",
    security(("session" = [])),
    responses((status = 204, description = "They are possible. Otherwise 403 with `STEP_UP_REQUIRED`.")))]
pub async fn check(State(mut auth): State<AuthClient>, member: Member) -> Result<StatusCode, Problem> {
    auth.check_reauthentication(member.call.request(CheckReauthenticationRequest {})?).await?;
    Ok(StatusCode::NO_CONTENT)
}
