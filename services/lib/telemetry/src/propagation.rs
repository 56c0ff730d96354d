//! Carrying a trace from one process to the next: W3C `traceparent` in headers and in outbox rows.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::{
    Context,
    propagation::{Extractor, Injector, TextMapPropagator as _},
    trace::{SpanContext, TraceContextExt as _},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Writes the current span into the headers of a request about to leave.
pub fn inject(headers: &mut HeaderMap) {
    TraceContextPropagator::new().inject_context(&Context::current(), &mut Headers(headers));
}

/// The span a request came from; an empty context when it brought none, or a broken one.
pub fn extract(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), &Received(headers))
}

/// The current span as a `traceparent`, to be stored beside work that another process continues later.
pub fn current_traceparent() -> Option<String> {
    current().map(|span| {
        let (trace, id, flags) = (span.trace_id(), span.span_id(), span.trace_flags());
        format!("00-{trace:032x}-{id:016x}-{flags:02x}")
    })
}

/// The span a stored `traceparent` names; an empty context when the text is none.
pub fn parse_traceparent(traceparent: &str) -> Context {
    let mut headers = HeaderMap::with_capacity(1);
    if let Ok(value) = HeaderValue::from_str(traceparent) {
        headers.insert("traceparent", value);
    }
    extract(&headers)
}

/// The current trace's id, 32 hex digits: what a person quotes when something went wrong.
pub fn current_trace_id() -> Option<String> {
    current().map(|span| span.trace_id().to_string())
}

/// Makes `span` a child of `parent`, before it is first entered; an empty context leaves it a root.
pub fn set_parent(span: &Span, parent: Context) {
    // The only failures are "telemetry is not running" and "this span is filtered out": nothing to correct then.
    let _ = span.set_parent(parent);
}

pub(crate) fn current() -> Option<SpanContext> {
    let context = Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.clone())
}

struct Headers<'a>(&'a mut HeaderMap);

impl Injector for Headers<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value)) {
            self.0.insert(name, value);
        }
    }
}

struct Received<'a>(&'a HeaderMap);

impl Extractor for Received<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_survives_the_way_through_headers() {
        let context = parse_traceparent(SENT);
        let _guard = context.attach();
        assert_eq!(current_traceparent().as_deref(), Some(SENT));
        assert_eq!(current_trace_id().as_deref(), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
        let mut headers = HeaderMap::new();
        inject(&mut headers);
        assert_eq!(headers["traceparent"], SENT);
    }

    #[test]
    fn a_broken_traceparent_is_no_parent() {
        for broken in [
            "",
            "00-",
            "hello",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\0",
        ] {
            let context = parse_traceparent(broken);
            assert!(!context.span().span_context().is_valid(), "{broken:?}");
        }
        assert_eq!(current_trace_id(), None);
    }
}
