//! Passwords: the two steps of a reset, and a change by a signed-in member.
//!
//! Both lock the account's row before its dependent rows, and hold no connection while a hash is computed.

use tonic::{Request, Response};
use uuid::Uuid;

use super::{
    AuthService, RpcResult, caller, commit, pb, reauthentication::verify_password, require_gateway, to_strings,
};
use crate::{
    accounts,
    audit::AuditEvent,
    convert::{self, PasswordChange, PasswordReset, ResetCode, timestamp},
    credentials::common_passwords,
    error::Error,
    passwords::{self, ChangedPassword},
    reset_proofs,
    second_factor::totp,
    sessions::Session,
};

pub(super) async fn check_username(
    service: &AuthService,
    request: Request<pb::CheckUsernameRequest>,
) -> RpcResult<pb::CheckUsernameResponse> {
    require_gateway(&request)?;
    let username = convert::parse_username(&request.get_ref().username).map_err(Error::from)?;
    let browser = convert::parse_browser_token(&request.get_ref().trusted_browser_token);
    let now = service.clock.now();
    let account = accounts::find_by_username(&mut *service.connection().await?, &username, now)
        .await?
        .ok_or(Error::AccountNotFound)?;
    let methods = reset_proofs::list_methods(&service.db, account.id, browser, now).await?;
    Ok(Response::new(pb::CheckUsernameResponse { methods: methods.into_iter().map(Into::into).collect() }))
}

/// Touches no account: the response depends on the request and the configuration only.
#[expect(clippy::unused_async, reason = "it is forwarded like the other RPCs")]
pub(super) async fn check(
    service: &AuthService,
    request: Request<pb::CheckPasswordRequest>,
) -> RpcResult<pb::CheckPasswordResponse> {
    require_gateway(&request)?;
    let prefix = convert::parse_hash_prefix(&request.get_ref().hash_prefix).map_err(Error::from)?;
    Ok(Response::new(pb::CheckPasswordResponse {
        min_length: i32::try_from(service.policy.min_length()).unwrap_or(i32::MAX),
        hash_suffixes: prefix.map(common_passwords::list_suffixes).unwrap_or_default(),
    }))
}

pub(super) async fn reset(
    service: &AuthService,
    request: Request<pb::ResetPasswordRequest>,
) -> RpcResult<pb::ResetPasswordResponse> {
    require_gateway(&request)?;
    let reset = PasswordReset::parse(request.into_inner(), service.policy).map_err(Error::from)?;
    let (member, ended) = apply_reset(service, reset).await?;
    Ok(Response::new(pb::ResetPasswordResponse {
        member_id: member.to_string(),
        ended_session_ids: to_strings(&ended),
    }))
}

pub(super) async fn change(
    service: &AuthService,
    request: Request<pb::ChangePasswordRequest>,
) -> RpcResult<pb::ChangePasswordResponse> {
    let caller = caller(&request)?;
    let change = PasswordChange::try_from(request.into_inner()).map_err(Error::from)?;
    let changed = apply_change(service, caller, change).await?;
    Ok(Response::new(pb::ChangePasswordResponse {
        ended_session_ids: to_strings(&changed.ended),
        session: Some(pb::Session { token: changed.token.encoded(), expires_at: Some(timestamp(changed.ends_at)) }),
        was_trusted: changed.was_trusted,
    }))
}

/// Returns the member and the ended sessions.
async fn apply_reset(service: &AuthService, reset: PasswordReset) -> Result<(Uuid, Vec<Uuid>), Error> {
    let now = service.clock.now();
    let Some(account) = accounts::find_by_username(&mut *service.connection().await?, &reset.username, now).await?
    else {
        reset.proof.refuse_without_account(&service.db, now).await?;
        return Err(Error::AccountNotFound);
    };
    let (mut proof, member) = (reset.proof, account.id);
    if let Err(error) = proof.verify(&service.db, member, now).await {
        let is_refused = matches!(
            error,
            Error::ProofMissing | Error::ProofRefused | Error::PasskeyProofRefused | Error::PasskeyExpired
        );
        if is_refused {
            service.record_later(member, AuditEvent::ResetRefused, &reset.browser);
        }
        return Err(error);
    }
    if proof.needs_app() && reset.code.is_none() && totp::is_set_up(&mut *service.connection().await?, member).await? {
        service.record_later(member, AuditEvent::SecondFactorMissing, &reset.browser);
        return Err(Error::SecondFactorRequired);
    }
    let hash = service.hashing.hash(reset.password).await?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    if !accounts::set_password_hash(work.db, member, &hash, work.now).await? {
        return Err(Error::AccountNotFound);
    }
    proof.consume(work.db, member, work.now).await?;
    if proof.needs_app() && totp::is_set_up(&mut *work.db, member).await? {
        let Some(ResetCode(code)) = reset.code else { return Err(Error::SecondFactorRequired) };
        let is_valid = match code {
            Some(code) => totp::consume(work.db, member, &code, &service.secrets, work.now).await?,
            None => false,
        };
        if !is_valid {
            tx.rollback().await?;
            service.record_later(member, AuditEvent::CodeRefused, &reset.browser);
            return Err(Error::second_factor_wrong());
        }
    }
    let ended = passwords::complete_reset(work, member, &proof, &reset.browser).await?;
    commit(tx).await?;
    Ok((member, ended))
}

async fn apply_change(
    service: &AuthService,
    caller: Session,
    change: PasswordChange,
) -> Result<ChangedPassword, Error> {
    let (account, _) = accounts::get_by_session(&service.db, caller, service.clock.now()).await?;
    change.validate(service.policy, &account.username)?;
    let PasswordChange { current, new, browser } = change;
    verify_password(service, &account, current, "currentPassword", &browser).await?;
    let hash = service.hashing.hash(new).await?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_password(work, caller).await?;
    if !accounts::replace_password_hash(work.db, &account, &hash).await? {
        return Err(Error::password_wrong("currentPassword"));
    }
    let changed = passwords::complete_change(work, caller, &browser).await?;
    commit(tx).await?;
    Ok(changed)
}
