//! Authentication: the caller of a request is a visitor, or the member of the session cookie.

use std::{convert::Infallible, ops::Deref, sync::Arc, time::Duration};

use axum::{
    extract::{FromRef, FromRequestParts, MatchedPath},
    response::{IntoResponseParts, ResponseParts},
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue, Method, header, request::Parts};
use portia_proto::auth;
use rpc::{Call, Positions, identity::Credentials};
use uuid::Uuid;

use crate::edge::{
    cookie_header,
    limits::{Bucket, Client, Limits, VISITOR_READS},
    problem::Problem,
    request_notes::RequestNotes,
    route_attributes::RouteAttributes,
    sessions::{Absent, Session, Sessions, is_token},
    timestamps::required_moment,
};

/// The budget of all calls of a request that hashes a password.
pub const HASHING_BUDGET: Duration = Duration::from_secs(5);

/// The budget of all calls of a request that reads.
const READ_BUDGET: Duration = Duration::from_secs(2);

/// Resolves the callers of requests. Clones share everything: each request takes one.
#[derive(Clone)]
pub struct Authentication(Arc<Inner>);

/// The state that resolves callers.
pub struct Inner {
    /// Reads and writes the cookies.
    pub cookies: Cookies,
    /// The resolved sessions.
    pub sessions: Sessions,
    limits: Limits,
    credentials: Credentials,
    routes: Arc<RouteAttributes>,
}

impl Deref for Authentication {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Authentication {
    /// Authentication by the cookies of browsers, with the key of this process for calls without a member.
    pub fn new(
        context: &ServiceContext,
        cookies: Cookies,
        sessions: Sessions,
        limits: Limits,
        routes: Arc<RouteAttributes>,
    ) -> Self {
        Self(Arc::new(Inner { cookies, sessions, limits, credentials: context.credentials(), routes }))
    }

    /// A call as the gateway itself: for visitors, and before the member is known.
    pub fn service_call(&self, budget: Duration) -> Call {
        Call::new(self.credentials.clone(), budget)
    }

    /// The member of a request for a picture, which counts against the limit of pictures only.
    ///
    /// # Errors
    /// When auth does not answer.
    pub async fn member(&self, headers: &HeaderMap) -> Result<Option<Uuid>, Problem> {
        let Some(token) = self.cookies.read(headers) else { return Ok(None) };
        let session = self.sessions.resolve(token, &self.service_call(READ_BUDGET)).await?;
        Ok(session.ok().map(|session| session.member))
    }

    /// Returns whether a request has the session of a moderator.
    ///
    /// # Errors
    /// When auth does not answer.
    pub async fn is_moderator(&self, headers: &HeaderMap) -> Result<bool, Problem> {
        let Some(token) = self.cookies.read(headers) else { return Ok(false) };
        let session = self.sessions.resolve(token, &self.service_call(READ_BUDGET)).await?;
        Ok(session.is_ok_and(|session| session.moderator))
    }

    /// The call of a request, as the gateway itself.
    fn call_of(&self, parts: &Parts) -> Call {
        self.service_call(budget(parts)).with_positions(parts.extensions.get().cloned())
    }

    /// The session of the request, whose member's requests are limited.
    async fn session(&self, parts: &Parts, call: &Call) -> Result<Result<Session, Absent>, Problem> {
        let Some(token) = self.cookies.read(&parts.headers) else {
            // A sign-out deletes both cookies. Alone, the one of the device outlives the one of an expired session.
            let is_left = self.cookies.owner_of_device(&parts.headers).is_some();
            return Ok(Err(if is_left { Absent::Expired } else { Absent::Ended }));
        };
        let session = match self.sessions.resolve(token, call).await? {
            Ok(session) => session,
            absent => return Ok(absent),
        };
        RequestNotes::note_member(&parts.extensions, session.member);
        self.limits.take_of_member(&session.counts, &parts.method)?;
        Ok(Ok(session))
    }

    fn sentence(&self, parts: &Parts) -> &'static str {
        let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        self.routes.sign_in_sentence(route)
    }
}

/// The positions of the browser's last writes: see [`super::written_positions`].
pub struct WrittenPositions(pub Option<Arc<Positions>>);

