//! The client transport: HTTP/2 to the replicas of another process, or a direct call within this one.

use std::{
    future::Future,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use h2::Reason;
use http::{Request, Response, uri::Authority};
use http_body_util::BodyExt as _;
use tokio::time::{Instant, timeout_at};
use tonic::{Code, ConnectError, Status, body::Body, service::Routes, transport::Channel};
use tower::{Layer as _, Service, ServiceExt as _};

use crate::{
    circuit_breaker::{CircuitBreaker, code_of},
    endpoints::{self, Endpoints, InvalidAddress, Security},
    identity::Credentials,
    replay::Replay,
    timeout::time_left,
    tls::Tls,
};
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

#[derive(Clone)]
enum Connection {
    Remote(Arc<Endpoints>),
    Local(Arc<LocalService>),
}

/// A service in this process.
struct LocalService {
    slot: Slot,
    breaker: CircuitBreaker,
}

/// The transport of generated clients: `FeedServiceClient::new(transport)`.
#[derive(Clone)]
pub struct Transport(GrpcClient<CallService>);

impl Transport {
    /// Creates the transport to the upstream `service` in other processes, at `https://host:port`, or at several of
    /// these separated by commas. Calls are distributed over all addresses of these hosts, which are resolved every
    /// five seconds. Connects on the first call, and again after a failure. Plaintext, `http://host:port`, is for this
    /// machine: callers check that.
    ///
    /// # Errors
    /// When `urls` is no such list, or they are https and this process has no certificate.
    pub fn remote(service: &'static str, urls: &str, tls: Option<Arc<Tls>>) -> Result<Self, InvalidAddress> {
        let security = |is_https: bool| match tls {
            _ if !is_https => Ok(Security::Plaintext),
            Some(tls) => Ok(Security::Tls(tls, service)),
            None => Err(InvalidAddress::NoCertificate),
        };
        let (resolve, is_https) = endpoints::of_urls(urls)?;
        Ok(Self::new(service, Connection::Remote(Endpoints::new(resolve, security(is_https)?))))
    }

    /// Like [`Self::remote`], with the addresses that `resolve` returns, in plaintext.
    pub fn resolved<F>(service: &'static str, resolve: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = std::io::Result<Vec<SocketAddr>>> + Send + 'static,
    {
        let resolve = move || {
            let resolved = resolve();
            let named = async move {
                let authority = |address: SocketAddr| Some((address.to_string().parse::<Authority>().ok()?, address));
                Ok(resolved.await?.into_iter().filter_map(authority).collect())
            };
            Box::pin(named) as Pin<Box<dyn Future<Output = endpoints::Resolved> + Send>>
        };
        Self::new(service, Connection::Remote(Endpoints::new(Box::new(resolve), Security::Plaintext)))
    }

    /// Creates the transport to the upstream `service` in this process.
    #[must_use]
    pub fn local(service: &'static str, slot: Slot) -> Self {
        Self::new(service, Connection::Local(Arc::new(LocalService { slot, breaker: CircuitBreaker::new() })))
    }

    fn new(service: &'static str, connection: Connection) -> Self {
        Self(GrpcClientLayer.layer(CallService { service, connection }))
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

/// The connection to an upstream, with the deadline and the tokens of each call.
#[derive(Clone)]
struct CallService {
    /// The audience of the tokens.
    service: &'static str,
    connection: Connection,
}

impl Service<Request<Body>> for CallService {
    type Response = Response<Body>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Status>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let connection = self.connection.clone();
        // The service gets the tokens, but not the credentials that sign them.
        if let Some(credentials) = request.extensions_mut().remove::<Credentials>() {
            match (credentials.present(self.service), &connection) {
                (Ok(presented), Connection::Remote(_)) => presented.write(request.headers_mut()),
                (Ok(presented), Connection::Local(_)) => drop(request.extensions_mut().insert(presented)),
                (Err(status), _) => return Box::pin(async { Err(status) }),
            }
        }
        // Streams have no timeout; they are neither bounded in time nor counted as in flight.
        let deadline = time_left(request.headers()).map(|left| Instant::now() + left);
        Box::pin(async move {
            match connection {
                Connection::Remote(endpoints) => call_remote(&endpoints, request, deadline).await,
                Connection::Local(service) => {
                    let _permit = deadline.map(|_| service.breaker.acquire()).transpose()?;
                    let result = within(deadline, service.slot.call(request)).await;
                    if deadline.is_some() {
                        service.breaker.record(code_of(&result));
                    }
                    result
                }
            }
        })
    }
}

impl Slot {
    async fn call(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        match self.0.get() {
            Some(routes) => routes.clone().call(request).await.map_err(|never| match never {}),
            None => Err(new_status(ErrorKind::Unavailable, "NOT_STARTED", "Portia is starting. Please try again.")),
        }
    }
}

/// Sends a call to one endpoint, and to the next one as long as no endpoint has received it.
async fn call_remote(
    endpoints: &Endpoints,
    request: Request<Body>,
    deadline: Option<Instant>,
) -> Result<Response<Body>, Status> {
    let candidates = within(deadline, async { Ok(endpoints.candidates().await) }).await?;
    let mut request = Replay::new(request)?;
    let mut refused = unavailable();
    let mut connects = false;
    // The first one again at the end: its connection may only have reached its maximum age.
    for (at, endpoint) in candidates.iter().chain(candidates.first()).enumerate() {
        if at == candidates.len() && !connects {
            break;
        }
        let _permit = match deadline.map(|_| endpoint.breaker.acquire()).transpose() {
            Ok(permit) => permit,
            Err(status) => {
                refused = status;
                continue;
            }
        };
        let Some(request) = request.next() else { break };
        let mut failure = None;
        let sent = within(deadline, async {
            let sent = send(endpoint.channel.clone(), request).await;
            sent.map_err(|error| {
                failure = Some(Failure::of(&error));
                unavailable()
            })
        });
        let result = sent.await;
        // A connection that ended in order before it took the call says nothing about the endpoint.
        if deadline.is_some() && failure != Some(Failure::Closed) {
            endpoint.breaker.record(code_of(&result));
        }
        match failure {
            None => {
                if result.is_ok() {
                    endpoint.ejection.clear();
                }
                return result;
            }
            Some(Failure::Closed) => connects = true,
            Some(failure) => {
                endpoint.ejection.eject();
                endpoints.refresh();
                if failure == Failure::Interrupted {
                    return result;
                }
            }
        }
        if let Err(status) = result {
            refused = status;
        }
    }
    Err(refused)
}

async fn send(mut channel: Channel, request: Request<Body>) -> Result<Response<Body>, tonic::transport::Error> {
    let response = channel.ready().await?.call(request).await?;
    Ok(response.map(|body| Body::new(body.map_err(interrupted))))
}

async fn within<T>(deadline: Option<Instant>, call: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    let Some(deadline) = deadline else { return call.await };
    timeout_at(deadline, call).await.unwrap_or_else(|_| {
        Err(new_status(ErrorKind::Timeout, "DEADLINE_EXCEEDED", "This took too long. Please try again."))
    })
}

/// Every connection failure means an unavailable upstream, whatever hyper calls it.
fn unavailable() -> Status {
    new_status(ErrorKind::Unavailable, "NEIGHBOUR_UNAVAILABLE", "Portia is busy at the moment. Please try again.")
}

/// A connection that breaks during a response means the same. tonic has no code for it.
fn interrupted(status: Status) -> Status {
    if status.code() != Code::Unknown {
        return status;
    }
    tracing::debug!(error = %primitives::error::ErrorChain(&status), "an upstream became unavailable during a response");
    unavailable()
}

/// The consequence of a failed connection for the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// There is no connection, so the call was not sent.
    NotConnected,
    /// The endpoint closed the connection in an orderly way and did not process the call (RFC 9113, sections 6.8 and 8.7).
    Closed,
    /// The connection broke after the call was sent: its effect is unknown.
    Interrupted,
}

impl Failure {
    fn of(error: &tonic::transport::Error) -> Self {
        tracing::debug!(error = %primitives::error::ErrorChain(error), "an endpoint is unavailable");
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(error) = cause {
            if error.is::<ConnectError>() {
                return Self::NotConnected;
            }
            if error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled) {
                return Self::Closed;
            }
            if let Some(error) = error.downcast_ref::<h2::Error>() {
                let orderly = error.is_go_away() && error.is_remote() && error.reason() == Some(Reason::NO_ERROR);
                let refused = error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM);
                return if orderly || refused { Self::Closed } else { Self::Interrupted };
            }
            cause = error.source();
        }
        Self::Interrupted
    }
}
