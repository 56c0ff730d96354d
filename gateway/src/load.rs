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

use crate::{Gateway, identity::Member, problem::Problem};

/// The longest body of a form.
const MAX_BODY: usize = 64 * 1024;
/// Bodies that are longer: a picture is sent as it is, or travels in a form; thirty positions and an article are long.
const LONG_BODIES: [(Method, &str, usize); 5] = [
    (Method::POST, "/api/pictures", 8 << 20),
    (Method::PATCH, "/api/users/{id}", 768 * 1024),
    (Method::PUT, "/api/users/{id}/profile", 256 * 1024),
    (Method::POST, "/api/posts", 256 * 1024),
    (Method::PATCH, "/api/posts/{id}", 256 * 1024),
];
/// Long bodies that one gateway holds at once: what is read of them stands in memory.
pub const LONG_AT_ONCE: usize = 16;
/// The longest time a body may take.
const BODY_TIME: Duration = Duration::from_secs(15);
/// Lists a page can do without; they are refused when three quarters of the places are taken.
const SHEDDABLE: [&str; 8] = [
    "/api/users/{id}/suggestions",
    "/api/communities",
    "/api/events",
    "/api/jobs/stats/overview",
    "/api/news",
    "/api/news/sources/list",
    "/api/search",
    "/api/status",
];

/// Routes on which all wait for one call together, which is no work: they take nobody's place.
const WAITING: [&str; 2] = ["/api/jobs/refresh", "/api/news/refresh"];

/// Reads the body before anything else is begun: a slow sender holds no place and uses up no deadline.
pub async fn read_body(State(gateway): State<Arc<Gateway>>, request: Request, next: Next) -> Response {
    match within_bounds(&gateway, request).await {
        // The place of a long body is held for as long as the body is.
        Ok((request, _place)) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// The longest body of the request's route.
fn longest(request: &Request) -> usize {
    let of = |(method, route, longest): &(Method, &str, usize)| {
        (method == request.method() && *route == route_of(request)).then_some(*longest)
    };
    LONG_BODIES.iter().find_map(of).unwrap_or(MAX_BODY)
}

fn route_of(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str)
}

async fn within_bounds(gateway: &Arc<Gateway>, request: Request) -> Result<(Request, Option<Place<'_>>), Problem> {
    let longest = longest(&request);
    let (mut parts, body) = request.into_parts();
    let announced = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > longest as u64) {
        return Err(too_large());
    }
    // Only members send long ones: nobody else's is read at all, and of theirs not more at once than memory allows.
    let place = if longest > MAX_BODY && body.size_hint().upper().is_none_or(|length| length > MAX_BODY as u64) {
        Member::from_request_parts(&mut parts, gateway).await?;
        Some(gateway.long_bodies.take(false).ok_or_else(|| Problem::busy("OVERLOADED"))?)
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
pub struct Places {
    taken: AtomicUsize,
    all: usize,
}

impl Places {
    /// `all` of them, free.
    pub const fn new(all: usize) -> Self {
        Self { taken: AtomicUsize::new(0), all }
    }

    fn take(&self, sheddable: bool) -> Option<Place<'_>> {
        let open = if sheddable { self.all - self.all / 4 } else { self.all };
        let place = Place(self);
        // Taken first, given back when it was one too many: two requests cannot share the last place.
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        (before < open).then_some(place)
    }
}

struct Place<'a>(&'a Places);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Only the reading of a list: whoever founds a community does so on purpose.
fn is_sheddable(method: &Method, route: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && SHEDDABLE.contains(&route)
}

/// Answers 503 at once when too much is under way: an early no is worth more than a late yes.
pub async fn bound(State(gateway): State<Arc<Gateway>>, request: Request, next: Next) -> Response {
    if WAITING.contains(&route_of(&request)) {
        return next.run(request).await;
    }
    let Some(_place) = gateway.places.take(is_sheddable(request.method(), route_of(&request))) else {
        return Problem::busy("OVERLOADED").into_response();
    };
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_cards_go_first_and_what_is_written_does_not() {
        for card in ["/api/users/{id}/suggestions", "/api/communities", "/api/events", "/api/search", "/api/status"] {
            assert!(is_sheddable(&Method::GET, card), "{card}");
        }
        for main in ["/api/posts", "/api/communities/{id}", "/api/events/{id}", "/api/jobs", "/api/news/{id}"] {
            assert!(!is_sheddable(&Method::GET, main), "{main}");
        }
        assert!(!is_sheddable(&Method::POST, "/api/communities") && !is_sheddable(&Method::POST, "/api/events"));
    }

    #[test]
    fn the_last_quarter_is_not_for_what_a_page_can_do_without() {
        let places = Places::new(4);
        let _held: Vec<_> = (0..3).map(|_| places.take(true).unwrap()).collect();
        assert!(places.take(true).is_none());
        let last = places.take(false).unwrap();
        assert!(places.take(false).is_none());
        drop(last);
        assert!(places.take(false).is_some(), "a refusal costs no place");
    }
}
