//! The authenticator app of the caller. Setting it up and removing it need a recent proof: 403 `STEP_UP_REQUIRED`.

use axum::extract::State;
use http::StatusCode;
use portia_proto::auth::{ConfirmTotpRequest, CreateTotpRequest, DeleteTotpRequest, GetTotpRequest};

use crate::{
    api::{
        auth::views::{ConfirmTotp, CreateTotp, Totp, TotpSecret},
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::Body,
        limits::{Client, Limits},
        problem::Problem,
        timestamps::moment,
        upstreams::AuthClient,
    },
};

/// Returns whether sign-ins need a code of an authenticator app.
#[utoipa::path(get, path = "/api/auth/totp", operation_id = "getTotp", tag = "account", security(("session" = [])),
    responses((status = 200, description = "The state of the authenticator app.", body = Totp)))]
pub async fn get(State(mut auth): State<AuthClient>, member: Member) -> Result<ApiResponse<Totp>, Problem> {
    let state = auth.get_totp(member.call.request(GetTotpRequest {})?).await?.into_inner();
    Ok(ApiResponse::ok(Totp { confirmed_at: moment(state.confirmed_at) }))
}

/// Creates the secret for an authenticator app. Sign-ins need a code only after its confirmation, within 15 minutes.
#[utoipa::path(post, path = "/api/auth/totp", operation_id = "createTotp", tag = "account", security(("session" = [])),
    request_body(content = Option<CreateTotp>),
    responses((status = 201, description = "The secret. It cannot be read again.", body = TotpSecret)))]
pub async fn create(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    Body(CreateTotp {}): Body<CreateTotp>,
) -> Result<ApiResponse<TotpSecret>, Problem> {
    member.limit(&limits, rate_limits::TOTP).await?;
    let created = auth.create_totp(member.call.request(CreateTotpRequest {})?).await?.into_inner();
    Ok(ApiResponse::created(TotpSecret { secret: created.secret, uri: created.uri }))
}

/// Confirms by a code that the app has the secret. From now on sign-ins need a code.
#[utoipa::path(post, path = "/api/auth/totp/confirm", operation_id = "confirmTotp", tag = "account",
    security(("session" = [])),
    request_body = ConfirmTotp,
    responses((status = 204, description = "The authenticator app is set up.")))]
pub async fn confirm(
    State(mut auth): State<AuthClient>,
    State(limits): State<Limits>,
    member: Member,
    client: Client,
    Body(body): Body<ConfirmTotp>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::TOTP).await?;
    let confirm = ConfirmTotpRequest { one_time_code: body.one_time_code, browser: Some(client.browser()) };
    auth.confirm_totp(member.call.request(confirm)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the authenticator app. Recovery codes stay.
#[utoipa::path(delete, path = "/api/auth/totp", operation_id = "deleteTotp", tag = "account", security(("session" = [])),
    responses((status = 204, description = "Sign-ins need the password only.")))]
pub async fn delete(State(mut auth): State<AuthClient>, member: Member, client: Client) -> Result<StatusCode, Problem> {
    auth.delete_totp(member.call.request(DeleteTotpRequest { browser: Some(client.browser()) })?).await?;
    Ok(StatusCode::NO_CONTENT)
}
