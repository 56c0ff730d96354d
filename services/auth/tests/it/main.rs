//! auth from outside: the real service on a real Postgres, asked as the gateway asks.
#![cfg(test)]

mod admin;
mod attacks;
mod bad_input;
mod closing;
mod codes;
mod demo;
mod erase;
mod export;
mod facts;
mod keys;
mod login;
mod own;
mod register;
mod reset;
mod sessions;
mod signed_in;
mod suspension;
mod trusted;

use std::sync::Arc;

use auth::{
    MIGRATOR,
    export::{Everything, Exports},
    hashing::Hashing,
    password::Policy,
    rpc::Rpc,
};
use outbox::Outbox;
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

/// What nobody else writes into a test's database.
const PASSWORD: &str = "certiorari denied";

/// The service under test, and who asks it.
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

    /// The service's own calls with another hashing pool: to count hashes, or to be busy.
    fn rpc(&self, hashing: &Hashing) -> Rpc {
        let frame = &self.harness.context;
        Rpc {
            db: self.pool().clone(),
            outbox: Outbox::new("auth"),
            clock: frame.clock.clone(),
            ids: frame.ids.clone(),
            hashing: hashing.clone(),
            policy: Policy::Standard,
            signer: Arc::clone(&frame.signer),
            exports: Exports::new(frame, self.pool(), Everything),
            tasks: frame.tasks.clone(),
        }
    }

    async fn register(&self, message: RegisterRequest) -> Result<RegisterResponse, Status> {
        Ok(self.client().register(self.request(message)).await?.into_inner())
    }

    async fn login(&self, username: &str, password: &str) -> Result<LoginResponse, Status> {
        self.login_at(username, password, "").await
    }

    /// Signs in on a browser that brings what it was given before.
    async fn login_at(&self, username: &str, password: &str, brought: &str) -> Result<LoginResponse, Status> {
        let message = LoginRequest {
            username: username.into(),
            password: password.into(),
            browser: Some(browser("192.0.2.7")),
            trusted_browser_token: brought.into(),
            shared_computer: false,
        };
        Ok(self.client().login(self.request(message)).await?.into_inner())
    }

    /// How the account's owner may prove themselves on a browser.
    async fn methods(&self, username: &str, brought: &str) -> Result<Vec<ProofMethod>, Status> {
        let message = CheckUsernameRequest { username: username.into(), trusted_browser_token: brought.into() };
        let answer = self.client().check_username(self.request(message)).await?.into_inner();
        Ok(answer.methods().collect())
    }

    async fn is_trusted(&self, username: &str, brought: &str) -> bool {
        self.methods(username, brought).await.unwrap().contains(&ProofMethod::TrustedBrowser)
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

    /// One value the database holds.
    async fn value<T>(&self, sql: &'static str) -> T
    where
        T: for<'r> sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres> + Send + Unpin,
        (T,): for<'r> sqlx::FromRow<'r, PgRow>,
    {
        sqlx::query_scalar(sql).fetch_one(self.pool()).await.unwrap()
    }

    /// Everything but the audit, as text: to show that nothing changed.
    async fn state(&self) -> Vec<String> {
        let mut state = Vec::new();
        for table in ["accounts", "sessions", "trusted_browsers", "recovery_codes", "reset_links"] {
            let rows = sqlx::AssertSqlSafe(format!("select '{table} ' || t::text from auth.{table} t order by 1"));
            state.extend(sqlx::query_scalar::<_, String>(rows).fetch_all(self.pool()).await.unwrap());
        }
        let told = sqlx::query_scalar("select 'fact ' || id || kind from auth.outbox order by 1");
        state.extend(told.fetch_all(self.pool()).await.unwrap());
        state
    }

    /// The facts told about a kind, by their key, oldest first.
    async fn told<M: prost::Name>(&self) -> Vec<String> {
        let keys = sqlx::query_scalar("select key from auth.outbox where kind = $1 order by id").bind(M::full_name());
        keys.fetch_all(self.pool()).await.unwrap()
    }

    /// The events noted about a member, in the order of the alphabet: those of one moment have no other.
    async fn audit_of(&self, member: uuid::Uuid) -> Vec<String> {
        let events =
            sqlx::query_scalar("select event from auth.audit where member_id = $1 order by event").bind(member);
        events.fetch_all(self.pool()).await.unwrap()
    }

    /// The events noted, oldest first.
    async fn audit(&self) -> Vec<String> {
        sqlx::query_scalar("select event from auth.audit order by at, id").fetch_all(self.pool()).await.unwrap()
    }
}

/// A registration of the test's member number `n`, named `Member.<n>`.
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

/// What nobody had for a password before.
const NEW_PASSWORD: &str = "habeas corpus 1679";

/// A reset of the account `Member.<n>` without any proof.
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

/// A request as it comes to the service's own calls, when the gateway asks.
fn of_gateway<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.extensions_mut().insert(Actor::Service("gateway".to_owned()));
    request
}

/// What a caller can read from a refusal.
fn explained<T: std::fmt::Debug>(answer: Result<T, Status>) -> StatusDetails {
    StatusDetails::from(&answer.unwrap_err())
}
