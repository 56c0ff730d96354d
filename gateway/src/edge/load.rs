//! Load shedding: bodies of bounded size and time, and a bounded number of concurrent requests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    body::{Body, HttpBody as _},
    extract::{FromRequestParts as _, MatchedPath, Request},
};
use bytes::{Bytes, BytesMut};
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use tokio::time::timeout;

use crate::edge::{
    authentication::{Authentication, Member},
    limits::{Client, Limits},
    long_bodies::{LongBodies, Slot},
    problem::Problem,
    route_attributes::RouteAttributes,
};

/// The maximum length of a body.
const MAX_BODY: usize = 64 * 1024;
/// The timeout of a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);
/// The timeout of the first byte of a body, and between two parts: a stalled sender frees its slot early.
const STALL_TIMEOUT: Duration = Duration::from_secs(5);

/// The counter of shed requests.
const SHED: &str = "http_server_shed_total";
/// The label of requests without a route, as in the other metrics of requests.
const UNMATCHED: &str = "unmatched";

/// The limits of concurrent work of this gateway. Clones share the permits.
#[derive(Clone, Debug)]
pub struct Load {
    requests: Arc<Permits>,
    long_bodies: LongBodies,
    routes: Arc<RouteAttributes>,
}

impl Load {
    /// At most `in_flight` concurrent requests.
    pub fn new(in_flight: usize, routes: Arc<RouteAttributes>) -> Self {
        describe_counter!(SHED, "Requests refused at once because too many are running, by route");
        describe_gauge!("http_server_in_flight_max", "Concurrent requests before load is shed");
        counter!(SHED, "route" => UNMATCHED).increment(0);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        gauge!("http_server_in_flight_max").set(in_flight as f64);
        Self { requests: Arc::new(Permits::new(in_flight)), long_bodies: LongBodies::default(), routes }
    }

    fn max_body(&self, request: &Request) -> usize {
        self.routes.max_body(request.method(), route_of(request)).unwrap_or(MAX_BODY)
    }

    /// Reads the body before the permit and the deadline start, so that a slow sender uses neither. The slot of a long body is held as
    /// long as the body.
    ///
    /// # Errors
    /// 408, 413, or 400 for a body that cannot be read; for a long one also the refusals of a visitor and of the slots.
    pub async fn read_body(
        &self,
        authentication: &Authentication,
        limits: &Limits,
        request: Request,
    ) -> Result<(Request, Option<Slot>), Problem> {
        let max_length = self.max_body(&request);
        let (mut parts, body) = request.into_parts();
        let content_length =
            parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if content_length.is_some_and(|length: u64| length > max_length as u64) {
            return Err(too_large());
        }
        // Only members may send long bodies, and only as many at once as memory allows.
        let slot = if max_length > MAX_BODY && body.size_hint().upper().is_none_or(|length| length > MAX_BODY as u64) {
            let member = Member::from_request_parts(&mut parts, authentication).await?;
            let client = Client::from_request_parts(&mut parts, limits).await?;
            Some(self.long_bodies.take(member.id, client.key(), client.site())?)
        } else {
            None
        };
        if body.is_end_stream() {
            return Ok((Request::from_parts(parts, body), slot));
        }
        let bytes = timeout(BODY_TIMEOUT, collect(body, max_length)).await.unwrap_or_else(|_| Err(too_slow()))?;
        Ok((Request::from_parts(parts, Body::from(bytes)), slot))
    }

    /// The permit of a request; `None` if it needs none.
    ///
    /// # Errors
    /// 503 at once when too many requests are running.
    pub fn admit(&self, request: &Request) -> Result<Option<Permit<'_>>, Problem> {
        let route = route_of(request);
        if self.routes.is_coalesced(route) {
            return Ok(None);
        }
        let permit = self.requests.take(self.is_sheddable(request.method(), route));
        if permit.is_none() {
            let route = Some(route).filter(|route| !route.is_empty()).unwrap_or(UNMATCHED);
            counter!(SHED, "route" => route.to_owned()).increment(1);
            return Err(Problem::busy("OVERLOADED"));
        }
        Ok(permit)
    }

    /// Only reads are shed.
    pub fn is_sheddable(&self, method: &Method, route: &str) -> bool {
        matches!(*method, Method::GET | Method::HEAD) && self.routes.is_sheddable(route)
    }
}

fn route_of(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

/// The whole body, if no part of it is late.
async fn collect(body: Body, max_length: usize) -> Result<Bytes, Problem> {
    let mut body = Limited::new(body, max_length);
    let (mut parts, mut length) = (Vec::new(), 0);
    while let Some(frame) = timeout(STALL_TIMEOUT, body.frame()).await.map_err(|_| too_slow())? {
        // Trailers are ignored.
        if let Ok(part) = frame.map_err(|error| unread(&*error))?.into_data() {
            length += part.len();
            parts.push(part);
        }
    }
    // Most bodies arrive in one part, which is not copied.
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let mut whole = BytesMut::with_capacity(length);
    parts.drain(..).for_each(|part| whole.extend_from_slice(&part));
    Ok(whole.freeze())
}

/// Too long, or malformed. (A broken connection too, but then the response is not read.)
fn unread(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Problem {
    if error.is::<LengthLimitError>() {
        return too_large();
    }
    Problem::new(StatusCode::BAD_REQUEST, "BROKEN_BODY", "The body could not be read to its end.")
}

const fn too_slow() -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "The body took too long to arrive.")
}

const fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", "This is too large to be sent.")
}

/// Permits of concurrent requests.
#[derive(Debug)]
pub struct Permits {
    taken: AtomicUsize,
    all: usize,
}

impl Permits {
    /// `all` free permits.
    pub const fn new(all: usize) -> Self {
        Self { taken: AtomicUsize::new(0), all }
    }

    fn take(&self, sheddable: bool) -> Option<Permit<'_>> {
        let open = if sheddable { self.all - self.all / 4 } else { self.all };
        let permit = Permit(self);
        // Taken first and returned if it was one too many, so that two requests cannot share the last permit.
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        (before < open).then_some(permit)
    }
}

/// The permit of a request, free again when it is dropped.
#[derive(Debug)]
pub struct Permit<'a>(&'a Permits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheddable_requests_cannot_take_the_last_quarter_of_permits() {
        let permits = Permits::new(4);
        let _held: Vec<_> = (0..3).map(|_| permits.take(true).unwrap()).collect();
        assert!(permits.take(true).is_none());
        let last = permits.take(false).unwrap();
        assert!(permits.take(false).is_none());
        drop(last);
        assert!(permits.take(false).is_some(), "a refusal takes no permit");
    }
}
