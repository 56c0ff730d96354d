//! The RPCs of portia.auth.v1.AuthService. Each file in `rpc/` holds one feature with its transactions.

mod account;
mod moderation;
mod passkeys;
mod passwords;
mod reauthentication;
mod recovery_codes;
mod registration;
mod sessions;
mod totp;

use chassis::lifecycle::Tasks;
use outbox::Outbox;
use portia_proto::auth::{self as pb, auth_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use sqlx::PgConnection;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    credentials::{hashing::PasswordHashing, password::PasswordPolicy, sealing::SealingKeys},
    error::Error,
    export::{Exporter, RecordStream},
    passkeys::credentials,
    publishing,
    sessions::{Browser, Session, member_tokens::MemberTokens},
};

/// The implementation of the RPCs.
pub struct AuthService {
    /// The pool on schema auth.
    pub db: db::Pool,
    /// Publishes facts.
    pub outbox: Outbox,
    /// The time.
    pub clock: Clock,
    /// Makes ids of sessions and audit rows.
    pub ids: Ids,
    /// Hashes passwords.
    pub hashing: PasswordHashing,
    /// The rules for new passwords.
    pub policy: PasswordPolicy,
    /// Signs member tokens.
    pub tokens: MemberTokens,
    /// Encrypts the secrets of authenticator apps.
    pub secrets: SealingKeys,
    /// Streams the data of a member.
    pub exports: Exporter,
    /// Shutdown waits for these tasks.
    pub tasks: Tasks,
}

type RpcResult<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl auth_service_server::AuthService for AuthService {
    type ExportMemberStream = RecordStream;

    async fn register(&self, request: Request<pb::RegisterRequest>) -> RpcResult<pb::RegisterResponse> {
        registration::register(self, request).await
    }

    async fn login(&self, request: Request<pb::LoginRequest>) -> RpcResult<pb::LoginResponse> {
        sessions::login(self, request).await
    }

    async fn logout(&self, request: Request<pb::LogoutRequest>) -> RpcResult<pb::LogoutResponse> {
        sessions::logout(self, request).await
    }

    async fn resolve_session(
        &self,
        request: Request<pb::ResolveSessionRequest>,
    ) -> RpcResult<pb::ResolveSessionResponse> {
        sessions::resolve(self, request).await
    }

    async fn check_username(&self, request: Request<pb::CheckUsernameRequest>) -> RpcResult<pb::CheckUsernameResponse> {
        passwords::check_username(self, request).await
    }

    async fn check_password(&self, request: Request<pb::CheckPasswordRequest>) -> RpcResult<pb::CheckPasswordResponse> {
        passwords::check(self, &request)
    }

    async fn reset_password(&self, request: Request<pb::ResetPasswordRequest>) -> RpcResult<pb::ResetPasswordResponse> {
        passwords::reset(self, request).await
    }

    async fn change_password(
        &self,
        request: Request<pb::ChangePasswordRequest>,
    ) -> RpcResult<pb::ChangePasswordResponse> {
        passwords::change(self, request).await
    }

    async fn reauthenticate(
        &self,
        request: Request<pb::ReauthenticateRequest>,
    ) -> RpcResult<pb::ReauthenticateResponse> {
        reauthentication::reauthenticate(self, request).await
    }

    async fn check_reauthentication(
        &self,
        request: Request<pb::CheckReauthenticationRequest>,
    ) -> RpcResult<pb::CheckReauthenticationResponse> {
        reauthentication::check(self, request).await
    }

    async fn list_sessions(&self, request: Request<pb::ListSessionsRequest>) -> RpcResult<pb::ListSessionsResponse> {
        sessions::list(self, request).await
    }

    async fn list_trusted_browsers(
        &self,
        request: Request<pb::ListTrustedBrowsersRequest>,
    ) -> RpcResult<pb::ListTrustedBrowsersResponse> {
        sessions::list_trusted_browsers(self, request).await
    }

    async fn delete_trusted_browser(
        &self,
        request: Request<pb::DeleteTrustedBrowserRequest>,
    ) -> RpcResult<pb::DeleteTrustedBrowserResponse> {
        sessions::delete_trusted_browser(self, request).await
    }

    async fn end_sessions(&self, request: Request<pb::EndSessionsRequest>) -> RpcResult<pb::EndSessionsResponse> {
        sessions::end(self, request).await
    }

    async fn get_recovery_codes(
        &self,
        request: Request<pb::GetRecoveryCodesRequest>,
    ) -> RpcResult<pb::GetRecoveryCodesResponse> {
        recovery_codes::get(self, request).await
    }

    async fn renew_recovery_codes(
        &self,
        request: Request<pb::RenewRecoveryCodesRequest>,
    ) -> RpcResult<pb::RenewRecoveryCodesResponse> {
        recovery_codes::renew(self, request).await
    }

    async fn list_passkeys(&self, request: Request<pb::ListPasskeysRequest>) -> RpcResult<pb::ListPasskeysResponse> {
        passkeys::list(self, request).await
    }

    async fn start_passkey_registration(
        &self,
        request: Request<pb::StartPasskeyRegistrationRequest>,
    ) -> RpcResult<pb::StartPasskeyRegistrationResponse> {
        passkeys::start_registration(self, request).await
    }

    async fn create_passkey(&self, request: Request<pb::CreatePasskeyRequest>) -> RpcResult<pb::CreatePasskeyResponse> {
        passkeys::create(self, request).await
    }

    async fn update_passkey(&self, request: Request<pb::UpdatePasskeyRequest>) -> RpcResult<pb::UpdatePasskeyResponse> {
        passkeys::update(self, request).await
    }

    async fn delete_passkey(&self, request: Request<pb::DeletePasskeyRequest>) -> RpcResult<pb::DeletePasskeyResponse> {
        passkeys::delete(self, request).await
    }

    async fn start_passkey_authentication(
        &self,
        request: Request<pb::StartPasskeyAuthenticationRequest>,
    ) -> RpcResult<pb::StartPasskeyAuthenticationResponse> {
        passkeys::start_authentication(self, request).await
    }

    async fn start_passkey_proof(
        &self,
        request: Request<pb::StartPasskeyProofRequest>,
    ) -> RpcResult<pb::StartPasskeyProofResponse> {
        passkeys::start_proof(self, request).await
    }

    async fn login_with_passkey(
        &self,
        request: Request<pb::LoginWithPasskeyRequest>,
    ) -> RpcResult<pb::LoginWithPasskeyResponse> {
        passkeys::login(self, request).await
    }

    async fn get_totp(&self, request: Request<pb::GetTotpRequest>) -> RpcResult<pb::GetTotpResponse> {
        totp::get(self, request).await
    }

    async fn create_totp(&self, request: Request<pb::CreateTotpRequest>) -> RpcResult<pb::CreateTotpResponse> {
        totp::create(self, request).await
    }

    async fn confirm_totp(&self, request: Request<pb::ConfirmTotpRequest>) -> RpcResult<pb::ConfirmTotpResponse> {
        totp::confirm(self, request).await
    }

    async fn delete_totp(&self, request: Request<pb::DeleteTotpRequest>) -> RpcResult<pb::DeleteTotpResponse> {
        totp::delete(self, request).await
    }

    async fn close_account(&self, request: Request<pb::CloseAccountRequest>) -> RpcResult<pb::CloseAccountResponse> {
        account::close(self, request).await
    }

    async fn get_member_standing(
        &self,
        request: Request<pb::GetMemberStandingRequest>,
    ) -> RpcResult<pb::GetMemberStandingResponse> {
        moderation::get_standing(self, request).await
    }

    async fn list_suspended_members(
        &self,
        request: Request<pb::ListSuspendedMembersRequest>,
    ) -> RpcResult<pb::ListSuspendedMembersResponse> {
        moderation::list_suspended(self, request).await
    }

    async fn suspend_member(&self, request: Request<pb::SuspendMemberRequest>) -> RpcResult<pb::SuspendMemberResponse> {
        moderation::suspend(self, request).await
    }

    async fn restore_member(&self, request: Request<pb::RestoreMemberRequest>) -> RpcResult<pb::RestoreMemberResponse> {
        moderation::restore(self, request).await
    }

    async fn appeal_suspension(
        &self,
        request: Request<pb::AppealSuspensionRequest>,
    ) -> RpcResult<pb::AppealSuspensionResponse> {
        moderation::appeal(self, request).await
    }

    async fn list_suspension_appeals(
        &self,
        request: Request<pb::ListSuspensionAppealsRequest>,
    ) -> RpcResult<pb::ListSuspensionAppealsResponse> {
        moderation::list_appeals(self, request).await
    }

    async fn decide_suspension_appeal(
        &self,
        request: Request<pb::DecideSuspensionAppealRequest>,
    ) -> RpcResult<pb::DecideSuspensionAppealResponse> {
        moderation::decide_appeal(self, request).await
    }

    async fn list_moderation_log(
        &self,
        request: Request<pb::ListModerationLogRequest>,
    ) -> RpcResult<pb::ListModerationLogResponse> {
        moderation::list_log(self, request).await
    }

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<RecordStream> {
        account::export(self, request).await
    }
}

