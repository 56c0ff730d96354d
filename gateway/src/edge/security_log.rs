//! The security log: an event for every request that is refused with 401, 403 or 429, or whose refusal is hidden as 404.
//!
//! An event has the member, the network, the route and the reason: no body, query, cookie, token, or text that a client wrote.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::extract::MatchedPath;
use http::{Method, Request, Response, StatusCode};
use metrics::{counter, describe_counter};
use uuid::Uuid;

use crate::edge::{
    authentication::Cookies,
    limits::{Bucket, Limits, network, site},
    problem::Refusal,
    request_notes::RequestNotes,
};

/// The counter of refused requests, including requests that the log omits.
const REFUSED: &str = "security_refusals_total";
/// Events with one status of one network.
const OF_NETWORK: Bucket = Bucket::per_minute("security-log-of-network", 60);
/// The first events with one status of one site; their own limit keeps further events from hiding other sites.
const FIRST_OF_SITE: Bucket = Bucket::per_minute("security-log-first-of-site", 5);
/// All first events of visitors.
const FIRST: Bucket = Bucket::per_minute("security-log-first", 600);
/// All events of members: floods without a session must not hide them.
const OF_MEMBERS: Bucket = Bucket::per_minute("security-log-of-members", 600);
/// Events of one member.
const OF_MEMBER: Bucket = Bucket::per_minute("security-log-of-member", 60);
/// All further events of this process: 10 a second.
const OF_PROCESS: Bucket = Bucket::per_minute("security-log", 600);
/// The methods that an event names; clients can invent others.
const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

/// Writes the security log. Clones share its limits.
#[derive(Clone)]
pub struct SecurityLog {
    limits: Limits,
    cookies: Cookies,
    /// The events left out since the last one that was written.
    omitted: Arc<AtomicU64>,
}

impl SecurityLog {
    /// A log whose volume is bounded by `limits`.
    pub fn new(limits: Limits, cookies: Cookies) -> Self {
        describe_counter!(REFUSED, "Requests refused with 401, 403 or 429, or by a hidden rule, by status and reason");
        Self { limits, cookies, omitted: Arc::default() }
    }

    fn admits(&self, status: StatusCode, address: Option<IpAddr>, member: Option<Uuid>) -> bool {
        let count = |bucket, key: &str| self.limits.count_here(bucket, key).is_ok();
        let status = status.as_u16();
        if !count(OF_NETWORK, &format!("{status} {}", network(address))) {
            return false;
        }
        if let Some(member) = member
            && count(OF_MEMBER, &member.to_string())
            && count(OF_MEMBERS, "")
        {
            return true;
        }
        let is_first = count(FIRST_OF_SITE, &format!("{status} {}", site(address))) && count(FIRST, "");
        is_first || count(OF_PROCESS, "")
    }
}

/// The properties of a request that the log needs when the response arrives.
pub struct Observation {
    address: Option<IpAddr>,
    route: Option<MatchedPath>,
    method: Method,
    shows_credential: bool,
    notes: RequestNotes,
}

impl SecurityLog {
    /// Begins to observe a request.
    pub fn observe<B>(&self, request: &mut Request<B>) -> Observation {
        let notes = RequestNotes::default();
        request.extensions_mut().insert(notes.clone());
        Observation {
            address: self.limits.client_address(request.extensions(), request.headers()),
            route: request.extensions().get().cloned(),
            method: request.method().clone(),
            shows_credential: self.cookies.sent_in(request.headers()),
            notes,
        }
    }

    /// Writes an event if the response is a refusal.
    pub fn record<B>(&self, observation: Observation, response: &Response<B>) {
        let Observation { address, route, method, shows_credential, notes } = observation;
        let status = response.status();
        let hidden = notes.hidden();
        let is_refused =
            [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS].contains(&status);
        if !is_refused && hidden.is_none() {
            return;
        }
        let refusal = response.extensions().get::<Refusal>();
        let reason = hidden.or(refusal.map(|refusal| refusal.code.as_ref())).unwrap_or("NONE");
        counter!(REFUSED, "status" => status.as_str().to_owned(), "reason" => reason.to_owned()).increment(1);
        // The web client asks at every start whether there is a session: a visitor without a cookie attempts nothing.
        let is_read = matches!(method, Method::GET | Method::HEAD);
        if status == StatusCode::UNAUTHORIZED && is_read && !shows_credential {
            return;
        }
        let network = network(address);
        if !self.admits(status, address, notes.member()) {
            self.omitted.fetch_add(1, Ordering::Relaxed);
            return;
        }
        tracing::info!(
            target: "security",
            status = status.as_u16(),
            reason,
            limit = refusal.and_then(|refusal| refusal.limit),
            method = if METHODS.contains(&method) { method.as_str() } else { "_OTHER" },
            route = route.as_ref().map_or("unmatched", MatchedPath::as_str),
            member = notes.member().map(tracing::field::display),
            network,
            omitted = self.omitted.swap(0, Ordering::Relaxed),
            "request refused"
        );
    }
}
