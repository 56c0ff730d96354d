//! Sessions: login, logout, resolve, list and end.

use primitives::ids;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{AuthService, RpcResult, caller, commit, pb, require_gateway, to_strings};
use crate::{
    accounts::{self, Account},
    audit::AuditEvent,
    convert::{
        Credentials, session_summary_to_pb, session_to_pb, timestamp, trusted_browser_to_pb, trusted_summary_to_pb,
    },
    credentials::{hashing::Verification, password::Password, token::Token},
    error::Error,
    known_browsers, moderators,
    passkeys::credentials::{self, VerifiedUse},
    recovery::trusted_browsers::{self, NewTrustedBrowser, TrustRequest},
    second_factor::{OneTimeCode, totp},
    sessions::{self, AccountState, Browser, NewSession, ResolvedSession, Session},
    sign_in::{self, SignedIn},
    sign_out,
    suspension::appeals,
};

/// The result of a successful sign-in.
pub(super) struct SignIn {
    pub(super) member: Uuid,
    pub(super) username: String,
    pub(super) session: NewSession,
    /// None on a shared computer.
    pub(super) trusted_browser: Option<NewTrustedBrowser>,
    /// The sign-in reactivated a closed account.
    pub(super) reopened: bool,
}

pub(super) async fn login(service: &AuthService, request: Request<pb::LoginRequest>) -> RpcResult<pb::LoginResponse> {
    require_gateway(&request)?;
    let Credentials { username, password, code, browser, trust } =
        Credentials::try_from(request.into_inner()).map_err(Error::from)?;
    let account = accounts::find_by_username(&mut *service.connection().await?, &username, service.clock.now()).await?;
    let entry = Entry { code, browser, trust, new_browser: NewBrowser::Notice };
    let sign_in = sign_in(service, account, password, entry).await?;
    let moderator = moderators::is_moderator(&mut *service.connection().await?, sign_in.member).await?;
    Ok(Response::new(pb::LoginResponse {
        moderator,
        member_id: sign_in.member.to_string(),
        session: Some(session_to_pb(&sign_in.session)),
        trusted_browser: sign_in.trusted_browser.as_ref().map(trusted_browser_to_pb),
        reopened: sign_in.reopened,
    }))
}

pub(super) async fn logout(
    service: &AuthService,
    request: Request<pb::LogoutRequest>,
) -> RpcResult<pb::LogoutResponse> {
    require_gateway(&request)?;
    let Some(token) = Token::parse(&request.get_ref().session_token) else {
        return Ok(Response::new(pb::LogoutResponse::default()));
    };
    let mut tx = service.begin().await?;
    let ended = sign_out::by_token(&mut service.work(&mut tx), &token).await?;
    commit(tx).await?;
    Ok(Response::new(pb::LogoutResponse { session_id: ended.map(|id| id.to_string()) }))
}

pub(super) async fn resolve(
    service: &AuthService,
    request: Request<pb::ResolveSessionRequest>,
) -> RpcResult<pb::ResolveSessionResponse> {
    require_gateway(&request)?;
    let token = Token::parse(&request.get_ref().session_token).ok_or(Error::SessionEnded)?;
    let now = service.clock.now();
    let resolved = sessions::resolve(&mut *service.connection().await?, &token, now).await?;
    let signed = service.tokens.of(&resolved, now).map_err(Error::from)?;
    let (tokens, expires) = &*signed;
    let token =
        |(audience, token): &(&str, String)| pb::MemberToken { audience: (*audience).to_owned(), token: token.clone() };
    let member_tokens = tokens.iter().map(token).collect();
    let ResolvedSession { session, moderator } = resolved;
    Ok(Response::new(pb::ResolveSessionResponse {
        member_id: session.member.to_string(),
        session_id: session.id.to_string(),
        member_tokens,
        expires_at: Some(timestamp(*expires)),
        moderator,
    }))
}

pub(super) async fn list(
    service: &AuthService,
    request: Request<pb::ListSessionsRequest>,
) -> RpcResult<pb::ListSessionsResponse> {
    let caller = caller(&request)?;
    let summaries = sessions::list(&service.db, caller, service.clock.now()).await?;
    let sessions = summaries.into_iter().map(|session| session_summary_to_pb(session, caller.id)).collect();
    Ok(Response::new(pb::ListSessionsResponse { sessions }))
}

pub(super) async fn list_trusted_browsers(
    service: &AuthService,
    request: Request<pb::ListTrustedBrowsersRequest>,
) -> RpcResult<pb::ListTrustedBrowsersResponse> {
    let caller = caller(&request)?;
    let summaries = trusted_browsers::list(&service.db, caller, service.clock.now()).await?;
    let trusted_browsers = summaries.into_iter().map(|browser| trusted_summary_to_pb(browser, caller.id)).collect();
    Ok(Response::new(pb::ListTrustedBrowsersResponse { trusted_browsers }))
}

