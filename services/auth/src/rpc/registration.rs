//! Registration: a new account with its first session.

use tonic::{Request, Response};

use super::{
    AuthService, RpcResult, commit, pb, require_gateway,
    sessions::{Entry, NewBrowser, SignIn, sign_in},
};
use crate::{
    accounts::{self, NewAccount},
    convert::{parse_registration, session_to_pb, trusted_browser_to_pb},
    error::Error,
    recovery::trusted_browsers::{self, NewTrustedBrowser},
    sessions::{NewSession, Session},
};

pub(super) async fn register(
    service: &AuthService,
    request: Request<pb::RegisterRequest>,
) -> RpcResult<pb::RegisterResponse> {
    require_gateway(&request)?;
    let new = parse_registration(request.into_inner(), service.policy)?;
    let sign_in = create(service, new).await?;
    Ok(Response::new(pb::RegisterResponse {
        username: sign_in.username,
        session: Some(session_to_pb(&sign_in.session)),
        trusted_browser: sign_in.trusted_browser.as_ref().map(trusted_browser_to_pb),
    }))
}

/// Creates the account, its first session and its fact. The client repeats a registration when the response was lost:
/// a repetition with the same name and password opens another session.
async fn create(service: &AuthService, new: NewAccount) -> Result<SignIn, Error> {
    let hash = service.hashing.hash(new.password.clone()).await?;
    let shared_browser = new.trust.token.clone().filter(|_| new.trust.is_shared);
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    let session = NewSession::new(work, new.id, new.browser.clone())?;
    let trusted_browser = NewTrustedBrowser::new(new.trust.clone(), work.now)?;
    if accounts::create(work, &new, &hash, &session).await? {
        if let Some(trusted_browser) = &trusted_browser {
            let first = Session { id: session.id, member: new.id };
            trusted_browsers::rotate(work.db, trusted_browser, first, &new.browser, work.now).await?;
        }
        if let Some(token) = &shared_browser {
            trusted_browsers::delete_of_browser(work.db, token).await?;
        }
        commit(tx).await?;
        let username = new.username.as_str().to_owned();
        return Ok(SignIn { member: new.id, username, session, trusted_browser, reopened: false });
    }
    tx.rollback().await?;
    let account =
        accounts::find_by_id(&service.db, new.id).await?.filter(|account| account.has_username(&new.username));
    let entry = Entry { code: None, browser: new.browser, trust: new.trust, new_browser: NewBrowser::Expected };
    match sign_in(service, account, new.password, entry).await {
        // An account with a second factor is not a registration that the client repeats after a lost response.
        Err(Error::BadCredentials | Error::SecondFactorRequired) => Err(Error::MemberIdTaken),
        other => other,
    }
}
