//! The authenticator app of the caller. Setting it up and removing it need a recent proof: 403 `STEP_UP_REQUIRED`.

use axum::extract::State;
use portia_proto::auth::CreateTotpRequest;

use crate::{
    api::{
        auth::views::{CreateTotp, TotpSecret},
        rate_limits,
    },
    edge::{
        answer::ApiResponse, authentication::Member, extract::Body, limits::Limits, problem::Problem,
        upstreams::AuthClient,
    },
};

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
