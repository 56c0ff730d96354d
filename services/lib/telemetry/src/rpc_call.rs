//! The measurement of one RPC: its span, metrics and log event.

use std::time::Instant;

use http::uri::PathAndQuery;
use tonic::Code;

use crate::{metrics, request_span::RequestSpan};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// This process serves the call.
    Server,
    /// This process makes the call.
    Client,
}

/// An RPC in progress. Recorded on drop, with its code or as cancelled.
pub(crate) struct Call {
    side: Side,
    /// The path of the call; generated clients have a constant one, whose copy costs nothing.
    path: Option<PathAndQuery>,
    pub(crate) span: RequestSpan,
    started: Instant,
    code: Code,
    _in_flight: Option<metrics::InFlight>,
}

impl Call {
    /// Streams have no deadline and are not in flight: they last as long as their process.
    pub(crate) fn begin(side: Side, path: Option<&PathAndQuery>, span: RequestSpan, has_deadline: bool) -> Self {
        Self {
            side,
            path: path.cloned(),
            span,
            started: Instant::now(),
            code: Code::Cancelled,
            _in_flight: (side == Side::Server && has_deadline).then(metrics::InFlight::rpc),
        }
    }

    pub(crate) fn end(mut self, code: Code) {
        self.code = code;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let took = self.started.elapsed();
        let name = code_name(self.code);
        self.span.record("rpc.grpc.status_code", i64::from(self.code as i32));
        // Semantic conventions: every failure is an error of a client span, only server faults of a server span.
        if server_fault(self.code) || (self.side == Side::Client && self.code != Code::Ok) {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", name);
        }
        let (service, method) = names(self.path.as_ref().map_or("", PathAndQuery::path));
        if self.side == Side::Client {
            metrics::rpc_client(service, self.code, name, took);
            return;
        }
        // An unknown method must not create a time series.
        let (service, method) = if self.code == Code::Unimplemented { ("other", "other") } else { (service, method) };
        metrics::rpc(service, method, self.code, name, took);
        self.span.in_scope(|| match self.code {
            Code::Internal | Code::Unknown | Code::DataLoss => {
                tracing::error!(service, method, code = name, "RPC failed");
            }
            Code::Unavailable => tracing::warn!(service, method, code = name, "RPC refused"),
            _ => tracing::debug!(service, method, code = name, ?took, "RPC finished"),
        });
    }
}

/// "/portia.feed.v1.FeedService/CreatePost" -> service and method; "other" for any other path.
pub fn names(path: &str) -> (&str, &str) {
    let valid = |name: &str| {
        (1..=100).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_')
    };
    path.strip_prefix('/')
        .and_then(|path| path.split_once('/'))
        .filter(|(service, method)| valid(service) && valid(method))
        .unwrap_or(("other", "other"))
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

/// The name of the code in the gRPC specification.
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
