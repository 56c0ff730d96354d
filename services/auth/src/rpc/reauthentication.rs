//! Reauthentication: the member of a session proves again that the session is theirs.
//!
//! A password and a passkey are verified without a lock; then the account is locked, and the hashes are compared or the use of the
//! passkey is recorded.

use tonic::{Request, Response};

use super::{AuthService, RpcResult, caller, commit, pb};
use crate::{
    accounts::{self, Account},
    audit::{self, AuditEvent},
    convert::{IdentityProof, Reauthentication},
    credentials::{hashing::Verification, password::Password},
    error::Error,
    passkeys::{
        Purpose,
        credentials::{self, Assertion, VerifiedUse},
    },
    second_factor::OneTimeCode,
    sessions::{Browser, Session},
    step_up::{self, ProofKind},
};

pub(super) async fn reauthenticate(
    service: &AuthService,
    request: Request<pb::ReauthenticateRequest>,
) -> RpcResult<pb::ReauthenticateResponse> {
    let caller = caller(&request)?;
    let Reauthentication { proof, browser } = Reauthentication::try_from(request.into_inner())?;
    prove(service, caller, proof, &browser).await?;
    Ok(Response::new(pb::ReauthenticateResponse {}))
}

pub(super) async fn check(
    service: &AuthService,
    request: Request<pb::CheckReauthenticationRequest>,
) -> RpcResult<pb::CheckReauthenticationResponse> {
    let (caller, now) = (caller(&request)?, service.clock.now());
    let (_, proofs) = accounts::get_by_session(&service.db, caller, now).await?;
    proofs.ensure_recent(now + step_up::MARGIN)?;
    Ok(Response::new(pb::CheckReauthenticationResponse {}))
}

async fn prove(service: &AuthService, caller: Session, proof: IdentityProof, browser: &Browser) -> Result<(), Error> {
    let (account, _) = accounts::get_by_session(&service.db, caller, service.clock.now()).await?;
    let verified = match proof {
        IdentityProof::Password(password) => {
            verify_password(service, &account, password, "password", browser).await?;
            Verified::Password
        }
        IdentityProof::Code(code) => Verified::Code(code),
        IdentityProof::Passkey(assertion) => {
            Verified::Passkey(verify_passkey(service, caller, &assertion, browser).await?)
        }
    };
    let member = caller.member;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let locked = match &verified {
        Verified::Password => accounts::lock_with_password(work, caller).await,
        Verified::Code(_) | Verified::Passkey(_) => accounts::lock_with_session(work, caller).await,
    };
    if matches!(locked, Err(Error::StepUpRequired(_))) {
        tx.rollback().await?;
        service.record_later(member, AuditEvent::SecondFactorMissing, browser);
        return Err(Error::second_factor_proof_required());
    }
    let locked = locked?;
    let (kind, refused) = match verified {
        // The password may have been changed since its verification.
        Verified::Password if account.password_hash == locked.password_hash => (ProofKind::Password, None),
        Verified::Password => return Err(Error::password_wrong("password")),
        Verified::Code(code) => {
            let is_valid = code.consume(work.db, member, &service.secrets, work.now).await?;
            (ProofKind::SecondFactor, (!is_valid).then(|| (AuditEvent::CodeRefused, Error::code_wrong())))
        }
        Verified::Passkey(passkey) => {
            let is_valid = credentials::record_use(work.db, passkey, work.now).await?;
            (ProofKind::SecondFactor, (!is_valid).then_some((AuditEvent::PasskeyRefused, Error::PasskeyWrong)))
        }
    };
    if let Some((event, error)) = refused {
        tx.rollback().await?;
        service.record_later(member, event, browser);
        return Err(error);
    }
    step_up::record_proof(work.db, caller, kind, work.now).await?;
    audit::record(work, member, AuditEvent::Reauthenticated, Some(browser)).await?;
    commit(tx).await
}

/// A proof whose first part was verified.
enum Verified {
    Password,
    Code(OneTimeCode),
    Passkey(VerifiedUse),
}

async fn verify_passkey(
    service: &AuthService,
    caller: Session,
    assertion: &Assertion,
    browser: &Browser,
) -> Result<VerifiedUse, Error> {
    let verified = credentials::verify(&service.db, Purpose::Proof(caller), assertion, service.clock.now()).await?;
    match verified {
        Ok((verified, _)) if verified.member == caller.member => Ok(verified),
        _ => {
            service.record_later(caller.member, AuditEvent::PasskeyRefused, browser);
            Err(Error::PasskeyWrong)
        }
    }
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
