//! Who asks: a visitor, or the member whose session the cookie brings.

use std::{sync::Arc, time::Duration};

use axum::extract::{FromRequestParts, MatchedPath};
use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use chassis::rpc::Call;
use chrono::{DateTime, Utc};
use http::{Method, request::Parts};
use portia_proto::auth;
use uuid::Uuid;

use crate::{
    Gateway,
    limits::{Bucket, Client},
    problem::Problem,
    sessions::Session,
};

/// What a refused visitor reads where the specification has a sentence of its own.
const SENTENCES: [(&str, &str); 3] = [
    ("/api/posts/{id}/likes", "Please sign in to like posts"),
    ("/api/posts/{id}/comments", "Please sign in to comment on posts"),
    ("/api/connections", "Please sign in to connect with other users"),
];

/// Anybody: a visitor or a member.
pub struct Caller {
    /// Carries who asks, and until when, to every service.
    pub call: Call,
}

/// A signed-in member; anybody else is refused with 401.
pub struct Member {
    /// Carries who asks, and until when, to every service.
    pub call: Call,
    /// The member.
    pub id: Uuid,
}

impl Member {
    /// What the specification lets a body repeat must be true: the signed-in member, or nothing.
    ///
    /// # Errors
    /// 403 for anybody else.
    pub fn must_be(&self, claimed: Option<&str>) -> Result<(), Problem> {
        let forged = claimed.is_some_and(|claimed| claimed.parse() != Ok(self.id));
        if forged { Err(Problem::not_yours()) } else { Ok(()) }
    }

    /// Counts an action against one of the member's limits.
    ///
    /// # Errors
    /// 429 when it is used up.
    pub async fn limit(&self, gateway: &Gateway, bucket: Bucket) -> Result<(), Problem> {
        gateway.limits.take(bucket, &self.id.to_string()).await
    }
}

impl FromRequestParts<Arc<Gateway>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, gateway: &Arc<Gateway>) -> Result<Self, Problem> {
        let call = gateway.own_call(budget(parts))?;
        if let Some(session) = session(parts, gateway, &call).await? {
            return Ok(Self { call: call.with_token(&session.token)? });
        }
        let client = Client::from_request_parts(parts, gateway).await?;
        gateway.limits.take(Bucket::VisitorReads, &client.key()).await?;
        Ok(Self { call })
    }
}

impl FromRequestParts<Arc<Gateway>> for Member {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, gateway: &Arc<Gateway>) -> Result<Self, Problem> {
        let call = gateway.own_call(budget(parts))?;
        match session(parts, gateway, &call).await? {
            Some(session) => Ok(Self { call: call.with_token(&session.token)?, id: session.member }),
            None => Err(Problem::sign_in(sentence(parts))),
        }
    }
}

async fn session(parts: &Parts, gateway: &Gateway, call: &Call) -> Result<Option<Session>, Problem> {
    match gateway.cookies.read(&CookieJar::from_headers(&parts.headers)) {
        Some(token) => Ok(gateway.sessions.resolve(&token, call).await?),
        None => Ok(None),
    }
}

/// How long all calls of one request may take together.
fn budget(parts: &Parts) -> Duration {
    match parts.method {
        Method::GET | Method::HEAD => Duration::from_secs(2),
        _ => Duration::from_secs(4),
    }
}

fn sentence(parts: &Parts) -> &'static str {
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    SENTENCES.iter().find(|(path, _)| *path == route).map_or("Sign in required", |(_, sentence)| sentence)
}

/// How the session cookie is written and read.
#[derive(Clone, Debug)]
pub struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Over https the cookie is bound to the host and never sent in the clear.
    pub const fn new(secure: bool) -> Self {
        Self { secure }
    }

    const fn name(&self) -> &'static str {
        if self.secure { "__Host-portia_session" } else { "portia_session" }
    }

    /// The session token of a request.
    pub fn read(&self, jar: &CookieJar) -> Option<String> {
        jar.get(self.name()).map(|cookie| cookie.value().to_owned())
    }

    /// Hands a session to the browser: until it expires, or until the browser closes on a shared computer.
    pub fn hand_out(&self, session: &auth::Session, shared_computer: bool, now: DateTime<Utc>) -> CookieJar {
        let mut cookie = self.cookie(session.token.clone());
        let expires = crate::views::required_moment(session.expires_at);
        if !shared_computer {
            cookie.set_max_age(time::Duration::seconds((expires - now).num_seconds().max(0)));
        }
        CookieJar::new().add(cookie)
    }

    /// Takes it back.
    pub fn clear(&self) -> CookieJar {
        let mut cookie = self.cookie(String::new());
        cookie.set_max_age(time::Duration::ZERO);
        CookieJar::new().add(cookie)
    }

    fn cookie(&self, value: String) -> Cookie<'static> {
        Cookie::build((self.name(), value))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .build()
    }
}
