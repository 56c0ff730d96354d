//! Every RPC: who asks, parse, call, answer. The transactions are in the two files beside; nobody else commits.

mod door;
mod own;

use std::sync::Arc;

use chassis::lifecycle::Tasks;
use outbox::Outbox;
use portia_proto::auth::{self as proto, auth_service_server::AuthService};
use primitives::{
    clock::Clock,
    ids::{self, Ids},
};
use rpc::identity::{Actor, Signer};
use sqlx::{PgConnection, PgPool};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    accounts,
    audit::{self, Event},
    convert::{self, Browser, Credentials, NewAccount, NewPassword, Offer, Reproof, Username, timestamp},
    error::Error,
    export::{Exports, Records},
    hashing::Hashing,
    password::Policy,
    recovery, reset,
    sessions::{self, NewSession, Session},
    token::Token,
    trusted::NewTrust,
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
    /// What members take home.
    pub exports: Exports,
    /// Ends after what it was given.
    pub tasks: Tasks,
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl AuthService for Rpc {
    type ExportMemberStream = Records;

    async fn register(&self, request: Request<proto::RegisterRequest>) -> Answer<proto::RegisterResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let new = NewAccount::parse(request.into_inner(), self.policy).map_err(Error::from)?;
        let admitted = self.create(new).await?;
        Ok(Response::new(proto::RegisterResponse {
            username: admitted.username,
            session: Some(handed_out(&admitted.session)),
            trusted_browser: admitted.trust.as_ref().map(trusted),
        }))
    }

    async fn login(&self, request: Request<proto::LoginRequest>) -> Answer<proto::LoginResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let credentials = Credentials::try_from(request.into_inner()).map_err(Error::from)?;
        let admitted = self.log_in(credentials).await?;
        Ok(Response::new(proto::LoginResponse {
            member_id: admitted.member.to_string(),
            session: Some(handed_out(&admitted.session)),
            trusted_browser: admitted.trust.as_ref().map(trusted),
            reopened: admitted.reopened,
        }))
    }

    async fn logout(&self, request: Request<proto::LogoutRequest>) -> Answer<proto::LogoutResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let ended = match Token::read(&request.get_ref().session_token) {
            Some(token) => self.sign_out(&token).await?,
            None => None,
        };
        Ok(Response::new(proto::LogoutResponse { session_id: ended.map(|id| id.to_string()) }))
    }

    async fn resolve_session(
        &self,
        request: Request<proto::ResolveSessionRequest>,
    ) -> Answer<proto::ResolveSessionResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let token = Token::read(&request.get_ref().session_token).ok_or(Error::SessionEnded)?;
        let now = self.clock.now();
        let session = sessions::resolve(&self.db, &token, now).await?;
        let (member_token, expires) = self.signer.member(session.member, session.id, now).map_err(Error::from)?;
        Ok(Response::new(proto::ResolveSessionResponse {
            member_id: session.member.to_string(),
            session_id: session.id.to_string(),
            member_token,
            expires_at: Some(timestamp(expires)),
        }))
    }

    async fn check_username(
        &self,
        request: Request<proto::CheckUsernameRequest>,
    ) -> Answer<proto::CheckUsernameResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let username = Username::parse(&request.get_ref().username).map_err(Error::from)?;
        let (browser, now) = (convert::brought(&request.get_ref().trusted_browser_token), self.clock.now());
        let account = accounts::named(&self.db, &username, now).await?.ok_or(Error::AccountNotFound)?;
        let methods = reset::methods(&self.db, account.id, browser, now).await?;
        Ok(Response::new(proto::CheckUsernameResponse { methods: methods.into_iter().map(Into::into).collect() }))
    }

    async fn reset_password(
        &self,
        request: Request<proto::ResetPasswordRequest>,
    ) -> Answer<proto::ResetPasswordResponse> {
        Actor::require_service(&request, GATEWAY)?;
        let offer = Offer::parse(request.into_inner(), self.policy).map_err(Error::from)?;
        let (member, ended) = self.reset(offer).await?;
        Ok(Response::new(proto::ResetPasswordResponse {
            member_id: member.to_string(),
            ended_session_ids: texts(&ended),
        }))
    }

    async fn change_password(
        &self,
        request: Request<proto::ChangePasswordRequest>,
    ) -> Answer<proto::ChangePasswordResponse> {
        let asking = asking(&request)?;
        let change = NewPassword::try_from(request.into_inner()).map_err(Error::from)?;
        let ended = self.change(asking, change).await?;
        Ok(Response::new(proto::ChangePasswordResponse { ended_session_ids: texts(&ended) }))
    }

    async fn list_sessions(&self, request: Request<proto::ListSessionsRequest>) -> Answer<proto::ListSessionsResponse> {
        let asking = asking(&request)?;
        let listed = sessions::list(&self.db, asking, self.clock.now()).await?;
        let sessions = listed.into_iter().map(|session| convert::open_session(session, asking.id)).collect();
        Ok(Response::new(proto::ListSessionsResponse { sessions }))
    }

    async fn end_sessions(&self, request: Request<proto::EndSessionsRequest>) -> Answer<proto::EndSessionsResponse> {
        let asking = asking(&request)?;
        let id = request.get_ref().session_id.as_deref().map(|id| ids::parse("sessionId", id));
        let ended = self.end(asking, id.transpose().map_err(Error::from)?).await?;
        Ok(Response::new(proto::EndSessionsResponse { ended_session_ids: texts(&ended) }))
    }

    async fn get_recovery_codes(
        &self,
        request: Request<proto::GetRecoveryCodesRequest>,
    ) -> Answer<proto::GetRecoveryCodesResponse> {
        let left = recovery::left(&self.db, asking(&request)?, self.clock.now()).await?;
        Ok(Response::new(proto::GetRecoveryCodesResponse {
            remaining: i32::try_from(left.remaining).unwrap_or(i32::MAX),
            made_at: left.made_at.map(timestamp),
        }))
    }

    async fn renew_recovery_codes(
        &self,
        request: Request<proto::RenewRecoveryCodesRequest>,
    ) -> Answer<proto::RenewRecoveryCodesResponse> {
        let asking = asking(&request)?;
        let again = Reproof::try_from(request.into_inner()).map_err(Error::from)?;
        let codes = self.renew_codes(asking, again).await?;
        Ok(Response::new(proto::RenewRecoveryCodesResponse {
            codes: codes.iter().map(recovery::Code::shown).collect(),
        }))
    }

    async fn close_account(&self, request: Request<proto::CloseAccountRequest>) -> Answer<proto::CloseAccountResponse> {
        let asking = asking(&request)?;
        let confirmation = request.get_ref().confirmation.clone();
        let again = Reproof::try_from(request.into_inner()).map_err(Error::from)?;
        let (ended, erased_at) = self.close(asking, &confirmation, again).await?;
        Ok(Response::new(proto::CloseAccountResponse {
            ended_session_ids: texts(&ended),
            erased_at: Some(timestamp(erased_at)),
        }))
    }

    async fn export_member(&self, request: Request<proto::ExportMemberRequest>) -> Answer<Records> {
        let (asking, now) = (asking(&request)?, self.clock.now());
        accounts::signed_in(&self.db, asking, now).await?;
        let note = self.ids.owned_by(asking.member);
        audit::note(&self.db, note, asking.member, Event::Exported, None, now).await?;
        Ok(Response::new(self.exports.stream(asking.member)))
    }
}

