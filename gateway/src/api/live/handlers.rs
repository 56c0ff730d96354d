//! The stream of live events of a browser: facts of the services, and typing indicators.
//!
//! Every gateway consumes the facts itself, so a browser can be connected to any of them. Events contain no content and
//! are not stored: a stream starts with `hello`, on which the client reads everything again.

use std::{collections::HashSet, convert::Infallible, sync::Arc, time::Duration};

use crate::api::live::events;
use crate::edge::cache::{ChannelEvent, Subscription};
use axum::{
    Extension,
    extract::State,
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{StreamExt as _, stream};
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

pub use crate::api::live::hub::Hub;
use crate::api::live::{
    channel::{self, ChannelMessage, SESSION_CHECK},
    hub::LiveStream,
    views::LiveStreamEvent,
};
use crate::{
    api::state::Gateway,
    edge::{authentication::Member, problem::Problem, server::ConnectionCloser},
};

/// The interval of comments in a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The timeout of the session check.
const SESSION_CHECK_TIMEOUT: Duration = Duration::from_secs(5);
/// Turns off the response buffering of nginx.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Streams live events of the signed-in member. The data of an event is a JSON object: `{}` for `notification` and `bye`, a
/// LiveHello for `hello`, a LiveMessage for `message`, a LiveMessageRef for `message-changed`, a LiveParticipant for
/// `conversation-read` and `typing`, a LiveConversation for `conversation`, a LiveConnection for `connection`, a LivePost for `post`, a LivePostRef for `comment`
/// and `reaction`, a LiveCommunity for `membership`, a LiveEvent for `event`, a LiveApplication for `application`, and a
/// LiveProfile for `profile`.
#[utoipa::path(get, path = "/api/live", operation_id = "live", tag = "live",
    security(("session" = [])),
    responses((status = 200, content_type = "text/event-stream", body = LiveStreamEvent,
        description = "Server-Sent Events. On `hello`, which is sent first and whenever events may be missing, read \
                       everything again; events are not repeated. The stream ends with the session. After `bye`, \
                       reconnect at once. A member has at most eight streams.")))]
pub async fn stream(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    headers: HeaderMap,
    closer: Option<Extension<ConnectionCloser>>,
) -> Result<Response, Problem> {
    let cookie = gateway.authentication.cookies.read(&headers).unwrap_or_default().to_owned();
    let closer = closer.map(|Extension(ConnectionCloser(token))| token).unwrap_or_default();
    let messages = channel::subscribe(&gateway.cache, member.id).await;
    let live = gateway.live.subscribe(gateway.ids.new_owner(), member.id, member.session, closer);
    channel::announce(&gateway.cache, live.id, live.member).await;
    // The session may have ended before the stream was registered.
    if gateway.authentication.sessions.has_ended(member.session) {
        return Err(Problem::sign_in("Sign in required"));
    }
    let reader = Reader { live, messages, check: Instant::now() + first_check(member.session), cookie, gateway };
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
    messages: Subscription,
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
                (change, since) = self.live.changes.next() => events::changed(change, since),
                Some(event) = self.messages.next() => match self.receive(event) {
                    Some(event) => event,
                    None => continue,
                },
                () = sleep_until(self.check) => {
                    if self.is_signed_out().await {
                        return None;
                    }
                    channel::announce(&self.gateway.cache, self.live.id, self.live.member).await;
                    self.check = Instant::now() + SESSION_CHECK;
                    continue;
                }
            };
            return Some((Ok(event), self));
        }
    }

    /// Only when auth confirms it: an unavailable auth signs out no member.
    async fn is_signed_out(&self) -> bool {
        let call = self.gateway.authentication.service_call(SESSION_CHECK_TIMEOUT);
        matches!(self.gateway.authentication.sessions.resolve(&self.cookie, &call).await, Ok(Err(_)))
    }

    /// A lost message is irrelevant: a client repeats its interests after every change of them.
    fn receive(&self, event: ChannelEvent) -> Option<Event> {
        let ChannelEvent::Message(message) = event else { return None };
        match serde_json::from_slice(&message).ok()? {
            ChannelMessage::Typing(typing) => Some(events::typing(&typing)),
            ChannelMessage::Interests(stream, interests) => {
                // A message for another stream of the member.
                if stream == self.live.id {
                    let interests = interests.into_iter().collect();
                    self.gateway.live.watch(self.live.member, stream, interests, &HashSet::new());
                }
                None
            }
        }
    }
}
