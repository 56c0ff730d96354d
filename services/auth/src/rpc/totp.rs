//! The authenticator app of the caller: set up in two steps, removed.

use portia_proto::auth::SecurityNoticeCause;
use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, pb};
use crate::{
    accounts,
    audit::AuditEvent,
    convert::timestamp,
    error::Error,
    second_factor::totp::{self, TotpCode, TotpSecret},
    sessions::{Browser, Session},
    step_up::{self, ProofKind},
};

pub(super) async fn get(service: &AuthService, request: Request<pb::GetTotpRequest>) -> RpcResult<pb::GetTotpResponse> {
    let confirmed_at = totp::get_confirmed_at(&service.db, caller(&request)?, service.clock.now()).await?;
    Ok(Response::new(pb::GetTotpResponse { confirmed_at: confirmed_at.map(timestamp) }))
}

pub(super) async fn create(
    service: &AuthService,
    request: Request<pb::CreateTotpRequest>,
) -> RpcResult<pb::CreateTotpResponse> {
    let (caller, now) = (caller(&request)?, service.clock.now());
    let secret = TotpSecret::generate()?;
    let mut tx = db::begin(&service.db).await.map_err(Error::from)?;
    let account = accounts::lock_with_proof(&mut tx, caller, now).await?;
    if !totp::create(&mut tx, caller.member, &secret, &service.secrets, now).await? {
        return Err(Error::TotpExists.into());
    }
    let uri = secret.uri(&account.username)?;
    tx.commit().await.map_err(Error::from)?;
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
    apply_delete(service, caller, &request.into_inner().browser.into()).await?;
    Ok(Response::new(pb::DeleteTotpResponse {}))
}

async fn apply_confirm(
    service: &AuthService,
    caller: Session,
    code: Option<TotpCode>,
    browser: &Browser,
) -> Result<(), Error> {
    let (member, now) = (caller.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    accounts::lock_with_proof(&mut tx, caller, now).await?;
    let confirmed = match code {
        Some(code) => totp::confirm(&mut tx, member, &code, &service.secrets, now).await?,
        None => false,
    };
    if !confirmed {
        tx.rollback().await?;
        service.record_later(member, AuditEvent::CodeRefused, browser);
        return Err(Error::code_wrong());
    }
    step_up::record_proof(&mut tx, caller, ProofKind::SecondFactor, now).await?;
    service.record(&mut tx, member, AuditEvent::TotpAdded, Some(browser)).await?;
    service.notice(&mut tx, member, SecurityNoticeCause::TotpAdded, browser, Some(caller.id)).await?;
    tx.commit().await?;
    Ok(())
}

async fn apply_delete(service: &AuthService, caller: Session, browser: &Browser) -> Result<(), Error> {
    let (member, now) = (caller.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    accounts::lock_with_proof(&mut tx, caller, now).await?;
    if !totp::delete(&mut tx, member).await? {
        return Err(Error::TotpNotFound);
    }
    service.record(&mut tx, member, AuditEvent::TotpRemoved, Some(browser)).await?;
    service.notice(&mut tx, member, SecurityNoticeCause::TotpRemoved, browser, Some(caller.id)).await?;
    tx.commit().await?;
    Ok(())
}
