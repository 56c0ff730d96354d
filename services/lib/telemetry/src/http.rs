//! A server span, metrics and `x-request-id` for every HTTP request.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context as TaskContext, Poll},
    time::Instant,
};

use axum::extract::MatchedPath;
use http::{Extensions, HeaderName, HeaderValue, Method, Request, Response};
use opentelemetry::Context;
use tower::{Layer, Service};
use tracing::field::Empty;

use crate::{metrics, propagation, request_span::RequestSpan};

/// The trace id, on every response.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The recorded status of a request that the client abandoned, like nginx. Never sent.
const CLIENT_CLOSED: u16 = 499;

/// Whether the sender of a request may continue its own trace, by the extensions of the request.
type IsTrusted = dyn Fn(&Extensions) -> bool + Send + Sync;

/// Traces and counts every request. The `traceparent` of a trusted sender is the parent, and any other is a link: a
/// client cannot add spans to the trace of another request, or decide which ones are recorded. Must be the last
/// `Router::layer`, so that it is the outermost and knows the route.
#[derive(Clone)]
pub struct HttpServerLayer {
    service: Arc<str>,
    is_trusted: Arc<IsTrusted>,
}

impl HttpServerLayer {
    /// `service` is the attribute `portia.service` of the spans.
    pub fn new(service: impl Into<Arc<str>>, is_trusted: impl Fn(&Extensions) -> bool + Send + Sync + 'static) -> Self {
        Self { service: service.into(), is_trusted: Arc::new(is_trusted) }
    }
}

impl<S> Layer<S> for HttpServerLayer {
    type Service = HttpServer<S>;

    fn layer(&self, inner: S) -> HttpServer<S> {
        HttpServer { inner, service: Arc::clone(&self.service), is_trusted: Arc::clone(&self.is_trusted) }
    }
}

/// A service under [`HttpServerLayer`].
#[derive(Clone)]
pub struct HttpServer<S> {
    inner: S,
    service: Arc<str>,
    is_trusted: Arc<IsTrusted>,
}

impl<S, B, R> Service<Request<B>> for HttpServer<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let route = request.extensions().get::<MatchedPath>().cloned();
        let sent = propagation::extract(request.headers());
        let (parent, link) =
            if (self.is_trusted)(request.extensions()) { (sent, None) } else { (Context::new(), Some(sent)) };
        let exchange = Exchange::begin(&self.service, method(request.method()), route, parent);
        if let Some(link) = link {
            exchange.span.add_link(&link);
        }
        let response = exchange.span.in_scope(|| self.inner.call(request));
        let span = exchange.span.clone();
        span.instrument(async move {
            let mut response = response.await?;
            if let Some(id) = propagation::current_trace_id().and_then(|id| HeaderValue::try_from(id).ok()) {
                response.headers_mut().insert(REQUEST_ID, id);
            }
            exchange.end(response.status().as_u16());
            Ok(response)
        })
    }
}

/// A request in progress. Dropped without a status when the client went away.
struct Exchange {
    span: RequestSpan,
    method: &'static str,
    route: Option<MatchedPath>,
    started: Instant,
    status: u16,
    _in_flight: metrics::InFlight,
}

impl Exchange {
    fn begin(service: &str, method: &'static str, route: Option<MatchedPath>, parent: Context) -> Self {
        let path = route.as_ref().map(MatchedPath::as_str);
        let span = RequestSpan::of_received(parent, || {
            tracing::info_span!(
                parent: None,
                "http",
                otel.name = path.map_or_else(|| method.to_owned(), |path| format!("{method} {path}")),
                otel.kind = "server",
                otel.status_code = Empty,
                portia.service = service,
                http.request.method = method,
                http.route = path,
                http.response.status_code = Empty,
                error.type = Empty,
            )
        });
        Self {
            span,
            method,
            route,
            started: Instant::now(),
            status: CLIENT_CLOSED,
            _in_flight: metrics::InFlight::http(),
        }
    }

    fn end(mut self, status: u16) {
        self.status = status;
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let status = self.status;
        let route = self.route.as_ref().map_or("unmatched", MatchedPath::as_str);
        metrics::http(self.method, route, status, took);
        self.span.record("http.response.status_code", i64::from(status));
        if status >= 500 {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", status);
        }
        self.span.in_scope(|| match status {
            500 => tracing::error!(method = self.method, route, status, "request failed"),
            501.. => tracing::warn!(method = self.method, route, status, "request refused"),
            _ => tracing::debug!(method = self.method, route, status, ?took, "request finished"),
        });
    }
}

/// The method as a bounded label: HTTP permits any method name.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
