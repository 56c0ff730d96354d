//! Proving again, in a session, that it is in the hands of its member.
//!
//! A password is verified without a connection; then the account is locked and the hashes are compared.

use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, pb};
use crate::{
    accounts::{self, Account},
    audit::AuditEvent,
    convert::{Browser, IdentityProof, Reauthentication},
    credentials::{hashing::Verification, password::Password},
    error::Error,
    sessions::Session,
    step_up,
};

pub(super) async fn reauthenticate(
    service: &AuthService,
    request: Request<pb::ReauthenticateRequest>,
) -> RpcResult<pb::ReauthenticateResponse> {
    let caller = caller(&request)?;
    let Reauthentication { proof, browser } = Reauthentication::try_from(request.into_inner()).map_err(Error::from)?;
    prove(service, caller, proof, &browser).await?;
    Ok(Response::new(pb::ReauthenticateResponse {}))
}

pub(super) async fn check(
    service: &AuthService,
    request: Request<pb::CheckReauthenticationRequest>,
) -> RpcResult<pb::CheckReauthenticationResponse> {
    let (caller, now) = (caller(&request)?, service.clock.now());
    let (_, proved_at) = accounts::get_by_session(&service.db, caller, now).await?;
    step_up::ensure_recent(proved_at, now + step_up::MARGIN)?;
    Ok(Response::new(pb::CheckReauthenticationResponse {}))
}

async fn prove(service: &AuthService, caller: Session, proof: IdentityProof, browser: &Browser) -> Result<(), Error> {
    let (account, _) = accounts::get_by_session(&service.db, caller, service.clock.now()).await?;
    let code = match proof {
        IdentityProof::Password(password) => {
            verify_password(service, &account, password, "password", browser).await?;
            None
        }
        IdentityProof::Code(code) => Some(code),
    };
    let (member, now) = (caller.member, service.clock.now());
    let mut tx = db::begin(&service.db).await?;
    let locked = accounts::lock_with_session(&mut tx, caller, now).await?;
    let proven = match code {
        // The password may have been changed since its verification.
        None if account.password_hash == locked.password_hash => true,
        None => return Err(Error::password_wrong("password")),
        Some(code) => code.consume(&mut tx, member, now).await?,
    };
    if !proven {
        tx.rollback().await?;
        service.record_later(member, AuditEvent::CodeRefused, browser);
        return Err(Error::code_wrong());
    }
    step_up::record_proof(&mut tx, caller, now).await?;
    service.record(&mut tx, member, AuditEvent::Reauthenticated, Some(browser)).await?;
    tx.commit().await?;
    Ok(())
}

pub(super) async fn verify_password(
    service: &AuthService,
    account: &Account,
    password: Password,
    field: &str,
    browser: &Browser,
) -> Result<(), Error> {
    match service.hashing.verify(password, Some(&account.password_hash)).await? {
        Verification::Match { .. } => Ok(()),
        Verification::Mismatch => {
            service.record_later(account.id, AuditEvent::PasswordRefused, browser);
            Err(Error::password_wrong(field))
        }
    }
}
