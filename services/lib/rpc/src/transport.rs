//! One client transport, two ways to travel: HTTP/2 to another process, or a plain call within this one.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderMap, Request, Response};
use http_body_util::BodyExt as _;
use tokio::time::timeout;
use tonic::{
    Code, Status,
    body::Body,
    service::Routes,
    transport::{Channel, Endpoint},
};
use tower::{Layer as _, Service, ServiceExt as _};

use crate::circuit_breaker::CircuitBreaker;
use primitives::error::{ErrorKind, new_status};
use telemetry::{GrpcClient, GrpcClientLayer, Watched};

/// Where a service started in this process puts its routes. Services refer to each other before all of them stand.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<OnceLock<Routes>>);

impl Slot {
    /// Opens the service to its upstreams. A slot is filled once.
    pub fn fill(&self, routes: Routes) {
        if self.0.set(routes.prepare()).is_err() {
            tracing::warn!("a service was started twice in one process; the first one stays");
        }
    }
}

#[derive(Clone, Debug)]
enum Way {
    Remote(Channel),
    Local(Slot),
}

/// A neighbour, as generated clients use it: `FeedServiceClient::new(transport)`.
#[derive(Clone)]
pub struct Transport(GrpcClient<Wire>);

impl Transport {
    /// A neighbour in another process. It is connected to when first called, and again after it was away.
    ///
    /// # Errors
    /// When `url` is no address.
    pub fn remote(url: &str) -> Result<Self, tonic::transport::Error> {
        let channel = Endpoint::from_shared(url.to_owned())?
            .connect_timeout(Duration::from_secs(1))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(5))
            .connect_lazy();
        Ok(Self::new(Way::Remote(channel)))
    }

    /// A neighbour in this process.
    #[must_use]
    pub fn local(slot: Slot) -> Self {
        Self::new(Way::Local(slot))
    }

    fn new(way: Way) -> Self {
        Self(GrpcClientLayer.layer(Wire { way, breaker: CircuitBreaker::new() }))
    }
}

impl Service<Request<Body>> for Transport {
    type Response = Response<Watched<Body>>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.0.call(request)
    }
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transport")
    }
}

/// The way itself, breakered and held to the deadline.
#[derive(Clone)]
struct Wire {
    way: Way,
    breaker: CircuitBreaker,
}

impl Service<Request<Body>> for Wire {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self { way, breaker } = self.clone();
        // Streams name no timeout; they are neither bounded in time nor counted as in flight.
        let left = timeout_of(request.headers());
        Box::pin(async move {
            let Some(left) = left else { return way.call(request).await };
            let _place = breaker.enter()?;
            let result = timeout(left, way.call(request)).await.unwrap_or_else(|_| {
                Err(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."))
            });
            breaker.ended(code_of(&result));
            result
        })
    }
}

impl Way {
    async fn call(self, request: Request<Body>) -> Result<Response<Body>, Status> {
        match self {
            Self::Remote(mut channel) => {
                let ready = channel.ready().await.map_err(away)?;
                let response = ready.call(request).await.map_err(away)?;
                Ok(response.map(|body| Body::new(body.map_err(cut))))
            }
            Self::Local(slot) => match slot.0.get() {
                Some(routes) => routes.clone().call(request).await.map_err(|never| match never {}),
                None => Err(new_status(ErrorKind::Unavailable, "NOT_STARTED", "Portia is starting. Please try again.")),
            },
        }
    }
}

/// A connection that fails is a neighbour that is away, whatever hyper calls it.
fn away(error: tonic::transport::Error) -> Status {
    tracing::debug!(error = %primitives::error::ErrorChain(&error), "a neighbour is away");
    new_status(ErrorKind::Unavailable, "NEIGHBOUR_AWAY", "Portia is busy at the moment. Please try again.")
}

/// So is one that breaks off in the middle of an answer: tonic has no code for that.
fn cut(status: Status) -> Status {
    if status.code() != Code::Unknown {
        return status;
    }
    tracing::debug!(error = %primitives::error::ErrorChain(&status), "a neighbour went away while it answered");
    new_status(ErrorKind::Unavailable, "NEIGHBOUR_AWAY", "Portia is busy at the moment. Please try again.")
}

/// `Request::set_timeout` writes microseconds or coarser, never more than eight digits.
fn timeout_of(headers: &HeaderMap) -> Option<Duration> {
    crate::layers::parse_timeout(headers.get("grpc-timeout")?.to_str().ok()?)
}

fn code_of(result: &Result<Response<Body>, Status>) -> Code {
    match result {
        // An error that needs no body travels in the headers; the others have an answer, which is what counts here.
        Ok(response) => Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code()),
        Err(status) => status.code(),
    }
}
