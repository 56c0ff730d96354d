//! Passkeys: create; sign-in by passkey, proofs, and the challenge for a password reset.

use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use http::HeaderMap;
use portia_proto::auth::{
    CreatePasskeyRequest, LoginWithPasskeyRequest, LoginWithPasskeyResponse, PasskeyUse,
    StartPasskeyAuthenticationRequest, StartPasskeyProofRequest, StartPasskeyRegistrationRequest,
};

use crate::{
    api::{
        account::passkey_views::{
            NewPasskey, Passkey, PasskeyAssertion, PasskeyChallenge, PasskeySignIn, StartPasskey, to_json,
        },
        auth::{
            attempts,
            handlers::{cookies, end_presented, signed_in},
            views::SignedIn,
        },
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::{HASHING_BUDGET, Member},
        extract::Body,
        limits::{Client, Limits},
        origin::RequestOrigin,
        problem::Problem,
        upstreams::AuthClient,
    },
};

/// Begins the creation of a passkey. Only the same session can send the answer. 403 `STEP_UP_REQUIRED` without a recent proof.
#[utoipa::path(post, path = "/api/auth/passkeys/options", operation_id = "startPasskeyRegistration", tag = "account",
    security(("session" = [])),
    responses((status = 201, description = "The challenge, with `PublicKeyCredentialCreationOptionsJSON` as its options. 400 \
                                            (`PASSKEYS_UNAVAILABLE`) at an IP address, for which browsers have no passkeys.",
        body = PasskeyChallenge)))]
pub async fn start_registration(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    RequestOrigin(origin): RequestOrigin,
) -> Result<ApiResponse<PasskeyChallenge>, Problem> {
    member.limit(&limits, rate_limits::PASSKEYS).await?;
    let start = StartPasskeyRegistrationRequest { origin };
    let started = auth.start_passkey_registration(member.call.request(start)?).await?.into_inner();
    Ok(ApiResponse::created(PasskeyChallenge::new(started.ceremony, &started.options)?))
}

/// Stores a new passkey of the signed-in member.
#[utoipa::path(post, path = "/api/auth/passkeys", operation_id = "createPasskey", tag = "account",
    request_body = NewPasskey,
    security(("session" = [])),
    responses((status = 201, description = "The passkey.", body = Passkey)))]
pub async fn create(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    client: Client,
    RequestOrigin(origin): RequestOrigin,
    Body(body): Body<NewPasskey>,
) -> Result<ApiResponse<Passkey>, Problem> {
    member.limit(&limits, rate_limits::PASSKEYS).await?;
    let create = CreatePasskeyRequest {
        ceremony: body.ceremony,
        credential: to_json(&body.credential),
        origin,
        name: body.name,
        browser: Some(client.browser()),
    };
    let created = auth.create_passkey(member.call.request(create)?).await?.into_inner();
    Ok(ApiResponse::created(created.passkey.ok_or(Problem::internal())?.into()))
}

/// Begins a sign-in by passkey. The browser offers the passkeys that it has for this site. Where very many begin: 429
/// `PROOF_OF_WORK_REQUIRED` with a `challenge`, whose solution the next request contains.
#[utoipa::path(post, path = "/api/auth/passkeys/sign-in/options", operation_id = "startPasskeySignIn", tag = "auth",
    request_body(content = Option<StartPasskey>),
    responses((status = 201, description = "The challenge, with `PublicKeyCredentialRequestOptionsJSON` as its options. 400 \
                                            (`PASSKEYS_UNAVAILABLE`) at an IP address.",
        body = PasskeyChallenge)))]
pub async fn start_sign_in(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    origin: RequestOrigin,
    Body(body): Body<StartPasskey>,
) -> Result<ApiResponse<PasskeyChallenge>, Problem> {
    start(&gateway, &client, origin, &body, PasskeyUse::SignIn).await
}

/// Begins the proof of a password reset by passkey. 429 as for a sign-in.
#[utoipa::path(post, path = "/api/auth/passkeys/reset/options", operation_id = "startPasskeyReset", tag = "auth",
    request_body(content = Option<StartPasskey>),
    responses((status = 201, description = "The challenge, with `PublicKeyCredentialRequestOptionsJSON` as its options. 400 \
                                            (`PASSKEYS_UNAVAILABLE`) at an IP address.",
        body = PasskeyChallenge)))]
