//! Integration tests: the service on a Postgres database, called like the gateway calls it.
#![cfg(test)]

mod account;
mod actors;
mod admin;
mod attacks;
mod audit_chain;
mod authenticator;
mod bad_input;
mod deactivation;
mod demo;
mod erase;
mod export;
mod facts;
mod login;
mod moderators;
mod passkey_login;
mod passkeys;
mod password_reset;
mod personal_data;
mod recovery_codes;
mod register;
mod sealed_secrets;
mod second_factor_proofs;
mod security_notices;
mod sessions;
mod signing_keys;
mod step_up;
mod suspension;
mod suspension_appeals;
mod totp;
mod trusted_browsers;

use std::sync::Arc;

use auth::{
    MIGRATOR,
    credentials::{hashing::PasswordHashing, password::PasswordPolicy, sealing::SealingKeys},
    export::{Exporter, MemberData},
    rpc::AuthService,
    sessions::member_tokens::MemberTokens,
};
use outbox::{Changes, Outbox};
use portia_proto::auth::{
    Browser, CheckUsernameRequest, LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, ProofMethod,
    RegisterRequest, RegisterResponse, RegistrationForm, ResetPasswordRequest, ResetPasswordResponse,
    ResolveSessionRequest, ResolveSessionResponse, auth_service_client::AuthServiceClient,
};
use primitives::error::StatusDetails;
use rpc::{Call, identity::Actor};
use sqlx::{PgPool, Postgres, postgres::PgRow};
use testkit::{Builder, Harness};
use tonic::{Request, Status};

/// The password of every member.
const PASSWORD: &str = "certiorari denied";

/// The service under test and its client.
struct Auth {
    harness: Harness,
}

impl Auth {
    async fn start() -> Self {
        Self::start_with(|builder| builder).await
    }

    async fn start_with(settings: impl FnOnce(Builder) -> Builder) -> Self {
        let builder = Harness::of("auth").with_member_key().database(&MIGRATOR).await;
        Self { harness: settings(builder).start(auth::start).await }
    }

    fn pool(&self) -> &PgPool {
        self.harness.pool()
    }

    fn gateway(&self) -> Call {
        self.harness.actors.service("gateway")
    }

    fn client(&self) -> AuthServiceClient<rpc::Transport> {
        AuthServiceClient::new(self.harness.transport())
    }

    fn request<T>(&self, message: T) -> Request<T> {
        self.gateway().request(message).unwrap()
    }

    /// The service with another hashing pool, to count hashes or to fill the queue.
    fn service(&self, hashing: &PasswordHashing) -> AuthService {
        let context = &self.harness.context;
        AuthService {
            db: db::Pool::of(self.pool()),
            changes: Changes::new(context, &Outbox::new("auth")),
            clock: context.clock.clone(),
            hashing: hashing.clone(),
            policy: PasswordPolicy::Standard,
            tokens: MemberTokens::new(Arc::clone(&context.signer)),
            secrets: self.secrets(),
            exports: Exporter::new(context, self.pool(), MemberData),
            tasks: context.tasks.clone(),
        }
    }

    /// The keys of the service, for the secrets of authenticator apps.
    fn secrets(&self) -> SealingKeys {
        let file = self.harness.context.config.text("credential_keys").unwrap();
        SealingKeys::read([file.as_ref()]).unwrap()
    }

    async fn register(&self, message: RegisterRequest) -> Result<RegisterResponse, Status> {
        Ok(self.client().register(self.request(message)).await?.into_inner())
    }

    async fn login(&self, username: &str, password: &str) -> Result<LoginResponse, Status> {
        self.login_at(username, password, "").await
    }

    /// Signs in on a browser with a token of an earlier sign-in.
    async fn login_at(&self, username: &str, password: &str, browser_token: &str) -> Result<LoginResponse, Status> {
        let message = LoginRequest {
            username: username.into(),
            password: password.into(),
            browser: Some(browser("192.0.2.7")),
            trusted_browser_token: browser_token.into(),
            shared_computer: false,
            one_time_code: None,
        };
        Ok(self.client().login(self.request(message)).await?.into_inner())
    }

    /// The proof methods of an account on a browser.
    async fn methods(&self, username: &str, browser_token: &str) -> Result<Vec<ProofMethod>, Status> {
        let message = CheckUsernameRequest { username: username.into(), trusted_browser_token: browser_token.into() };
        let answer = self.client().check_username(self.request(message)).await?.into_inner();
        Ok(answer.methods().collect())
    }

    async fn is_trusted(&self, username: &str, browser_token: &str) -> bool {
        self.methods(username, browser_token).await.unwrap().contains(&ProofMethod::TrustedBrowser)
    }

