//! The client transport: HTTP/2 to another process, or a direct call within this one.

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
use telemetry::{GrpcClient, GrpcClientLayer, ObservedBody};

/// Holds the routes of a service in this process. Services refer to each other before all of them have started.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<OnceLock<Routes>>);

impl Slot {
    /// Publishes the routes. A slot is filled once.
    pub fn fill(&self, routes: Routes) {
        if self.0.set(routes.prepare()).is_err() {
            tracing::warn!("a service was started twice in one process; the first one remains");
        }
    }
}

#[derive(Clone, Debug)]
enum Connection {
    Remote(Channel),
    Local(Slot),
}

/// The transport of generated clients: `FeedServiceClient::new(transport)`.
#[derive(Clone)]
pub struct Transport(GrpcClient<CallService>);

impl Transport {
    /// An upstream in another process. Connects on the first call, and again after a failure.
    ///
    /// # Errors
    /// When `url` is not a URL.
    pub fn remote(url: &str) -> Result<Self, tonic::transport::Error> {
        let channel = Endpoint::from_shared(url.to_owned())?
            .connect_timeout(Duration::from_secs(1))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(5))
            .connect_lazy();
        Ok(Self::new(Connection::Remote(channel)))
    }

    /// An upstream in this process.
    #[must_use]
    pub fn local(slot: Slot) -> Self {
        Self::new(Connection::Local(slot))
    }

    fn new(connection: Connection) -> Self {
        Self(GrpcClientLayer.layer(CallService { connection, breaker: CircuitBreaker::new() }))
    }
}

impl Service<Request<Body>> for Transport {
    type Response = Response<ObservedBody<Body>>;
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

/// A connection with its circuit breaker and the deadline.
#[derive(Clone)]
struct CallService {
    connection: Connection,
    breaker: CircuitBreaker,
}

impl Service<Request<Body>> for CallService {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let Self { connection, breaker } = self.clone();
        // Streams have no timeout; they are neither bounded in time nor counted as in flight.
        let left = timeout_of(request.headers());
        Box::pin(async move {
            let Some(left) = left else { return connection.call(request).await };
            let _permit = breaker.acquire()?;
            let result = timeout(left, connection.call(request)).await.unwrap_or_else(|_| {
                Err(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."))
            });
            breaker.record(code_of(&result));
            result
        })
    }
}

impl Connection {
    async fn call(self, request: Request<Body>) -> Result<Response<Body>, Status> {
        match self {
            Self::Remote(mut channel) => {
                let ready = channel.ready().await.map_err(unavailable)?;
                let response = ready.call(request).await.map_err(unavailable)?;
                Ok(response.map(|body| Body::new(body.map_err(interrupted))))
            }
            Self::Local(slot) => match slot.0.get() {
                Some(routes) => routes.clone().call(request).await.map_err(|never| match never {}),
                None => Err(new_status(ErrorKind::Unavailable, "NOT_STARTED", "Portia is starting. Please try again.")),
            },
        }
    }
}

/// Every connection failure means an unavailable upstream, whatever hyper calls it.
fn unavailable(error: tonic::transport::Error) -> Status {
    tracing::debug!(error = %primitives::error::ErrorChain(&error), "an upstream is unavailable");
    new_status(ErrorKind::Unavailable, "NEIGHBOUR_AWAY", "Portia is busy at the moment. Please try again.")
}

/// A connection that breaks during a response means the same. tonic has no code for it.
fn interrupted(status: Status) -> Status {
    if status.code() != Code::Unknown {
        return status;
    }
    tracing::debug!(error = %primitives::error::ErrorChain(&status), "an upstream became unavailable during a response");
    new_status(ErrorKind::Unavailable, "NEIGHBOUR_AWAY", "Portia is busy at the moment. Please try again.")
}

/// `Request::set_timeout` writes microseconds or coarser, never more than eight digits.
fn timeout_of(headers: &HeaderMap) -> Option<Duration> {
    crate::layers::parse_timeout(headers.get("grpc-timeout")?.to_str().ok()?)
}

fn code_of(result: &Result<Response<Body>, Status>) -> Code {
    match result {
        // An error without a body is in the headers. Any other response counts as a success here.
        Ok(response) => Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code()),
        Err(status) => status.code(),
    }
}
