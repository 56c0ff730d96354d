//! The layers around every handler, from the outside in: the security log, the security headers, compression, panic handling, the
//! origin check, the bounds of the body, the limit of concurrent requests.
//!
//! They are two services with compression in between, and not one for each step: axum clones the services of a route for every
//! request, and each middleware made of a function clones and boxes all services below it again.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    extract::{DefaultBodyLimit, Request},
    response::{IntoResponse as _, Response},
};
use futures::FutureExt as _;
use tower::{Layer, Service};

use crate::edge::{
    authentication::Authentication,
    compression::{self, Compressed},
    headers::{is_api, secure},
    limits::Limits,
    load::Load,
    origin::PublicOrigin,
    problem::Problem,
    security_log::SecurityLog,
    written_positions,
};

/// The parts that the layers use.
pub struct Parts {
    /// Resolves the senders of long bodies.
    pub authentication: Authentication,
    /// Limits the networks of these senders.
    pub limits: Limits,
    /// Limits of concurrent work.
    pub load: Load,
    /// The origin that may write.
    pub origin: PublicOrigin,
    /// The log of refusals.
    pub security_log: SecurityLog,
}

/// The layers. Must be one `Router::layer`, so that they know the route.
#[derive(Clone)]
pub struct EdgeLayer {
    parts: Arc<Parts>,
    compression: compression::Layer,
}

impl EdgeLayer {
    /// The layers with these parts.
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), compression: compression::layer() }
    }
}

impl<S> Layer<S> for EdgeLayer {
    type Service = Outer<Compressed<Inner<S>>>;

    fn layer(&self, handler: S) -> Self::Service {
        let inner = Inner { parts: Arc::clone(&self.parts), handler: Arc::new(handler) };
        Outer { parts: Arc::clone(&self.parts), inner: self.compression.layer(inner) }
    }
}

type BoxFuture<R> = Pin<Box<dyn Future<Output = Result<R, Infallible>> + Send>>;

/// The security log and the security headers.
#[derive(Clone)]
pub struct Outer<S> {
    parts: Arc<Parts>,
    inner: S,
}

impl<S, B> Service<Request> for Outer<S>
where
    S: Service<Request, Response = http::Response<B>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = http::Response<B>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let observation = self.parts.security_log.observe(&mut request);
        let is_api = is_api(request.uri().path());
        let parts = Arc::clone(&self.parts);
        let response = self.inner.call(request);
        Box::pin(async move {
            let mut response = response.await?;
            secure(&parts.origin, is_api, &mut response);
            parts.security_log.record(observation, &response);
            Ok(response)
        })
    }
}

/// Panic handling, the checks of a request, and the handler.
pub struct Inner<S> {
    parts: Arc<Parts>,
    /// Shared: the service is cloned more often than called.
    handler: Arc<S>,
}

impl<S> Clone for Inner<S> {
    fn clone(&self) -> Self {
        Self { parts: Arc::clone(&self.parts), handler: Arc::clone(&self.handler) }
    }
}

impl<S> Service<Request> for Inner<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<Response>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // A route of axum is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let parts = Arc::clone(&self.parts);
        let handler = S::clone(&self.handler);
        Box::pin(async move {
            // A panic ends one request, not the process. The panic hook logs it.
            let answered = AssertUnwindSafe(parts.answer(request, handler)).catch_unwind().await;
            let answered = answered.unwrap_or_else(|_| Err(Problem::internal()));
            Ok(answered.unwrap_or_else(Problem::into_response))
        })
    }
}

impl Parts {
    /// The response of the handler to a request that passes the checks.
    async fn answer<S>(&self, mut request: Request, mut handler: S) -> Result<Response, Problem>
    where
        S: Service<Request, Response = Response, Error = Infallible>,
    {
        self.origin.admit(&request)?;
        let positions = written_positions::prepare(&self.authentication.cookies, &mut request);
        // `read_body` has the limits.
        DefaultBodyLimit::disable().apply(&mut request);
        let (request, _slot) = self.load.read_body(&self.authentication, &self.limits, request).await?;
        let _permit = self.load.admit(&request)?;
        let mut response = handler.call(request).await.unwrap_or_else(|never| match never {});
        if let Some(positions) = positions {
            written_positions::remember(&self.authentication.cookies, &positions, response.headers_mut());
        }
        Ok(response)
    }
}