pub async fn start_reset(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    origin: RequestOrigin,
    Body(body): Body<StartPasskey>,
) -> Result<ApiResponse<PasskeyChallenge>, Problem> {
    start(&gateway, &client, origin, &body, PasskeyUse::Reset).await
}

async fn start(
    gateway: &Gateway,
    client: &Client,
    RequestOrigin(origin): RequestOrigin,
    body: &StartPasskey,
    purpose: PasskeyUse,
) -> Result<ApiResponse<PasskeyChallenge>, Problem> {
    attempts::passkey_challenge(gateway, client, body.proof_of_work.as_deref()).await?;
    let call = gateway.authentication.service_call(HASHING_BUDGET);
    let start = StartPasskeyAuthenticationRequest { origin, r#use: purpose.into() };
    let started = gateway.clients.auth().start_passkey_authentication(call.request(start)?).await?.into_inner();
    Ok(ApiResponse::created(PasskeyChallenge::new(started.ceremony, &started.options)?))
}

/// Begins a proof by passkey in the session of the caller. Only the same session can send the answer.
#[utoipa::path(post, path = "/api/auth/passkeys/proof/options", operation_id = "startPasskeyProof", tag = "account",
    security(("session" = [])),
    responses((status = 201, description = "The challenge, with `PublicKeyCredentialRequestOptionsJSON` as its options. 400 \
                                            (`PASSKEYS_UNAVAILABLE`) at an IP address.",
        body = PasskeyChallenge)))]
pub async fn start_proof(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    client: Client,
    RequestOrigin(origin): RequestOrigin,
) -> Result<ApiResponse<PasskeyChallenge>, Problem> {
    // By network too: a stolen session must not use up the proofs of the member.
    limits.take(rate_limits::PASSKEY_PROOFS, &format!("{}:{}", member.id, client.key())).await?;
    let started = auth.start_passkey_proof(member.call.request(StartPasskeyProofRequest { origin })?).await?;
    let started = started.into_inner();
    Ok(ApiResponse::created(PasskeyChallenge::new(started.ceremony, &started.options)?))
}

/// Signs in by passkey, as with username and password. The device verified its user, so it counts as both factors.
#[utoipa::path(post, path = "/api/auth/passkeys/sign-in", operation_id = "signInWithPasskey", tag = "auth",
    request_body = PasskeySignIn,
    responses((status = 200, description = "Signed in. `Set-Cookie` contains the session and the token of the trusted browser.",
        body = SignedIn)))]
pub async fn sign_in(
    State(gateway): State<Arc<Gateway>>,
    client: Client,
    origin: RequestOrigin,
    headers: HeaderMap,
    Body(body): Body<PasskeySignIn>,
) -> Result<impl IntoResponse, Problem> {
    gateway.limits.take_from(rate_limits::PASSKEY_SIGN_INS, &client).await?;
    let call = gateway.authentication.service_call(HASHING_BUDGET);
    let assertion = PasskeyAssertion { ceremony: body.ceremony, credential: body.credential };
    let login = LoginWithPasskeyRequest {
        passkey: Some(assertion.into_proto(origin)),
        browser: Some(client.browser()),
        trusted_browser_token: gateway.authentication.cookies.read_browser(&headers),
        shared_computer: body.shared_computer,
    };
    let opened = gateway.clients.auth().login_with_passkey(call.request(login)?).await?.into_inner();
    // A university is one network: successful sign-ins do not use up its limits.
    gateway.limits.give_back_to(rate_limits::PASSKEY_SIGN_INS, &client).await;
    gateway.limits.give_back_to(rate_limits::PASSKEY_CHALLENGES, &client).await;
    let member = opened.member_id.parse().map_err(|_| Problem::internal())?;
    let cookies = cookies(&gateway, member, opened.session, opened.trusted_browser, body.shared_computer)?;
    end_presented(&gateway, &headers, &call).await;
    let LoginWithPasskeyResponse { member_id, username, reopened, moderator, .. } = opened;
    Ok((cookies, signed_in(&gateway, &call, &member_id, &username, reopened, moderator).await))
}
