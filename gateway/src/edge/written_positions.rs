//! The positions of a browser's last writes, in a cookie for each service: with standbys, its next requests read their own writes at
//! any gateway.

use std::sync::Arc;

use axum::extract::Request;
use http::{
    HeaderMap, HeaderValue, Method,
    header::{COOKIE, SET_COOKIE},
};
use primitives::log_position::LogPosition;
use rpc::Positions;

use crate::edge::authentication::Cookies;

/// Adds the positions to a request that may write or has some. Others need none.
pub fn prepare(cookies: &Cookies, request: &mut Request) -> Option<Arc<Positions>> {
    let positions = read(cookies.positions(), request.headers());
    if positions.is_empty() && matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let positions = Arc::new(Positions::new(positions));
    request.extensions_mut().insert(Arc::clone(&positions));
    Some(positions)
}

/// Adds the cookies to the response of a request that has written to services with standbys.
pub fn remember(cookies: &Cookies, positions: &Positions, headers: &mut HeaderMap) {
    for (service, position) in positions.changed() {
        let cookie = cookies.of_position(service, position.to_string());
        if let Ok(cookie) = HeaderValue::try_from(cookie.to_string()) {
            headers.append(SET_COOKIE, cookie);
        }
    }
}

/// Reads the positions in cookies whose names begin with `prefix`. Skips unreadable values: the browser may have
/// changed them, which delays only its own reads, by at most a tenth of a second.
fn read(prefix: &str, headers: &HeaderMap) -> Vec<(&'static str, LogPosition)> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    // Most requests have none.
    let cookies = lines.filter(|line| line.contains(prefix)).flat_map(|line| line.split(';'));
    let position = |cookie: &str| {
        let (service, position) = cookie.trim().strip_prefix(prefix)?.split_once('=')?;
        Some((access::service(service)?, LogPosition::parse(position)?))
    };
    cookies.filter_map(position).collect()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(method: Method, cookie: &str) -> Request {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = method;
        request.headers_mut().insert(COOKIE, cookie.try_into().unwrap());
        request
    }

    #[test]
    fn the_positions_of_a_response_are_those_of_the_next_request() {
        let cookies = Cookies::new(false);
        let known = "portia_session=x; portia_written_jobs=7";
        let positions = prepare(&cookies, &mut request(Method::POST, known)).unwrap();
        positions.raise("feed", LogPosition(0x1_6b37));
        positions.raise("social-graph", LogPosition(2));
        positions.raise("social-graph", LogPosition(1));
        let mut headers = HeaderMap::new();
        remember(&cookies, &positions, &mut headers);
        let set: Vec<&str> = headers.get_all(SET_COOKIE).iter().map(|cookie| cookie.to_str().unwrap()).collect();
        let attributes = "HttpOnly; SameSite=Lax; Path=/; Max-Age=60";
        let expected = ["feed=16b37", "social-graph=2"].map(|cookie| format!("portia_written_{cookie}; {attributes}"));
        assert_eq!(set, expected, "those that have changed");
        let sent: Vec<&str> = set.iter().filter_map(|cookie| cookie.split(';').next()).chain([known]).collect();
        let mut next = request(Method::GET, &sent.join("; "));
        let positions = prepare(&cookies, &mut next).unwrap();
        let read = ["feed", "social-graph", "jobs", "news"].map(|service| positions.of(service).0);
        assert_eq!(read, [0x1_6b37, 2, 7, 0]);
        assert!(Arc::ptr_eq(&positions, next.extensions().get().unwrap()));
        let mut headers = HeaderMap::new();
        remember(&cookies, &positions, &mut headers);
        assert!(headers.is_empty(), "a read changes nothing");
    }

    #[test]
    fn a_read_without_a_position_has_none() {
        let cookies = Cookies::new(false);
        for cookie in [
            "portia_session=x",
            "portia_written_feed",
            "portia_written_feed=",
            "portia_written_feed=x",
            "portia_written_feed=-1",
            "portia_written_feed=10000000000000000",
            "portia_written_nothing=1",
            "xportia_written_feed=1",
        ] {
            assert!(prepare(&cookies, &mut request(Method::GET, cookie)).is_none(), "{cookie}");
        }
    }
}