impl<S: Send + Sync> FromRequestParts<S> for WrittenPositions {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get().cloned()))
    }
}

/// The caller: a visitor or a member.
pub struct Caller {
    /// The identity and deadline for calls to services.
    pub call: Call,
    /// The member; `None` for a visitor.
    pub member: Option<Uuid>,
}

/// A signed-in member. Visitors get 401.
pub struct Member {
    /// The identity and deadline for calls to services.
    pub call: Call,
    /// The member.
    pub id: Uuid,
    /// The session of the request.
    pub session: Uuid,
    /// Whether the member is a moderator.
    pub moderator: bool,
}

/// A signed-in moderator. Visitors get 401, other members the response of an unknown route.
pub struct Moderator(pub Member);

impl Member {
    /// Requires that the member id in a body is absent or the caller's.
    ///
    /// # Errors
    /// 403 for the id of another member.
    pub fn require_self(&self, claimed: Option<&str>) -> Result<(), Problem> {
        let forged = claimed.is_some_and(|claimed| claimed.parse() != Ok(self.id));
        if forged { Err(Problem::forbidden()) } else { Ok(()) }
    }

    /// Requires that the member id in a path is the caller's.
    ///
    /// # Errors
    /// 403 for the id of another member.
    pub fn require_owner(&self, id: Uuid) -> Result<(), Problem> {
        if id == self.id { Ok(()) } else { Err(Problem::forbidden()) }
    }

    /// Counts an action against a rate limit of the member.
    ///
    /// # Errors
    /// 429 when the limit is exhausted.
    pub async fn limit(&self, limits: &Limits, bucket: Bucket) -> Result<(), Problem> {
        limits.take(bucket, &self.id.to_string()).await
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller
where
    Authentication: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let authentication = Authentication::from_ref(state);
        let call = authentication.call_of(parts);
        if let Ok(session) = authentication.session(parts, &call).await? {
            return Ok(Self { call: call.with_member(&session.tokens), member: Some(session.member) });
        }
        let client = Client::from_request_parts(parts, &authentication.limits).await?;
        authentication.limits.take(VISITOR_READS, &client.key()).await?;
        Ok(Self { call, member: None })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Member
where
    Authentication: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let authentication = Authentication::from_ref(state);
        let call = authentication.call_of(parts);
        match authentication.session(parts, &call).await? {
            Ok(session) => {
                let Session { member: id, id: session, moderator, ref tokens, .. } = session;
                Ok(Self { call: call.with_member(tokens), id, session, moderator })
            }
            Err(Absent::Ended) => Err(Problem::sign_in(authentication.sentence(parts))),
            Err(Absent::Expired) => Err(Problem::session_expired(authentication.sentence(parts))),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Moderator
where
    Authentication: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let member = Member::from_request_parts(parts, state).await?;
        if member.moderator {
            return Ok(Self(member));
        }
        RequestNotes::note_hidden_refusal(&parts.extensions, "MODERATORS_ONLY");
        Err(Problem::not_found("This does not exist."))
    }
}

/// The budget of all calls of a request together. The upload of a picture has more: `picture_store::encoding_time`.
fn budget(parts: &Parts) -> Duration {
    match parts.method {
        Method::GET | Method::HEAD => READ_BUDGET,
        _ if parts.uri.path().starts_with("/api/auth/") => HASHING_BUDGET,
        _ => Duration::from_secs(4),
    }
}

/// The cookies of a response.
#[derive(Debug, Default)]
pub struct SetCookies(Vec<Cookie<'static>>);

impl IntoResponseParts for SetCookies {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        for value in self.0.iter().filter_map(|cookie| HeaderValue::try_from(cookie.to_string()).ok()) {
            parts.headers_mut().append(header::SET_COOKIE, value);
        }
        Ok(parts)
    }
}

/// The time for which the cookie of the device outlives the session: the client may store unsent work so long after an expiry.
const OUTLIVES_SESSION: time::Duration = time::Duration::DAY;

/// Reads and writes the cookies: the session, the owner of the device, the trust in the browser, which outlives sessions, and
/// positions of writes.
#[derive(Clone, Debug)]
pub struct Cookies {
    secure: bool,
}

impl Cookies {
    /// Over https, cookies are bound to the host and never sent unencrypted.
    pub const fn new(secure: bool) -> Self {
        Self { secure }
    }