pub(super) async fn delete_trusted_browser(
    service: &AuthService,
    request: Request<pb::DeleteTrustedBrowserRequest>,
) -> RpcResult<pb::DeleteTrustedBrowserResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    let id = ids::parse("sessionId", &request.session_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    accounts::lock_with_session(work, caller).await?;
    trusted_browsers::end(work, caller, id, &request.browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DeleteTrustedBrowserResponse {}))
}

/// Ends one session or all of them.
pub(super) async fn end(
    service: &AuthService,
    request: Request<pb::EndSessionsRequest>,
) -> RpcResult<pb::EndSessionsResponse> {
    let caller = caller(&request)?;
    let request = request.into_inner();
    let id = request.session_id.as_deref().map(|id| ids::parse("sessionId", id));
    let id = id.transpose().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let ended = sign_out::by_owner(&mut service.work(&mut tx), caller, id, &request.browser.into()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::EndSessionsResponse { ended_session_ids: to_strings(&ended) }))
}

/// The consequence of a sign-in on a browser that the account does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NewBrowser {
    /// A security notice.
    Notice,
    /// Nothing: the browser repeats its registration, whose cookies were lost.
    Expected,
}

/// A sign-in, besides the account and its password.
pub(super) struct Entry {
    /// The second factor.
    pub(super) code: Option<OneTimeCode>,
    pub(super) browser: Browser,
    pub(super) trust: TrustRequest,
    pub(super) new_browser: NewBrowser,
}

/// Verifies the password, then opens a session. No connection is held while the hash is computed.
pub(super) async fn sign_in(
    service: &AuthService,
    account: Option<Account>,
    password: Password,
    entry: Entry,
) -> Result<SignIn, Error> {
    let stored = account.as_ref().map(|account| account.password_hash.as_str());
    let verification = service.hashing.verify(password, stored).await?;
    let (account, new_hash) = match (account, verification) {
        (Some(account), Verification::Match { new_hash }) => (account, new_hash),
        (account, _) => {
            if let Some(account) = account {
                service.record_later(account.id, AuditEvent::SignInFailed, &entry.browser);
            }
            return Err(Error::BadCredentials);
        }
    };
    create_session(service, account, Verified::Password { new_hash }, entry).await
}

/// The credential that was verified for a sign-in.
pub(super) enum Verified {
    /// The password, with a hash of the present cost when the stored one has another.
    Password { new_hash: Option<String> },
    /// A passkey, which counts as both factors. Its use is recorded with the session.
    Passkey(VerifiedUse),
}

pub(super) async fn create_session(
    service: &AuthService,
    account: Account,
    verified: Verified,
    Entry { code, browser, trust, new_browser }: Entry,
) -> Result<SignIn, Error> {
    let member = account.id;
    let token = trust.token.clone();
    let shared_browser = token.clone().filter(|_| trust.is_shared);
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let now = work.now;
    let session = NewSession::new(work, member, browser.clone())?;
    let trusted_browser = NewTrustedBrowser::new(trust, now)?;
    let needs_notice =
        new_browser == NewBrowser::Notice && known_browsers::is_new(work.db, member, token.as_deref(), now).await?;
    let verified_hash = match &verified {
        Verified::Password { new_hash: Some(new_hash) }
            if accounts::replace_password_hash(work.db, &account, new_hash).await? =>
        {
            new_hash.clone()
        }
        _ => account.password_hash,
    };
    let state = sessions::create(work, &session, member, &verified_hash).await?;
    let AccountState { was_closed, is_suspended } = state.ok_or(Error::BadCredentials)?;
    let is_passkey = matches!(verified, Verified::Passkey(_));
    let has_second_factor = is_passkey || totp::is_set_up(&mut *work.db, member).await?;
    if has_second_factor && !is_passkey {
        let refused = match code {
            Some(code) if code.consume(work.db, member, &service.secrets, now).await? => None,
            Some(_) => Some((AuditEvent::CodeRefused, Error::second_factor_wrong())),
            None => Some((AuditEvent::SecondFactorMissing, Error::SecondFactorRequired)),
        };
        if let Some((event, error)) = refused {
            tx.rollback().await?;
            service.record_later(member, event, &browser);
            return Err(error);
        }
    }
    if is_suspended {
        tx.rollback().await?;
        service.record_later(member, AuditEvent::SignInRefused, &browser);
        return Err(Error::Suspended(appeals::offer(&mut *service.connection().await?, member, now).await?));
    }
    if let Verified::Passkey(verified) = verified
        && !credentials::record_use(work.db, verified, now).await?
    {
        return Err(Error::BadCredentials);
    }
    let signed_in = SignedIn {
        session: Session { id: session.id, member },
        browser: &browser,
        has_second_factor,
        was_closed,
        trusted_browser: trusted_browser.as_ref(),
        shared_browser: shared_browser.as_deref(),
        needs_notice,
    };
    let reopened = sign_in::complete(work, &signed_in).await?;
    commit(tx).await?;
    Ok(SignIn { member, username: account.username, session, trusted_browser, reopened })
}