    async fn reset(&self, message: ResetPasswordRequest) -> Result<ResetPasswordResponse, Status> {
        Ok(self.client().reset_password(self.request(message)).await?.into_inner())
    }

    async fn logout(&self, token: &str) -> Result<LogoutResponse, Status> {
        let message = LogoutRequest { session_token: token.into() };
        Ok(self.client().logout(self.request(message)).await?.into_inner())
    }

    async fn resolve(&self, token: &str) -> Result<ResolveSessionResponse, Status> {
        let message = ResolveSessionRequest { session_token: token.into() };
        Ok(self.client().resolve_session(self.request(message)).await?.into_inner())
    }

    /// The value of a query.
    async fn value<T>(&self, sql: &'static str) -> T
    where
        T: for<'r> sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres> + Send + Unpin,
        (T,): for<'r> sqlx::FromRow<'r, PgRow>,
    {
        sqlx::query_scalar(sql).fetch_one(self.pool()).await.unwrap()
    }

    /// All rows except the audit, as text, to compare states.
    async fn state(&self) -> Vec<String> {
        let mut state = Vec::new();
        for table in [
            "accounts",
            "sessions",
            "trusted_browsers",
            "known_browsers",
            "recovery_codes",
            "reset_links",
            "totp_secrets",
            "passkeys",
        ] {
            let rows = sqlx::AssertSqlSafe(format!("select '{table} ' || t::text from auth.{table} t order by 1"));
            state.extend(sqlx::query_scalar::<_, String>(rows).fetch_all(self.pool()).await.unwrap());
        }
        let facts = sqlx::query_scalar("select 'fact ' || id || kind from auth.outbox order by 1");
        state.extend(facts.fetch_all(self.pool()).await.unwrap());
        state
    }

    /// The keys of the published facts of a kind, oldest first.
    async fn facts<M: prost::Name>(&self) -> Vec<String> {
        let keys = sqlx::query_scalar("select key from auth.outbox where kind = $1 order by id").bind(M::full_name());
        keys.fetch_all(self.pool()).await.unwrap()
    }

    /// The audit events of a member in alphabetical order, because events of one time have no order.
    async fn audit_of(&self, member: uuid::Uuid) -> Vec<String> {
        let events =
            sqlx::query_scalar("select event from auth.audit where member_id = $1 order by event").bind(member);
        events.fetch_all(self.pool()).await.unwrap()
    }

    /// All audit events, oldest first.
    async fn audit(&self) -> Vec<String> {
        sqlx::query_scalar("select event from auth.audit order by at, id").fetch_all(self.pool()).await.unwrap()
    }
}

/// A registration of member `n` with the username `Member.<n>`.
fn registration(n: u128) -> RegisterRequest {
    RegisterRequest {
        member_id: testkit::member(n).to_string(),
        username: format!("Member.{n}"),
        password: PASSWORD.into(),
        form: Some(RegistrationForm { full_name: format!("Member {n}"), ..RegistrationForm::default() }),
        browser: Some(browser("192.0.2.1")),
        trusted_browser_token: String::new(),
        shared_computer: false,
    }
}

/// A password that differs from [`PASSWORD`].
const NEW_PASSWORD: &str = "habeas corpus 1679";

/// A reset of the account `Member.<n>` without a proof.
fn reset_of(n: u128) -> ResetPasswordRequest {
    ResetPasswordRequest {
        username: format!("member.{n}"),
        password: NEW_PASSWORD.into(),
        browser: Some(browser("192.0.2.66")),
        ..ResetPasswordRequest::default()
    }
}

fn with_browser(n: u128, token: &str) -> ResetPasswordRequest {
    ResetPasswordRequest { trusted_browser_token: token.into(), ..reset_of(n) }
}

fn with_code(n: u128, code: &str) -> ResetPasswordRequest {
    ResetPasswordRequest { recovery_code: Some(code.into()), ..reset_of(n) }
}

fn with_link(n: u128, token: &str) -> ResetPasswordRequest {
    ResetPasswordRequest { link_token: Some(token.into()), ..reset_of(n) }
}

fn browser(address: &str) -> Browser {
    Browser { user_agent: "Mozilla/5.0 (X11)".into(), address: address.into() }
}

/// A request of the gateway to the service struct.
fn gateway_request<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Actor::Service("gateway".to_owned()));
    request
}

/// The error details that a client reads.
fn details<T: std::fmt::Debug>(answer: Result<T, Status>) -> StatusDetails {
    StatusDetails::from(&answer.unwrap_err())
}