impl AuthService {
    /// Writes an audit row in the transaction of the change.
    async fn record(
        &self,
        db: &mut PgConnection,
        member: Uuid,
        event: AuditEvent,
        browser: Option<&Browser>,
    ) -> Result<(), Error> {
        let address = browser.and_then(|browser| browser.address.as_deref());
        audit::record(db, self.ids.owned_by(member), member, event, address, self.clock.now()).await
    }

    /// Acquires a connection for a statement without a transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }

    /// Publishes a security notice in the transaction of the change. `session` made the change.
    async fn notice(
        &self,
        db: &mut PgConnection,
        member: Uuid,
        cause: pb::SecurityNoticeCause,
        browser: &Browser,
        session: Option<Uuid>,
    ) -> Result<(), Error> {
        // A reset keeps passkeys. The owner must learn which ones, because another person may have added one.
        let passkeys = match cause {
            pb::SecurityNoticeCause::PasswordReset => credentials::list_names(db, member).await?,
            _ => Vec::new(),
        };
        let notice = publishing::Notice { cause, browser: Some(browser), session, passkeys };
        publishing::publish_notice(&self.outbox, db, member, notice, &self.ids, self.clock.now()).await
    }

    /// Writes an audit row after the response: the response time must not reveal whether the account exists.
    fn record_later(&self, member: Uuid, event: AuditEvent, browser: &Browser) {
        let (db, id, at) = (self.db.clone(), self.ids.owned_by(member), self.clock.now());
        let address = browser.address.clone();
        self.tasks.track(async move {
            let mut db = db::acquire(&db).await?;
            Ok(audit::record(&mut *db, id, member, event, address.as_deref(), at).await?)
        });
    }
}

fn require_gateway<T>(request: &Request<T>) -> Result<(), Status> {
    Actor::require_service(request, "gateway")
}

/// Returns the session of the calling member. The database decides whether it is still valid.
fn caller<T>(request: &Request<T>) -> Result<Session, Status> {
    match Actor::of(request)? {
        Actor::Member { id, session, .. } => Ok(Session { id: *session, member: *id }),
        Actor::Service(_) => Err(Error::SessionEnded.into()),
    }
}

fn to_strings(ids: &[Uuid]) -> Vec<String> {
    ids.iter().map(Uuid::to_string).collect()
}
