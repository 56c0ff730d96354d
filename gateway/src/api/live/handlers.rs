//! The stream of live events of a browser: facts of messaging, and typing indicators.
//!
//! Every gateway consumes the facts itself, so a browser can be connected to any of them. Events contain no content and
//! are not stored: a stream starts with `hello`, on which the client reads everything again.

use std::{convert::Infallible, sync::Arc, time::Duration};

use crate::api::live::events;
use crate::edge::cache::{Cache, ChannelEvent, Subscription};
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
use crate::api::live::hub::LiveStream;
use crate::{
    api::{live::views::LiveParticipant, state::Gateway},
    edge::{authentication::Member, problem::Problem, server::ConnectionCloser},
};

/// The interval of comments in a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The interval of the session check: the end of a session is a fact, its expiry is not.
const SESSION_CHECK: Duration = Duration::from_secs(60);
/// The timeout of the session check.
const SESSION_CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// Turns off the response buffering of nginx.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

fn channel(member: Uuid) -> String {
    format!("typing:{member}")
}

/// Publishes a typing indicator to the streams of a member, on every gateway.
pub async fn publish_typing(cache: &Cache, member: Uuid, typing: &LiveParticipant) {
    let message = serde_json::to_vec(typing).unwrap_or_default();
    cache.publish(&channel(member), Bytes::from(message)).await;
}

/// Streams live events of the signed-in member. The data of an event is a JSON object: `{}` for `hello`, `notification` and
/// `bye`, a LiveMessage for `message`, a LiveParticipant for `conversation-read` and `typing`, a LiveConversation for
/// `conversation`.
#[utoipa::path(get, path = "/api/live", operation_id = "live", tag = "live",
    security(("session" = [])),
    responses((status = 200, content_type = "text/event-stream", body = inline(String),
        description = "Server-Sent Events. On `hello`, which is sent first and whenever events may be missing, read \
                       everything again; events are not repeated. The stream ends with the session. After `bye`, \
                       reconnect at once. A member has at most eight streams.")))]
pub async fn stream(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    jar: CookieJar,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let cookie = gateway.authentication.cookies.read(&jar).unwrap_or_default();
    let closer = closer.map(|Extension(ConnectionCloser(token))| token).unwrap_or_default();
    let typing = gateway.cache.subscribe(&channel(member.id)).await;
    let live = gateway.live.subscribe(member.id, member.session, closer);
    // The session may have ended before the stream was registered.
    if gateway.authentication.sessions.has_ended(member.session) {
        return Err(Problem::sign_in("Sign in required"));
    }
    let reader = Reader { live, typing, check: Instant::now() + first_check(member.session), cookie, gateway };
    let live_events = stream::unfold(reader, Reader::next);
    let mut response = Sse::new(live_events).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("")).into_response();
    response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// Within the minute, at a time derived from the session, so that streams that start together do not check together.
fn first_check(session: Uuid) -> Duration {
    let [.., random] = *session.as_bytes();
    SESSION_CHECK / 2 + SESSION_CHECK / 2 * u32::from(random) / 255
}

/// The state of a stream.
struct Reader {
    gateway: Arc<Gateway>,
    live: LiveStream,
    typing: Subscription,
    check: Instant,
    cookie: String,
}

impl Reader {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            let event = tokio::select! {
                biased;
                () = self.live.ended.cancelled() => return None,
                event = self.live.events.recv() => event?,
                Some(event) = self.typing.next() => match typing(event) {
                    Some(event) => event,
                    None => continue,
                },
                () = sleep_until(self.check) => {
                    if self.is_signed_out().await {
                        return None;
                    }
                    self.check = Instant::now() + SESSION_CHECK;
                    continue;
                }
            };
            return Some((Ok(event), self));
        }
    }

    /// Only when auth confirms it: an unavailable auth signs out no member.
    async fn is_signed_out(&self) -> bool {
        let Ok(call) = self.gateway.authentication.service_call(SESSION_CHECK_TIMEOUT) else { return false };
        matches!(self.gateway.authentication.sessions.resolve(&self.cookie, &call).await, Ok(None))
    }
}

/// A lost typing indicator is irrelevant.
fn typing(event: ChannelEvent) -> Option<Event> {
    match event {
        ChannelEvent::Message(message) => serde_json::from_slice(&message).ok().map(|typing| events::typing(&typing)),
        ChannelEvent::Missed => None,
    }
}
