//! auth from outside: the real service on a real Postgres, asked as the gateway asks.
#![cfg(test)]

mod bad_input;
mod demo;
mod facts;
mod keys;
mod login;
mod register;
mod sessions;

use auth::MIGRATOR;
use chassis::{error::Explained, rpc::Call};
use portia_proto::auth::{
    Browser, LoginRequest, LoginResponse, LogoutRequest, LogoutResponse, RegisterRequest, RegisterResponse,
    RegistrationForm, ResolveSessionRequest, ResolveSessionResponse, auth_service_client::AuthServiceClient,
};
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

    fn client(&self) -> AuthServiceClient<chassis::rpc::Transport> {
        AuthServiceClient::new(self.harness.transport())
    }

    fn request<T>(&self, message: T) -> Request<T> {
        self.gateway().request(message).unwrap()
    }

    async fn register(&self, message: RegisterRequest) -> Result<RegisterResponse, Status> {
        Ok(self.client().register(self.request(message)).await?.into_inner())
    }

    async fn login(&self, username: &str, password: &str) -> Result<LoginResponse, Status> {
        let message =
            LoginRequest { username: username.into(), password: password.into(), browser: Some(browser("192.0.2.7")) };
        Ok(self.client().login(self.request(message)).await?.into_inner())
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
    }
}

fn browser(address: &str) -> Browser {
    Browser { user_agent: "Mozilla/5.0 (X11)".into(), address: address.into() }
}

/// What a caller can read from a refusal.
fn explained<T: std::fmt::Debug>(answer: Result<T, Status>) -> Explained {
    Explained::from(&answer.unwrap_err())
}
