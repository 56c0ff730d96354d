//! The stream of live events of a browser: facts of messaging, and typing indicators.
//!
//! Every gateway consumes the facts itself, so a browser can be connected to any of them. Events contain no content and
//! are not stored: a stream starts with `hello`, on which the client reads everything again.

use std::{convert::Infallible, sync::Arc, time::Duration};

use crate::api::live::events;
use crate::edge::cache::{Cache, Heard, Subscription};
use axum::{
    Extension,
    body::Bytes,
    extract::State,
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use axum_extra::extract::CookieJar;
use futures::{StreamExt as _, stream};
use http::{HeaderName, HeaderValue};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

pub use crate::api::live::hub::Hub;
use crate::api::live::hub::Seat;
use crate::{
    api::{live::views::LiveParticipant, state::Gateway},
    edge::{authentication::Member, problem::Problem, server::ConnectionCloser},
};

/// How often a silent stream gives a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The interval of the session check: the end of a session is a fact, its expiry is not.
const CHECK: Duration = Duration::from_secs(60);
/// How long that question may take.
const ANSWER: Duration = Duration::from_secs(5);
/// A proxy that collects answers before it passes them on must not: nginx' word for it.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

fn channel(member: Uuid) -> String {
    format!("typing:{member}")
}

/// Publishes a typing indicator to the streams of a member, on every gateway.
pub async fn tell_typing(cache: &Cache, member: Uuid, who: &LiveParticipant) {
    let said = serde_json::to_vec(who).unwrap_or_default();
    cache.publish(&channel(member), Bytes::from(said)).await;
}

/// What changes for me, as it happens. Each event's data is a JSON object: `hello` and `notification` `{}`, `message` a
/// LiveMessage, `conversation-read` and `typing` a LiveParticipant, `conversation` a LiveConversation, `bye` `{}`.
#[utoipa::path(get, path = "/api/live", operation_id = "live", tag = "live",
    security(("session" = [])),
    responses((status = 200, content_type = "text/event-stream", body = inline(String),
        description = "Server-Sent Events. `hello`, first and whenever something may have been missed, is to look at \
                       everything again; nothing is repeated. It ends with the session, and with `bye` when to come \
                       again at once. One stream a browser: eight a member.")))]
pub async fn stream(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    jar: CookieJar,
    hang_up: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let cookie = gateway.authentication.cookies.read(&jar).unwrap_or_default();
    let hang_up = hang_up.map(|Extension(ConnectionCloser(token))| token).unwrap_or_default();
    let typing = gateway.cache.subscribe(&channel(member.id)).await;
    let seat = gateway.live.subscribe(member.id, member.session, hang_up);
    // It may have ended between being resolved and being watched.
    if gateway.authentication.sessions.has_ended(member.session) {
        return Err(Problem::sign_in("Sign in required"));
    }
    let reader = Reader { seat, typing, check: Instant::now() + first_check(member.session), cookie, gateway };
    let live_events = stream::unfold(reader, Reader::next);
    let mut response = Sse::new(live_events).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("")).into_response();
    response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// Within the minute, at a time derived from the session, so that streams that start together do not check together.
fn first_check(session: Uuid) -> Duration {
    let [.., chance] = *session.as_bytes();
    CHECK / 2 + CHECK / 2 * u32::from(chance) / 255
}

/// Who reads a stream, and what for.
struct Reader {
    gateway: Arc<Gateway>,
    seat: Seat,
    typing: Subscription,
    check: Instant,
    cookie: String,
}

impl Reader {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            let event = tokio::select! {
                biased;
                () = self.seat.over.cancelled() => return None,
                event = self.seat.events.recv() => event?,
                Some(heard) = self.typing.next() => match typing(heard) {
                    Some(event) => event,
                    None => continue,
                },
                () = sleep_until(self.check) => {
                    if self.is_signed_out().await {
                        return None;
                    }
                    self.check = Instant::now() + CHECK;
                    continue;
                }
            };
            return Some((Ok(event), self));
        }
    }

    /// Only when auth confirms it: an unavailable auth signs out no member.
    async fn is_signed_out(&self) -> bool {
        let Ok(call) = self.gateway.authentication.service_call(ANSWER) else { return false };
        matches!(self.gateway.authentication.sessions.resolve(&self.cookie, &call).await, Ok(None))
    }
}

/// A lost typing indicator is irrelevant.
fn typing(heard: Heard) -> Option<Event> {
    match heard {
        Heard::Message(said) => serde_json::from_slice(&said).ok().map(|who| events::typing(&who)),
        Heard::Missed => None,
    }
}
