//! What the gateway takes on: bodies of bounded size and time, and requests of a bounded number.

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
};

/// The longest body of a form.
const MAX_BODY: usize = 64 * 1024;
/// Long bodies that one gateway holds at once: what is read of them stands in memory.
const MAX_LONG_BODIES: usize = 16;
/// The longest time a body may take.
const BODY_TIME: Duration = Duration::from_secs(15);
/// The routes with other limits than the usual ones. `api::routes` declares them.
#[derive(Clone, Copy, Debug)]
pub struct RouteLimits {
    /// Longer bodies than [`MAX_BODY`]: method, route, bytes.
    pub long_bodies: &'static [(Method, &'static str, usize)],
    /// Lists that a page can do without. Their reads are refused when three quarters of the permits are taken.
    pub sheddable: &'static [&'static str],
    /// Routes on which requests wait for one shared call. They need no permit.
    pub waiting: &'static [&'static str],
}

/// The limits of concurrent work of this gateway. Clones share the permits.
#[derive(Clone, Debug)]
pub struct Load {
    requests: Arc<Permits>,
    long_bodies: Arc<Permits>,
    routes: RouteLimits,
}

impl Load {
    /// At most `in_flight` concurrent requests.
    pub fn new(in_flight: usize, routes: RouteLimits) -> Self {
        let long_bodies = Arc::new(Permits::new(MAX_LONG_BODIES));
        Self { requests: Arc::new(Permits::new(in_flight)), long_bodies, routes }
    }

    /// The maximum length of the body of a request, by its route.
    fn max_body(&self, request: &Request) -> usize {
        let of = |(method, route, bytes): &(Method, &str, usize)| {
            (method == request.method() && *route == route_of(request)).then_some(*bytes)
        };
        self.routes.long_bodies.iter().find_map(of).unwrap_or(MAX_BODY)
    }

    /// Only reads are shed.
    pub fn is_sheddable(&self, method: &Method, route: &str) -> bool {
        matches!(*method, Method::GET | Method::HEAD) && self.routes.sheddable.contains(&route)
    }
}

/// Reads the body before anything else is begun: a slow sender holds no place and uses up no deadline.
pub async fn read_body(
    State(load): State<Load>,
    State(authentication): State<Authentication>,
    request: Request,
    next: Next,
) -> Response {
    match within_bounds(&load, &authentication, request).await {
        // The place of a long body is held for as long as the body is.
        Ok((request, _place)) => next.run(request).await,
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
    let longest = load.max_body(&request);
    let (mut parts, body) = request.into_parts();
    let announced = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > longest as u64) {
        return Err(too_large());
    }
    // Only members send long ones: nobody else's is read at all, and of theirs not more at once than memory allows.
    let place = if longest > MAX_BODY && body.size_hint().upper().is_none_or(|length| length > MAX_BODY as u64) {
        Member::from_request_parts(&mut parts, authentication).await?;
        Some(load.long_bodies.take(false).ok_or_else(|| Problem::busy("OVERLOADED"))?)
    } else {
        None
    };
    let bytes = timeout(BODY_TIME, to_bytes(body, longest))
        .await
        .map_err(|_| Problem::new(StatusCode::REQUEST_TIMEOUT, "BODY_TIMEOUT", "The body took too long to arrive."))?;
    Ok((Request::from_parts(parts, Body::from(bytes.map_err(|error| unread(&error))?)), place))
}

/// Too long, or framed wrongly. (A connection that broke is neither, but then nobody reads this answer.)
fn unread(error: &axum::Error) -> Problem {
    if error.source().is_some_and(|source| source.is::<LengthLimitError>()) {
        return too_large();
    }
    Problem::new(StatusCode::BAD_REQUEST, "BROKEN_BODY", "The body could not be read to its end.")
}

const fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", "This is too large to be sent.")
}

/// The places of requests under way.
#[derive(Debug)]
pub struct Permits {
    taken: AtomicUsize,
    all: usize,
}

impl Permits {
    /// `all` of them, free.
    pub const fn new(all: usize) -> Self {
        Self { taken: AtomicUsize::new(0), all }
    }

    fn take(&self, sheddable: bool) -> Option<Permit<'_>> {
        let open = if sheddable { self.all - self.all / 4 } else { self.all };
        let place = Permit(self);
        // Taken first, given back when it was one too many: two requests cannot share the last place.
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        (before < open).then_some(place)
    }
}

struct Permit<'a>(&'a Permits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers 503 at once when too much is under way: an early no is worth more than a late yes.
pub async fn bound(State(load): State<Load>, request: Request, next: Next) -> Response {
    if load.routes.waiting.contains(&route_of(&request)) {
        return next.run(request).await;
    }
    let Some(_place) = load.requests.take(load.is_sheddable(request.method(), route_of(&request))) else {
        return Problem::busy("OVERLOADED").into_response();
    };
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_quarter_is_not_for_what_a_page_can_do_without() {
        let places = Permits::new(4);
        let _held: Vec<_> = (0..3).map(|_| places.take(true).unwrap()).collect();
        assert!(places.take(true).is_none());
        let last = places.take(false).unwrap();
        assert!(places.take(false).is_none());
        drop(last);
        assert!(places.take(false).is_some(), "a refusal costs no place");
    }
}
