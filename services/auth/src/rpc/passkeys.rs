//! Passkeys: list, create, rename and remove; the sign-in by passkey.

use primitives::ids;
use serde::Serialize;
use tonic::{Request, Response};
use webauthn_rs::prelude::PasskeyRegistration;

use super::{
    AuthService, RpcResult, caller, commit, pb, require_gateway,
    sessions::{Entry, NewBrowser, SignIn, Verified, create_session},
};
use crate::{
    accounts,
    audit::AuditEvent,
    convert::{NewPasskey, PasskeyLogin, parse_passkey_name, passkey_to_pb, session_to_pb, trusted_browser_to_pb},
    error::Error,
    moderators,
    passkeys::{
        Purpose, RelyingParty, ceremonies,
        credentials::{self, Refusal, StoredPasskey},
    },
    sessions::{self, Session},
};

pub(super) async fn list(
    service: &AuthService,
    request: Request<pb::ListPasskeysRequest>,
) -> RpcResult<pb::ListPasskeysResponse> {
    let listed = credentials::list(&service.db, caller(&request)?, service.clock.now()).await?;
    Ok(Response::new(pb::ListPasskeysResponse { passkeys: listed.into_iter().map(passkey_to_pb).collect() }))
}

pub(super) async fn start_registration(
    service: &AuthService,
    request: Request<pb::StartPasskeyRegistrationRequest>,
) -> RpcResult<pb::StartPasskeyRegistrationResponse> {
    let caller = caller(&request)?;
    let relying_party = RelyingParty::new(&request.get_ref().origin)?;
    let (ceremony, options) = begin_registration(service, caller, &relying_party).await?;
    Ok(Response::new(pb::StartPasskeyRegistrationResponse { ceremony, options }))
}

pub(super) async fn create(
    service: &AuthService,
    request: Request<pb::CreatePasskeyRequest>,
) -> RpcResult<pb::CreatePasskeyResponse> {
    let caller = caller(&request)?;
    let new = NewPasskey::parse(request.into_inner())?;
    let passkey = store(service, caller, new).await?;
    Ok(Response::new(pb::CreatePasskeyResponse { passkey: Some(passkey_to_pb(passkey)) }))
}

pub(super) async fn update(
    service: &AuthService,
    request: Request<pb::UpdatePasskeyRequest>,
) -> RpcResult<pb::UpdatePasskeyResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    let id = ids::parse("id", &request.id).map_err(Error::from)?;
    let name = parse_passkey_name(&request.name).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_session(work, caller).await?;
    let passkey = credentials::rename(work, caller, id, &name, &request.browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdatePasskeyResponse { passkey: Some(passkey_to_pb(passkey)) }))
}

pub(super) async fn delete(
    service: &AuthService,
    request: Request<pb::DeletePasskeyRequest>,
) -> RpcResult<pb::DeletePasskeyResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    let id = ids::parse("id", &request.id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_proof(work, caller).await?;
    credentials::delete(work, caller, id, &request.browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeletePasskeyResponse {}))
}

pub(super) async fn start_authentication(
    service: &AuthService,
    request: Request<pb::StartPasskeyAuthenticationRequest>,
) -> RpcResult<pb::StartPasskeyAuthenticationResponse> {
    require_gateway(&request)?;
    let purpose = match request.get_ref().r#use() {
        pb::PasskeyUse::Reset => Purpose::Reset,
        pb::PasskeyUse::SignIn | pb::PasskeyUse::Unspecified => Purpose::SignIn,
    };
    let (options, state) = RelyingParty::new(&request.get_ref().origin)?.start_authentication()?;
    let ceremony = ceremonies::create(&service.db, purpose, &state, service.clock.now()).await?.encoded();
    let options = to_json(&options.public_key)?;
    Ok(Response::new(pb::StartPasskeyAuthenticationResponse { ceremony, options }))
}

/// Begins a proof in the session of the caller.
pub(super) async fn start_proof(
    service: &AuthService,
    request: Request<pb::StartPasskeyProofRequest>,
) -> RpcResult<pb::StartPasskeyProofResponse> {
    let (caller, now) = (caller(&request)?, service.clock.now());
    let relying_party = RelyingParty::new(&request.get_ref().origin)?;
    sessions::ensure_valid(&service.db, caller, now).await?;
    let (options, state) = relying_party.start_authentication()?;
    let ceremony = ceremonies::create(&service.db, Purpose::Proof(caller), &state, now).await?.encoded();
    let options = to_json(&options.public_key)?;
    Ok(Response::new(pb::StartPasskeyProofResponse { ceremony, options }))
}

pub(super) async fn login(
    service: &AuthService,
    request: Request<pb::LoginWithPasskeyRequest>,
) -> RpcResult<pb::LoginWithPasskeyResponse> {
    require_gateway(&request)?;
    let login = PasskeyLogin::try_from(request.into_inner())?;
    let sign_in = sign_in(service, login).await?;
    let moderator = moderators::is_moderator(&mut *service.connection().await?, sign_in.member).await?;
    Ok(Response::new(pb::LoginWithPasskeyResponse {
        moderator,
        member_id: sign_in.member.to_string(),
        username: sign_in.username,
        session: Some(session_to_pb(&sign_in.session)),
        trusted_browser: sign_in.trusted_browser.as_ref().map(trusted_browser_to_pb),
        reopened: sign_in.reopened,
    }))
}

/// Returns the token of the ceremony and the options.
async fn begin_registration(
    service: &AuthService,
    caller: Session,
    relying_party: &RelyingParty,
) -> Result<(String, String), Error> {
    let now = service.clock.now();
    let (account, proofs) = accounts::get_by_session(&service.db, caller, now).await?;
    // The proof must count until the end of the ceremony: a key that the server refuses would stay on the device.
    proofs.ensure_recent(now + ceremonies::LIFETIME)?;
    let existing = credentials::list_credential_ids(&service.db, caller.member).await?;
    let (options, state) = relying_party.start_registration(caller.member, &account.username, existing)?;
    let token = ceremonies::create(&service.db, Purpose::Registration(caller), &state, now).await?;
    Ok((token.encoded(), to_json(&options.public_key)?))
}

async fn store(service: &AuthService, caller: Session, new: NewPasskey) -> Result<StoredPasskey, Error> {
    let purpose = Purpose::Registration(caller);
    let now = service.clock.now();
    let state: PasskeyRegistration = ceremonies::take(&service.db, purpose, new.ceremony.as_ref(), now).await?;
    let credential = new.relying_party.finish_registration(&new.credential, &state)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_proof(work, caller).await?;
    let passkey = credentials::create(work, caller, &new.name, &credential, &new.browser).await?;
    commit(tx).await?;
    Ok(passkey)
}

async fn sign_in(service: &AuthService, login: PasskeyLogin) -> Result<SignIn, Error> {
    let PasskeyLogin { assertion, browser, trust } = login;
    match credentials::verify(&service.db, Purpose::SignIn, &assertion, service.clock.now()).await? {
        Ok((verified, account)) => {
            let entry = Entry { code: None, browser, trust, new_browser: NewBrowser::Notice };
            create_session(service, account, Verified::Passkey(verified), entry).await
        }
        Err(refusal) => {
            if let Refusal::Invalid(member) = refusal {
                service.record_later(member, AuditEvent::SignInFailed, &browser);
            }
            Err(Error::BadCredentials)
        }
    }
}

fn to_json(options: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(options).map_err(Error::PasskeyState)
}
