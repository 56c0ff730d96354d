//! The layers around the routes of every service: trace, panic handling, deadline, identity. The same for both
//! transports.

use std::{any::Any, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::{Next, from_fn, from_fn_with_state},
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, header::AUTHORIZATION};
use tokio::time::{Instant, timeout_at};
use tonic::{Status, service::Routes};
use tower_http::catch_panic::CatchPanicLayer;

use crate::{
    identity::{Actor, Keyring, MEMBER_HEADER},
    timeout::time_left,
    tls::Peer,
};
use access::Policy;
use primitives::error::{ErrorKind, new_status};
use telemetry::GrpcServerLayer;

/// A call with less time is refused: its response would arrive too late.
const MIN_TIME_LEFT: Duration = Duration::from_millis(50);

/// The deadline of the caller; absent for streams.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(pub Instant);

/// The checks of a service on its callers.
struct Guard {
    service: &'static str,
    policy: Policy,
    keyring: Arc<Keyring>,
}

/// Adds the layers to the routes of a service, which are open to the callers in the table of `access` only.
#[must_use]
pub fn wrap(service: &'static str, routes: Routes, keyring: Arc<Keyring>) -> Routes {
    let guard = Arc::new(Guard { service, policy: Policy::of(service), keyring });
    let router = routes
        .into_axum_router()
        .layer(from_fn_with_state(guard, authenticate))
        .layer(from_fn(enforce_deadline))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(GrpcServerLayer::new(service));
    Routes::from(router)
}

/// Verifies the tokens of the caller and adds the [`Actor`] to the extensions of the request.
async fn authenticate(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    // Probes and grpcurl have no token; the responses contain nothing that is not in the repository.
    if path.starts_with("/grpc.health.") || path.starts_with("/grpc.reflection.") {
        return next.run(request).await;
    }
    match guard.actor(path, request.headers(), request.extensions().get()) {
        Ok(actor) => {
            request.extensions_mut().insert::<Actor>(actor);
            next.run(request).await
        }
        Err(status) => answer(status),
    }
}

impl Guard {
    /// The member of a call, or else its process, whose certificate `peer` is, if the connection has one.
    fn actor(&self, path: &str, headers: &HeaderMap, peer: Option<&Peer>) -> Result<Actor, Status> {
        let verify = |header: HeaderName| self.keyring.verify(bearer(headers.get(header)?)?, self.service);
        let no_token = || new_status(ErrorKind::Unauthenticated, "NO_TOKEN", "Sign in required");
        let forbidden = |reason| new_status(ErrorKind::Forbidden, reason, "This call is not open to you.");
        // A member token here is that of a caller without an identity of its own.
        let Some(Actor::Service(process)) = verify(AUTHORIZATION) else { return Err(no_token()) };
        if peer.is_some_and(|peer| !peer.is(&process)) {
            return Err(forbidden("CERTIFICATE_OF_ANOTHER"));
        }
        if !self.policy.permits(&process, path) {
            return Err(forbidden("CALLER_NOT_PERMITTED"));
        }
        if !headers.contains_key(MEMBER_HEADER) {
            return Ok(Actor::Service(process));
        }
        if !access::may_act_for_members(&process) {
            return Err(forbidden("MEMBER_NOT_PERMITTED"));
        }
        match verify(MEMBER_HEADER) {
            Some(member @ Actor::Member { .. }) => Ok(member),
            _ => Err(no_token()),
        }
    }
}

fn bearer(header: &HeaderValue) -> Option<&str> {
    header.to_str().ok()?.strip_prefix("Bearer ")
}

/// Enforces the deadline of the caller. Not done by tonic, which reports its own timeout as CANCELLED and does not
/// propagate the deadline.
async fn enforce_deadline(mut request: Request, next: Next) -> Response {
    let Some(left) = time_left(request.headers()) else { return next.run(request).await };
    let late = || answer(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."));
    if left < MIN_TIME_LEFT {
        return late();
    }
    let deadline = Instant::now() + left;
    request.extensions_mut().insert(Deadline(deadline));
    timeout_at(deadline, next.run(request)).await.unwrap_or_else(|_| late())
}

/// A panic ends one call, not the process. The panic hook logs the message; the caller does not get it.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    answer(new_status(ErrorKind::Internal, "PANIC", "Something went wrong on our side. Please try again."))
}

fn answer(status: Status) -> Response {
    status.into_http::<axum::body::Body>()
}
