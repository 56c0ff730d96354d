//! The layers around the routes of every service: trace, panic handling, deadline, identity. The same for both
//! transports.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{extract::Request, response::Response};
use futures::FutureExt as _;
use http::{Extensions, HeaderMap, HeaderName, header::AUTHORIZATION};
use tokio::time::{Instant, timeout_at};
use tonic::{Status, service::Routes};
use tower::{Layer, Service, ServiceBuilder};

use crate::{
    identity::{Actor, Keyring, MEMBER_HEADER, Presented, of_bearer},
    positions::WrittenLog,
    refusals::{Refusal, RefusalLog},
    timeout::time_left,
    tls::Peer,
};
use access::Policy;
use primitives::{
    error::{ErrorKind, new_status},
    log_position::{LogPosition, READ_AFTER, WRITTEN_BEFORE, reading_after},
};
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
    /// Of a service with a standby.
    log: Option<Arc<dyn WrittenLog>>,
    refusals: RefusalLog,
}

/// Adds the layers to the routes of a service, which are open to the callers in the table of `access` only.
#[must_use]
pub fn wrap(service: &'static str, routes: Routes, keyring: Arc<Keyring>) -> Routes {
    wrap_with_standby(service, routes, keyring, None)
}

/// Like [`wrap`]. With the `log` of a service with a standby, the response to a call that may have written states its position.
#[must_use]
pub fn wrap_with_standby(
    service: &'static str,
    routes: Routes,
    keyring: Arc<Keyring>,
    log: Option<Arc<dyn WrittenLog>>,
) -> Routes {
    let guard = GuardLayer(Arc::new(Guard {
        service,
        policy: Policy::of(service),
        keyring,
        log,
        refusals: RefusalLog::default(),
    }));
    // One layer: axum boxes and clones each of several for every call.
    let layers = ServiceBuilder::new().layer(GrpcServerLayer::new(service)).layer(guard);
    Routes::from(routes.into_axum_router().layer(layers))
}

/// The layers below telemetry: panic handling, deadline, identity.
#[derive(Clone)]
struct GuardLayer(Arc<Guard>);

impl<S> Layer<S> for GuardLayer {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { guard: Arc::clone(&self.0), inner: Arc::new(inner) }
    }
}

/// A service under [`GuardLayer`].
struct Guarded<S> {
    guard: Arc<Guard>,
    /// Shared: the service is cloned more often than called.
    inner: Arc<S>,
}

impl<S> Clone for Guarded<S> {
    fn clone(&self) -> Self {
        Self { guard: Arc::clone(&self.guard), inner: Arc::clone(&self.inner) }
    }
}

impl<S> Service<Request> for Guarded<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // A route of axum is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let guard = Arc::clone(&self.guard);
        let inner = S::clone(&self.inner);
        Box::pin(async move {
            let answered = AssertUnwindSafe(guard.answer(request, inner)).catch_unwind().await;
            Ok(answered.unwrap_or_else(|_| Err(panicked())).unwrap_or_else(Status::into_http))
        })
    }
}

impl Guard {
    /// Returns the response within the deadline of the caller. tonic does not enforce it, because it reports its own
    /// timeout as CANCELLED and does not propagate the deadline.
    async fn answer<S>(&self, mut request: Request, inner: S) -> Result<Response, Status>
    where
        S: Service<Request, Response = Response, Error = Infallible>,
    {
        let Some(left) = time_left(request.headers()) else { return self.authenticated(request, inner).await };
        if left < MIN_TIME_LEFT {
            return Err(late());
        }
        let deadline = Instant::now() + left;
        request.extensions_mut().insert(Deadline(deadline));
        timeout_at(deadline, self.authenticated(request, inner)).await.unwrap_or_else(|_| Err(late()))
    }

    /// Returns the response to a verified caller, with the [`Actor`] in the extensions of the request.
    async fn authenticated<S>(&self, mut request: Request, mut inner: S) -> Result<Response, Status>
    where
        S: Service<Request, Response = Response, Error = Infallible>,
    {
        let path = request.uri().path();
        // Probes and grpcurl have no token; the responses contain nothing that is not in the repository.
        if !path.starts_with("/grpc.health.") && !path.starts_with("/grpc.reflection.") {
            let actor = self
                .actor(path, request.headers(), request.extensions())
                .map_err(|refusal| self.refusals.record(self.service, path, &refusal))?;
            request.extensions_mut().insert::<Actor>(actor);
        }
        if let Some(position) = LogPosition::of_header(request.headers(), &READ_AFTER) {
            return reading_after(position, inner.call(request)).await.map_err(|never| match never {});
        }
        let log = self.log.as_ref().filter(|_| request.extensions().get::<Deadline>().is_some());
        let mut response = inner.call(request).await.unwrap_or_else(|never| match never {});
        if let Some(log) = log {
            response.headers_mut().insert(WRITTEN_BEFORE, log.written().await.into());
        }
        Ok(response)
    }

    /// Returns the member of a call, or else its process. The extensions contain the certificate of the process, if the
    /// connection has one.
    fn actor(&self, path: &str, headers: &HeaderMap, extensions: &Extensions) -> Result<Actor, Refusal> {
        let presented = extensions.get::<Presented>();
        let sent = |header: HeaderName| self.keyring.verify(of_bearer(headers.get(header)?)?, self.service);
        let process = match presented {
            Some(presented) => self.keyring.verify_presented(&presented.process, self.service),
            None => sent(AUTHORIZATION),
        };
        // A member token here comes from a caller without an identity of its own.
        let Some(Actor::Service(process)) = process else { return Err(Refusal::without_token(None)) };
        if extensions.get::<Peer>().is_some_and(|peer| !peer.is(&process)) {
            return Err(Refusal::of(&process, "CERTIFICATE_OF_ANOTHER"));
        }
        if !self.policy.permits(&process, path) {
            return Err(Refusal::of(&process, "CALLER_NOT_PERMITTED"));
        }
        let member = presented.and_then(|presented| presented.member.as_ref());
        if member.is_none() && !headers.contains_key(MEMBER_HEADER) {
            return Ok(Actor::Service(process));
        }
        if !access::may_act_for_members(&process) {
            return Err(Refusal::of(&process, "MEMBER_NOT_PERMITTED"));
        }
        let member = match member {
            Some(member) => self.keyring.verify_presented(member, self.service),
            None => sent(MEMBER_HEADER),
        };
        match member {
            Some(member @ Actor::Member { .. }) => Ok(member),
            _ => Err(Refusal::without_token(Some(&process))),
        }
    }
}

fn late() -> Status {
    new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again.")
}

/// A panic ends one call, not the process. The panic hook logs the message; the caller does not get it.
fn panicked() -> Status {
    new_status(ErrorKind::Internal, "PANIC", "Something went wrong on our side. Please try again.")
}
