//! Load shedding: bodies of bounded size and time, and a bounded number of concurrent requests.

use std::{
    error::Error as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::{FromRequestParts as _, MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{Method, StatusCode, header};
use http_body_util::LengthLimitError;
use tokio::time::timeout;

use crate::edge::{
    authentication::{Authentication, Member},
    problem::Problem,
    route_attributes::RouteAttributes,
};

/// The maximum length of a body.
const MAX_BODY: usize = 64 * 1024;
/// The maximum of concurrent long bodies, which are in memory.
const MAX_LONG_BODIES: usize = 16;
/// The timeout of a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);

/// The limits of concurrent work of this gateway. Clones share the permits.
#[derive(Clone, Debug)]
pub struct Load {
    requests: Arc<Permits>,
    long_bodies: Arc<Permits>,
    routes: Arc<RouteAttributes>,
}

impl Load {
    /// At most `in_flight` concurrent requests.
    pub fn new(in_flight: usize, routes: Arc<RouteAttributes>) -> Self {
        let long_bodies = Arc::new(Permits::new(MAX_LONG_BODIES));
        Self { requests: Arc::new(Permits::new(in_flight)), long_bodies, routes }
    }

    fn max_body(&self, request: &Request) -> usize {
        self.routes.max_body(request.method(), route_of(request)).unwrap_or(MAX_BODY)
    }

    /// Only reads are shed.
    pub fn is_sheddable(&self, method: &Method, route: &str) -> bool {
        matches!(*method, Method::GET | Method::HEAD) && self.routes.is_sheddable(route)
    }
}

/// Reads the body before the permit and the deadline start, so that a slow sender uses neither.
pub async fn read_body(
    State(load): State<Load>,
    State(authentication): State<Authentication>,
    request: Request,
    next: Next,
) -> Response {
    match within_bounds(&load, &authentication, request).await {
        // The permit of a long body is held as long as the body.
        Ok((request, _permit)) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn route_of(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

async fn within_bounds<'a>(
    load: &'a Load,
    authentication: &Authentication,
    request: Request,
) -> Result<(Request, Option<Permit<'a>>), Problem> {
    let max_length = load.max_body(&request);
    let (mut parts, body) = request.into_parts();
    let content_length =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if content_length.is_some_and(|length: u64| length > max_length as u64) {
        return Err(too_large());
    }
    // Only members may send long bodies, and only as many at once as memory allows.
    let permit = if max_length > MAX_BODY && body.size_hint().upper().is_none_or(|length| length > MAX_BODY as u64) {
        Member::from_request_parts(&mut parts, authentication).await?;
        Some(load.long_bodies.take(false).ok_or_else(|| Problem::busy("OVERLOADED"))?)
    } else {
        None
    };
    let bytes = timeout(BODY_TIMEOUT, to_bytes(body, max_length))
        .await
        .map_err(|_| Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "The body took too long to arrive."))?;
    Ok((Request::from_parts(parts, Body::from(bytes.map_err(|error| unread(&error))?)), permit))
}

/// Too long, or malformed. (A broken connection too, but then the response is not read.)
fn unread(error: &axum::Error) -> Problem {
    if error.source().is_some_and(|source| source.is::<LengthLimitError>()) {
        return too_large();
    }
    Problem::new(StatusCode::BAD_REQUEST, "BROKEN_BODY", "The body could not be read to its end.")
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

struct Permit<'a>(&'a Permits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Refuses with 503 at once when too many requests are running.
pub async fn bound(State(load): State<Load>, request: Request, next: Next) -> Response {
    if load.routes.is_coalesced(route_of(&request)) {
        return next.run(request).await;
    }
    let Some(_permit) = load.requests.take(load.is_sheddable(request.method(), route_of(&request))) else {
        return Problem::busy("OVERLOADED").into_response();
    };
    next.run(request).await
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
