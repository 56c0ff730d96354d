//! The authenticator app of the caller: set up in two steps, removed.

use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, commit, pb};
use crate::{
    accounts,
    audit::AuditEvent,
    convert::timestamp,
    error::Error,
    second_factor::totp::{self, TotpCode, TotpSecret},
    sessions::{Browser, Session},
};

pub(super) async fn get(service: &AuthService, request: Request<pb::GetTotpRequest>) -> RpcResult<pb::GetTotpResponse> {
    let confirmed_at = totp::get_confirmed_at(&service.db, caller(&request)?, service.clock.now()).await?;
    Ok(Response::new(pb::GetTotpResponse { confirmed_at: confirmed_at.map(timestamp) }))
}

pub(super) async fn create(
    service: &AuthService,
    request: Request<pb::CreateTotpRequest>,
) -> RpcResult<pb::CreateTotpResponse> {
    let caller = caller(&request)?;
    let secret = TotpSecret::generate()?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let account = accounts::lock_with_proof(work, caller).await?;
    if !totp::create(work.db, caller.member, &secret, &service.secrets, work.now).await? {
        return Err(Error::TotpExists.into());
    }
    let uri = secret.uri(&account.username)?;
    commit(tx).await?;
    Ok(Response::new(pb::CreateTotpResponse { secret: secret.encoded(), uri }))
}

pub(super) async fn confirm(
    service: &AuthService,
    request: Request<pb::ConfirmTotpRequest>,
) -> RpcResult<pb::ConfirmTotpResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    apply_confirm(service, caller, TotpCode::parse(&request.one_time_code), &request.browser.into()).await?;
    Ok(Response::new(pb::ConfirmTotpResponse {}))
}

pub(super) async fn delete(
    service: &AuthService,
    request: Request<pb::DeleteTotpRequest>,
) -> RpcResult<pb::DeleteTotpResponse> {
    let caller = caller(&request)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_proof(work, caller).await?;
    totp::remove(work, caller, &request.into_inner().browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeleteTotpResponse {}))
}

async fn apply_confirm(
    service: &AuthService,
    caller: Session,
    code: Option<TotpCode>,
    browser: &Browser,
) -> Result<(), Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_proof(work, caller).await?;
    let confirmed = match code {
        Some(code) => totp::confirm(work, caller, &code, &service.secrets, browser).await?,
        None => false,
    };
    if !confirmed {
        tx.rollback().await?;
        service.record_later(caller.member, AuditEvent::CodeRefused, browser);
        return Err(Error::code_wrong());
    }
    commit(tx).await
}
