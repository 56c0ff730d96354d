//! Every RPC: who asks, parse, call, answer. Owns the transactions; the only one who commits.

use std::sync::Arc;

use chassis::{
    actor::{Actor, Signer},
    clock::Clock,
    db,
    ids::Ids,
    lifecycle::Tasks,
    outbox::Outbox,
};
use portia_proto::auth::{
    self as proto, LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, RegisterRequest, RegisterResponse,
    ResolveSessionRequest, ResolveSessionResponse, auth_service_server::AuthService,
};
use sqlx::PgPool;
use tonic::{Request, Response, Status};

use crate::{
    accounts::{self, Account},
    audit::{self, Event},
    convert::{Browser, Credentials, NewAccount, timestamp},
    error::Error,
    facts,
    hashing::{Hashing, Verdict},
    password::{Password, Policy},
    sessions::{self, NewSession, Session, Token},
};

/// The only process that may ask.
const GATEWAY: &str = "gateway";

/// portia.auth.v1.AuthService.
pub struct Rpc {
    /// The pool on schema auth.
    pub db: PgPool,
    /// Where facts are told.
    pub outbox: Outbox,
    /// The time.
    pub clock: Clock,
    /// Makes ids of sessions and audit rows.
    pub ids: Ids,
    /// Hashes passwords.
    pub hashing: Hashing,
    /// Which new passwords are taken.
    pub policy: Policy,
    /// Signs member tokens.
    pub signer: Arc<Signer>,
    /// Ends after what it was given.
    pub tasks: Tasks,
}

#[tonic::async_trait]
impl AuthService for Rpc {
    async fn register(&self, request: Request<RegisterRequest>) -> Result<Response<RegisterResponse>, Status> {
        Actor::require_service(&request, GATEWAY)?;
        let new = NewAccount::parse(request.into_inner(), self.policy).map_err(Error::from)?;
        let (username, session) = self.create(new).await?;
        Ok(Response::new(RegisterResponse { username, session: Some(opened(&session)) }))
    }

    async fn login(&self, request: Request<LoginRequest>) -> Result<Response<LoginResponse>, Status> {
        Actor::require_service(&request, GATEWAY)?;
        let credentials = Credentials::try_from(request.into_inner()).map_err(Error::from)?;
        let account = accounts::named(&self.db, &credentials.username).await?;
        let (account, session) = self.sign_in(account, credentials.password, credentials.browser).await?;
        Ok(Response::new(LoginResponse { member_id: account.id.to_string(), session: Some(opened(&session)) }))
    }

    async fn logout(&self, request: Request<LogoutRequest>) -> Result<Response<LogoutResponse>, Status> {
        Actor::require_service(&request, GATEWAY)?;
        let Some(token) = Token::read(&request.get_ref().session_token) else {
            return Ok(Response::new(LogoutResponse { session_id: None }));
        };
        let mut tx = db::begin(&self.db).await.map_err(Error::from)?;
        let ended = sessions::end(&mut tx, &token).await?;
        if let Some(Session { id, member }) = ended {
            let (note, at) = (self.ids.owned_by(member), self.clock.now());
            audit::note(&mut *tx, note, member, Event::SignedOut { session: id }, None, at).await?;
            facts::session_ended(&self.outbox, &mut tx, Session { id, member }, at).await?;
        }
        tx.commit().await.map_err(Error::from)?;
        Ok(Response::new(LogoutResponse { session_id: ended.map(|session| session.id.to_string()) }))
    }

    async fn resolve_session(
        &self,
        request: Request<ResolveSessionRequest>,
    ) -> Result<Response<ResolveSessionResponse>, Status> {
        Actor::require_service(&request, GATEWAY)?;
        let token = Token::read(&request.get_ref().session_token).ok_or(Error::SessionEnded)?;
        let now = self.clock.now();
        let session = sessions::resolve(&self.db, &token, now).await?;
        let (member_token, expires) = self.signer.member(session.member, session.id, now).map_err(Error::from)?;
        Ok(Response::new(ResolveSessionResponse {
            member_id: session.member.to_string(),
            session_id: session.id.to_string(),
            member_token,
            expires_at: Some(timestamp(expires)),
        }))
    }
}

impl Rpc {
    /// Creates an account with its first session and its fact. A registration that is sent again, because its answer
    /// was lost, opens another session; the password proves that it is the same one.
    async fn create(&self, new: NewAccount) -> Result<(String, NewSession), Error> {
        let hash = self.hashing.hash(new.password.clone()).await?;
        let session = NewSession::draw(new.id, new.browser.clone(), &self.ids, &self.clock)?;
        let mut tx = db::begin(&self.db).await?;
        if accounts::create(&mut tx, &new, &hash, &session, &self.ids, &self.clock).await? {
            facts::registered(&self.outbox, &mut tx, &new, self.clock.now()).await?;
            tx.commit().await?;
            return Ok((new.username.as_str().to_owned(), session));
        }
        tx.rollback().await?;
        let account = accounts::with_id(&self.db, new.id).await?.filter(|account| account.is_named(&new.username));
        match self.sign_in(account, new.password, new.browser).await {
            Ok((account, session)) => Ok((account.username, session)),
            Err(Error::BadCredentials) => Err(Error::MemberIdTaken),
            Err(error) => Err(error),
        }
    }

    /// Proves a password, then opens a session. No connection is held while the hash is computed.
    async fn sign_in(
        &self,
        account: Option<Account>,
        password: Password,
        browser: Browser,
    ) -> Result<(Account, NewSession), Error> {
        let stored = account.as_ref().map(|account| account.password_hash.as_str());
        let verdict = self.hashing.verify(password, stored).await?;
        let (account, renewed) = match (account, verdict) {
            (Some(account), Verdict::Right { renewed }) => (account, renewed),
            (account, _) => {
                self.note_failure(account, browser);
                return Err(Error::BadCredentials);
            }
        };
        let session = NewSession::draw(account.id, browser, &self.ids, &self.clock)?;
        let mut tx = db::begin(&self.db).await?;
        let proved = match renewed {
            Some(renewed) if accounts::renew_hash(&mut tx, &account, &renewed).await? => renewed,
            _ => account.password_hash.clone(),
        };
        if !sessions::open(&mut tx, &session, account.id, &proved, &self.ids, &self.clock).await? {
            return Err(Error::BadCredentials);
        }
        tx.commit().await?;
        Ok((account, session))
    }

    /// Writes the audit row after the answer: a name that exists must not take longer than one that does not.
    fn note_failure(&self, account: Option<Account>, browser: Browser) {
        let Some(Account { id: member, .. }) = account else { return };
        let (db, id, at) = (self.db.clone(), self.ids.owned_by(member), self.clock.now());
        self.tasks.track(async move {
            Ok(audit::note(&db, id, member, Event::SignInFailed, browser.address.as_deref(), at).await?)
        });
    }
}

fn opened(session: &NewSession) -> proto::Session {
    proto::Session { token: session.token.encoded(), expires_at: Some(timestamp(session.ends_at)) }
}
