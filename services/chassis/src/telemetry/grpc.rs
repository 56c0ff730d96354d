//! Spans and metrics for every RPC, on the answering and on the asking side.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    middleware::Next,
    response::Response,
};
use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tonic::Code;
use tracing::{Instrument as _, Span, field::Empty};

use super::{metrics, propagation};

/// Continues the caller's trace in a server span and counts the RPC: `from_fn(rpc_server)`, outermost on a server.
///
/// Health checks and reflection pass untouched: probes every few seconds would bury what matters.
pub async fn rpc_server(request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/grpc.") {
        return next.run(request).await;
    }
    let call = Call::begin(request.uri().path(), request.headers());
    let response = next.run(request).instrument(call.span.clone()).await;
    // An answer of trailers alone has its status up here, and no body anyone would read.
    match code(response.headers()) {
        Some(code) => {
            call.end(code);
            response
        }
        None => response.map(|body| Body::new(Watched { body, call: Some(call) })),
    }
}

/// The span of an RPC to `neighbour`, a child of the current one. Send it along with [`super::inject`], run the call
/// inside it, and close it with [`rpc_client_ended`].
pub fn rpc_client_span(neighbour: &str, path: &str) -> Span {
    let (service, method) = names(path);
    tracing::info_span!(
        "rpc",
        otel.name = format!("{service}/{method}"),
        otel.kind = "client",
        otel.status_code = Empty,
        peer.service = neighbour,
        rpc.system = "grpc",
        rpc.service = service,
        rpc.method = method,
        rpc.grpc.status_code = Empty,
        error.type = Empty,
    )
}

/// Tells a client span how its RPC ended. To a caller, by the conventions, every failure is one.
pub fn rpc_client_ended(span: &Span, code: Code) {
    record(span, code, code != Code::Ok);
}

/// An answer's body, watched for the status in its trailers.
///
/// It does not enter the span while it is polled: a stream that lives for hours would gather every statement it runs
/// into one endless trace.
struct Watched {
    body: Body,
    call: Option<Call>,
}

impl Watched {
    fn end(&mut self, code: Code) {
        if let Some(call) = self.call.take() {
            call.end(code);
        }
    }
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    self.end(code(trailers).unwrap_or(Code::Unknown));
                }
            }
            Poll::Ready(Some(Err(_)) | None) => self.end(Code::Unknown),
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

/// One RPC being answered. Told when dropped: by then it has its code, or nobody waits for one any more.
struct Call {
    service: String,
    method: String,
    span: Span,
    started: Instant,
    code: Code,
}

impl Call {
    fn begin(path: &str, headers: &HeaderMap) -> Self {
        let (service, method) = names(path);
        let span = tracing::info_span!(
            parent: None,
            "rpc",
            otel.name = format!("{service}/{method}"),
            otel.kind = "server",
            otel.status_code = Empty,
            portia.service = owner(service),
            rpc.system = "grpc",
            rpc.service = service,
            rpc.method = method,
            rpc.grpc.status_code = Empty,
            error.type = Empty,
        );
        propagation::set_parent(&span, propagation::extract(headers));
        Self {
            service: service.to_owned(),
            method: method.to_owned(),
            span,
            started: Instant::now(),
            code: Code::Cancelled,
        }
    }

    fn end(mut self, code: Code) {
        self.code = code;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let code = code_name(self.code);
        record(&self.span, self.code, server_fault(self.code));
        // Anyone who reaches the port may invent methods; those share one series.
        let (service, method) = if self.code == Code::Unimplemented {
            ("other", "other")
        } else {
            (self.service.as_str(), self.method.as_str())
        };
        metrics::rpc(service, method, code, took);
        let _entered = self.span.enter();
        match self.code {
            Code::Internal | Code::Unknown | Code::DataLoss => {
                tracing::error!(service, method, code, "RPC failed");
            }
            Code::Unavailable => tracing::warn!(service, method, code, "RPC refused"),
            _ => tracing::debug!(service, method, code, ?took, "answered"),
        }
    }
}

fn record(span: &Span, code: Code, failed: bool) {
    span.record("rpc.grpc.status_code", i64::from(code as i32));
    if failed {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", code_name(code));
    }
}

/// "portia.feed.v1.FeedService" is feed's: in standalone, where one resource stands for all, the span says so.
fn owner(service: &str) -> &str {
    service.split('.').nth(1).unwrap_or(service)
}

/// "/portia.feed.v1.FeedService/CreatePost" -> service and method; what is no such path has no name worth keeping.
fn names(path: &str) -> (&str, &str) {
    let known = |name: &str| {
        (1..=100).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_')
    };
    path.strip_prefix('/')
        .and_then(|path| path.split_once('/'))
        .filter(|(service, method)| known(service) && known(method))
        .unwrap_or(("other", "other"))
}

fn code(headers: &HeaderMap) -> Option<Code> {
    headers.get("grpc-status").map(|status| Code::from_bytes(status.as_bytes()))
}

fn server_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

/// The code as gRPC's own documents spell it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