    const fn session(&self) -> &'static str {
        if self.secure { "__Host-portia_session" } else { "portia_session" }
    }

    const fn browser(&self) -> &'static str {
        if self.secure { "__Host-portia_browser" } else { "portia_browser" }
    }

    /// The client reads this cookie: without it, the computer is shared, and the client stores nothing.
    const fn device(&self) -> &'static str {
        if self.secure { "__Host-portia_own_device" } else { "portia_own_device" }
    }

    /// The session token of a request.
    pub fn read<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        cookie_header::find(headers, self.session())
    }

    /// The beginning of the names of cookies with positions: see [`super::written_positions`].
    pub const fn positions(&self) -> &'static str {
        if self.secure { "__Host-portia_written_" } else { "portia_written_" }
    }

    /// The cookie with the position of a service, for a minute: a standby that is so late is not used.
    pub fn of_position(&self, service: &str, position: String) -> Cookie<'static> {
        let mut cookie = self.cookie(self.positions(), position);
        cookie.set_name(format!("{}{service}", self.positions()));
        cookie.set_max_age(time::Duration::MINUTE);
        cookie
    }

    /// Whether a request has a session cookie, valid or not.
    pub fn sent_in(&self, headers: &HeaderMap) -> bool {
        self.read(headers).is_some()
    }

    /// The member whose data the client may store in the browser of a request; `None` on a shared computer.
    pub fn owner_of_device(&self, headers: &HeaderMap) -> Option<Uuid> {
        cookie_header::find(headers, self.device()).and_then(|member| Uuid::try_parse(member).ok())
    }

    /// Whether a request has a session on a shared computer: its browser must not store what only members see.
    pub fn is_on_shared_computer(&self, headers: &HeaderMap) -> bool {
        self.sent_in(headers) && self.owner_of_device(headers).is_none()
    }

    /// The token of a trusted browser; empty when it is absent or malformed.
    pub fn read_browser(&self, headers: &HeaderMap) -> String {
        let token = cookie_header::find(headers, self.browser()).filter(|token| is_token(token));
        token.unwrap_or_default().to_owned()
    }

    /// Writes the cookies of a new session of `member`: its own until it expires, the one of the device for another day, and the
    /// trust, if any, until it expires. On a shared computer, the first one ends with the browser, and there are no others.
    pub fn issue(
        &self,
        session: &auth::Session,
        member: Uuid,
        trusted: Option<&auth::TrustedBrowser>,
        shared_computer: bool,
        now: DateTime<Utc>,
    ) -> SetCookies {
        let left = |expires| time::Duration::seconds((required_moment(expires) - now).num_seconds().max(0));
        let mut cookie = self.cookie(self.session(), session.token.clone());
        let mut device = self.expired(self.device());
        if !shared_computer {
            let left = left(session.expires_at);
            cookie.set_max_age(left);
            device.set_value(member.to_string());
            device.set_max_age(left + OUTLIVES_SESSION);
        }
        device.set_http_only(false);
        let mut cookies = vec![cookie, device];
        if let Some(trusted) = trusted.filter(|_| !shared_computer) {
            let mut cookie = self.cookie(self.browser(), trusted.token.clone());
            cookie.set_max_age(left(trusted.expires_at));
            cookies.push(cookie);
        }
        SetCookies(cookies)
    }

    /// Deletes the cookies of a session. The browser stays trusted.
    pub fn clear(&self) -> SetCookies {
        SetCookies(vec![self.expired(self.session()), self.expired(self.device())])
    }

    /// Deletes these and the trust.
    pub fn clear_all(&self) -> SetCookies {
        let SetCookies(mut cookies) = self.clear();
        cookies.push(self.expired(self.browser()));
        SetCookies(cookies)
    }

    fn expired(&self, name: &'static str) -> Cookie<'static> {
        let mut cookie = self.cookie(name, String::new());
        cookie.set_max_age(time::Duration::ZERO);
        cookie
    }

    fn cookie(&self, name: &'static str, value: String) -> Cookie<'static> {
        Cookie::build((name, value)).path("/").http_only(true).same_site(SameSite::Lax).secure(self.secure).build()
    }
}