impl Rpc {
    /// Notes what happened, in the transaction in which it does.
    async fn note(
        &self,
        conn: &mut PgConnection,
        member: Uuid,
        event: Event,
        browser: Option<&Browser>,
    ) -> Result<(), Error> {
        let address = browser.and_then(|browser| browser.address.as_deref());
        audit::note(conn, self.ids.owned_by(member), member, event, address, self.clock.now()).await
    }

    /// Notes what was refused, after the answer: a name that exists must not take longer than one that does not.
    fn note_later(&self, member: Uuid, event: Event, browser: &Browser) {
        let (db, id, at) = (self.db.clone(), self.ids.owned_by(member), self.clock.now());
        let address = browser.address.clone();
        self.tasks.track(async move { Ok(audit::note(&db, id, member, event, address.as_deref(), at).await?) });
    }
}

/// The member who asks and the session they are signed in with. Whether it is still in force the database knows.
fn asking<T>(request: &Request<T>) -> Result<Session, Status> {
    match Actor::of(request)? {
        Actor::Member { id, session } => Ok(Session { id: *session, member: *id }),
        Actor::Service(_) => Err(Error::SessionEnded.into()),
    }
}

fn handed_out(session: &NewSession) -> proto::Session {
    proto::Session { token: session.token.encoded(), expires_at: Some(timestamp(session.ends_at)) }
}

fn trusted(trust: &NewTrust) -> proto::TrustedBrowser {
    proto::TrustedBrowser { token: trust.token.encoded(), expires_at: Some(timestamp(trust.expires_at)) }
}

fn texts(ids: &[Uuid]) -> Vec<String> {
    ids.iter().map(Uuid::to_string).collect()
}
