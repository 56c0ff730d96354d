//! Trace propagation between processes: W3C `traceparent` in headers and in outbox rows.

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::{
    Context,
    propagation::{Extractor, TextMapPropagator as _},
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACESTATE: HeaderName = HeaderName::from_static("tracestate");

/// Writes the current span into the headers of an outgoing request.
pub fn inject(headers: &mut HeaderMap) {
    let Some(span) = current() else { return };
    if let Ok(value) = HeaderValue::try_from(traceparent(&span)) {
        headers.insert(TRACEPARENT, value);
    }
    let state = span.trace_state().header();
    if !state.is_empty()
        && let Ok(state) = HeaderValue::try_from(state)
    {
        headers.insert(TRACESTATE, state);
    }
}

/// The span of an incoming request; an empty context when it has none or an invalid one.
pub fn extract(headers: &HeaderMap) -> Context {
    // The crate's parser accepts the signs that Rust's numbers may begin with.
    let Some(sent) = headers.get(TRACEPARENT).filter(|sent| !sent.as_bytes().contains(&b'+')) else {
        return Context::new();
    };
    let plain = if headers.contains_key(TRACESTATE) { None } else { parse_plain(sent.as_bytes()) };
    match plain {
        Some(span) => Context::new().with_remote_span_context(span),
        None => TraceContextPropagator::new().extract_with_context(&Context::new(), &Received(headers)),
    }
}

/// The form in which the processes of Portia send spans to each other; `None` for any other, valid or not.
fn parse_plain(sent: &[u8]) -> Option<SpanContext> {
    let text = std::str::from_utf8(sent).ok()?;
    let (trace, rest) = text.strip_prefix("00-")?.split_once('-')?;
    let (span, flags) = rest.split_once('-')?;
    // Numbers of Rust may begin with a sign.
    let is_hex = |text: &str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if (trace.len(), span.len(), flags.len()) != (32, 16, 2) || ![trace, span, flags].into_iter().all(is_hex) {
        return None;
    }
    let trace = TraceId::from(u128::from_str_radix(trace, 16).ok()?);
    let span = SpanId::from(u64::from_str_radix(span, 16).ok()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let context = SpanContext::new(trace, span, flags, true, TraceState::default());
    context.is_valid().then_some(context)
}

/// The current span as a `traceparent`, stored with work that another process continues later.
pub fn current_traceparent() -> Option<String> {
    current().map(|span| traceparent(&span))
}

fn traceparent(span: &SpanContext) -> String {
    let (trace, id, flags) = (span.trace_id(), span.span_id(), span.trace_flags());
    format!("00-{trace:032x}-{id:016x}-{flags:02x}")
}

/// The span of a stored `traceparent`; an empty context when the text is invalid.
pub fn parse_traceparent(traceparent: &str) -> Context {
    let mut headers = HeaderMap::with_capacity(1);
    if let Ok(value) = HeaderValue::from_str(traceparent) {
        headers.insert(TRACEPARENT, value);
    }
    extract(&headers)
}

/// The id of the current trace, 32 hex digits: the id that members quote in a report.
pub fn current_trace_id() -> Option<String> {
    current().map(|span| span.trace_id().to_string())
}

/// Makes `span` a child of `parent`, before it is first entered; an empty context leaves it a root.
pub fn set_parent(span: &Span, parent: Context) {
    // Fails only when telemetry is not running or the span is filtered out.
    let _ = span.set_parent(parent);
}

/// Links `span` to the span of `other`; an empty context changes nothing.
pub fn add_link(span: &Span, other: &Context) {
    let other = other.span();
    if other.span_context().is_valid() {
        span.add_link(other.span_context().clone());
    }
}

pub(crate) fn current() -> Option<SpanContext> {
    let context = Context::current();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.clone())
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
    fn a_traceparent_survives_the_headers() {
        let context = parse_traceparent(SENT);
        let _guard = context.attach();
        assert_eq!(current_traceparent().as_deref(), Some(SENT));
        assert_eq!(current_trace_id().as_deref(), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
        let mut headers = HeaderMap::new();
        inject(&mut headers);
        assert_eq!(headers["traceparent"], SENT);
    }

    #[test]
    fn an_invalid_traceparent_is_ignored() {
        for broken in [
            "",
            "00-",
            "hello",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\0",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        ] {
            let context = parse_traceparent(broken);
            assert!(!context.span().span_context().is_valid(), "{broken:?}");
        }
        assert_eq!(current_trace_id(), None);
    }
}
