//! Spans and metrics of every RPC, on the server and on the client.

use std::{
    any::Any,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::field::Empty;

use crate::{
    propagation,
    request_span::RequestSpan,
    rpc_call::{Call, Side, names},
};

/// The deadline of a call; streams have none.
const TIMEOUT: &str = "grpc-timeout";

type ResponseFuture<R, E> = Pin<Box<dyn Future<Output = Result<Response<ObservedBody<R>>, E>> + Send>>;

/// Continues the trace of the caller in a server span and counts every RPC. The outermost layer of a server.
///
/// Health checks and reflection are not measured.
#[derive(Clone)]
pub struct GrpcServerLayer {
    service: Arc<str>,
}

impl GrpcServerLayer {
    /// `service` is the attribute `portia.service` of the spans: "feed".
    pub fn new(service: impl Into<Arc<str>>) -> Self {
        Self { service: service.into() }
    }
}

impl<S> Layer<S> for GrpcServerLayer {
    type Service = GrpcServer<S>;

    fn layer(&self, inner: S) -> GrpcServer<S> {
        GrpcServer { inner, service: Arc::clone(&self.service) }
    }
}

/// A server under [`GrpcServerLayer`].
#[derive(Clone)]
pub struct GrpcServer<S> {
    inner: S,
    service: Arc<str>,
}

impl<S, B, R> Service<Request<B>> for GrpcServer<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Response<ObservedBody<R>>;
    type Error = S::Error;
    type Future = ResponseFuture<R, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let path = request.uri().path();
        if path.starts_with("/grpc.") {
            let response = self.inner.call(request);
            return Box::pin(async move { Ok(response.await?.map(ObservedBody::unobserved)) });
        }
        let span = RequestSpan::of_received(propagation::extract(request.headers()), || {
            let (service, method) = names(path);
            tracing::info_span!(
                parent: None,
                "rpc",
                otel.name = format!("{service}/{method}"),
                otel.kind = "server",
                otel.status_code = Empty,
                portia.service = &*self.service,
                rpc.system = "grpc",
                rpc.service = service,
                rpc.method = method,
                rpc.grpc.status_code = Empty,
                error.type = Empty,
            )
        });
        let has_deadline = request.headers().contains_key(TIMEOUT);
        let call = Call::begin(Side::Server, request.uri().path_and_query(), span, has_deadline);
        let response = call.span.in_scope(|| self.inner.call(request));
        observe(call, response)
    }
}

/// Opens a client span for every RPC and sends it as `traceparent`.
#[derive(Clone, Default)]
pub struct GrpcClientLayer;

impl<S> Layer<S> for GrpcClientLayer {
    type Service = GrpcClient<S>;

    fn layer(&self, inner: S) -> GrpcClient<S> {
        GrpcClient { inner }
    }
}

/// A channel under [`GrpcClientLayer`].
#[derive(Clone)]
pub struct GrpcClient<S> {
    inner: S,
}

impl<S, B, R> Service<Request<B>> for GrpcClient<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Response<ObservedBody<R>>;
    type Error = S::Error;
    type Future = ResponseFuture<R, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let span = RequestSpan::of_call(|| {
            let (service, method) = names(request.uri().path());
            tracing::info_span!(
                "rpc",
                otel.name = format!("{service}/{method}"),
                otel.kind = "client",
                otel.status_code = Empty,
                server.address = request.uri().host(),
                server.port = request.uri().port_u16(),
                rpc.system = "grpc",
                rpc.service = service,
                rpc.method = method,
                rpc.grpc.status_code = Empty,
                error.type = Empty,
            )
        });
        let has_deadline = request.headers().contains_key(TIMEOUT);
        let call = Call::begin(Side::Client, request.uri().path_and_query(), span, has_deadline);
        let response = call.span.in_scope(|| {
            propagation::inject(request.headers_mut());
            self.inner.call(request)
        });
        observe(call, response)
    }
}

fn observe<F, R, E>(call: Call, response: F) -> ResponseFuture<R, E>
where
    F: Future<Output = Result<Response<R>, E>> + Send + 'static,
    E: 'static,
{
    call.span.clone().instrument(async move {
        match response.await {
            Ok(response) => {
                // A trailers-only response has its status in the headers.
                let status = code(response.headers());
                Ok(response.map(|body| ObservedBody::new(body, call, status)))
            }
            Err(error) => {
                call.end(failure(&error));
                Err(error)
            }
        }
    })
}

/// The body of a response, observed for the status in its trailers.
///
/// It does not enter the span while it is polled: a stream of hours would collect every statement in one trace.
pub struct ObservedBody<R> {
    body: R,
    call: Option<Call>,
}

impl<R> ObservedBody<R> {
    fn unobserved(body: R) -> Self {
        Self { body, call: None }
    }

    fn new(body: R, call: Call, status: Option<Code>) -> Self {
        let mut observed = Self { body, call: Some(call) };
        if let Some(code) = status {
            observed.end(code);
        }
        observed
    }

    fn end(&mut self, code: Code) {
        if let Some(call) = self.call.take() {
            call.end(code);
        }
    }
}

impl<R> Body for ObservedBody<R>
where
    R: Body<Data = Bytes> + Unpin,
{
    type Data = Bytes;
    type Error = R::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, R::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    self.end(code(trailers).unwrap_or(Code::Unknown));
                }
            }
            Poll::Ready(Some(Err(_))) => self.end(Code::Unavailable),
            Poll::Ready(None) => self.end(Code::Unknown),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The code of a transport error.
fn failure(error: &dyn Any) -> Code {
    error.downcast_ref::<Status>().map_or(Code::Unavailable, Status::code)
}

fn code(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|status| Code::from_bytes(status.as_bytes()))
}
