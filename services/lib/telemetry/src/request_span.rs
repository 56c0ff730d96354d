//! The span of a request or an RPC: a span of tracing where the trace is recorded, otherwise only its ids.
//!
//! A span of tracing costs some microseconds, which every layer below pays again each time a future is polled. Where nothing is
//! recorded, the ids in an OpenTelemetry context are enough for the response, the log lines and the calls of other services.

use std::{pin::Pin, sync::OnceLock};

use opentelemetry::{
    Context,
    context::FutureExt as _,
    trace::{SpanContext, TraceContextExt as _, TraceFlags, TraceState},
};
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator};
use tracing::{Instrument as _, Span, field::Value};

use crate::propagation;

/// Set when this process exports spans: whether the decision of a caller comes before the sampler.
static EXPORTING: OnceLock<bool> = OnceLock::new();

/// From now on, spans of sampled traces are recorded.
pub(crate) fn export(follows_callers: bool) {
    // Telemetry starts once.
    let _ = EXPORTING.set(follows_callers);
}

/// The span of a request or an RPC.
#[derive(Clone)]
pub(crate) enum RequestSpan {
    /// It is recorded, unless the sampler refuses a new trace.
    Recorded(Span),
    /// Only its ids exist.
    Unrecorded(Context),
}

impl RequestSpan {
    /// Continues the trace of a request that was received with `parent`, or starts one.
    pub(crate) fn of_received(parent: Context, span: impl FnOnce() -> Span) -> Self {
        let caller = parent.span().span_context().clone();
        if is_recorded(&caller) {
            let span = span();
            propagation::set_parent(&span, parent);
            return Self::Recorded(span);
        }
        Self::Unrecorded(parent.with_remote_span_context(unrecorded(&caller)))
    }

    /// Creates the span of a call that this process makes, in the current trace. Outside a trace nothing is recorded:
    /// background work calls again and again where a service is absent.
    pub(crate) fn of_call(span: impl FnOnce() -> Span) -> Self {
        let current = Context::current();
        let caller = current.span().span_context().clone();
        if EXPORTING.get().is_some() && caller.is_sampled() {
            return Self::Recorded(span());
        }
        // The callee continues the span of the request itself.
        let context = if caller.is_valid() { current } else { current.with_remote_span_context(unrecorded(&caller)) };
        Self::Unrecorded(context)
    }

    /// Sets a field of the span.
    pub(crate) fn record(&self, field: &'static str, value: impl Value) {
        if let Self::Recorded(span) = self {
            span.record(field, value);
        }
    }

    /// Links the span to the span of `other`.
    pub(crate) fn add_link(&self, other: &Context) {
        if let Self::Recorded(span) = self {
            propagation::add_link(span, other);
        }
    }

    /// Runs `f` within the trace.
    pub(crate) fn in_scope<T>(&self, f: impl FnOnce() -> T) -> T {
        match self {
            Self::Recorded(span) => span.in_scope(f),
            Self::Unrecorded(context) => {
                let _attached = context.clone().attach();
                f()
            }
        }
    }

    /// A future that is polled within the trace.
    pub(crate) fn instrument<F>(self, future: F) -> Pin<Box<dyn Future<Output = F::Output> + Send>>
    where
        F: Future + Send + 'static,
    {
        match self {
            Self::Recorded(span) => Box::pin(future.instrument(span)),
            Self::Unrecorded(context) => Box::pin(future.with_context(context)),
        }
    }
}

/// Whether a span below `parent` is recorded. The sampler decides about a new trace, with a span of tracing.
fn is_recorded(parent: &SpanContext) -> bool {
    EXPORTING.get().is_some_and(|follows_callers| !follows_callers || parent.is_sampled() || !parent.is_valid())
}

/// The ids of a span that is not recorded, in the trace of `parent` or a new one.
fn unrecorded(parent: &SpanContext) -> SpanContext {
    let ids = RandomIdGenerator::default();
    let trace = if parent.is_valid() { parent.trace_id() } else { ids.new_trace_id() };
    SpanContext::new(trace, ids.new_span_id(), TraceFlags::default(), false, TraceState::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{current_trace_id, current_traceparent, extract, inject, parse_traceparent};

    const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[tokio::test]
    async fn without_an_exporter_there_are_ids_and_no_spans() {
        let no_span = || unreachable!("nothing is recorded");
        let request = RequestSpan::of_received(Context::new(), no_span);
        let id = request.in_scope(current_trace_id).unwrap();
        assert_eq!(id.len(), 32);
        assert_eq!(current_trace_id(), None, "only within the request");

        let prefix = format!("00-{id}-");
        let seen = request.clone().instrument(async move {
            tokio::task::yield_now().await;
            let traceparent = current_traceparent().unwrap();
            assert!(traceparent.starts_with(&prefix) && traceparent.ends_with("-00"), "{traceparent}");
            let mut headers = http::HeaderMap::new();
            RequestSpan::of_call(no_span).in_scope(|| inject(&mut headers));
            RequestSpan::of_received(extract(&headers), no_span).in_scope(current_trace_id)
        });
        assert_eq!(seen.await.as_ref(), Some(&id), "one trace");

        let continued = RequestSpan::of_received(parse_traceparent(SENT), no_span);
        let traceparent = continued.in_scope(current_traceparent).unwrap();
        assert!(traceparent.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-"), "{traceparent}");
        assert!(traceparent.ends_with("-00") && !traceparent.contains("00f067aa0ba902b7"), "{traceparent}");
        assert!(RequestSpan::of_call(no_span).in_scope(current_trace_id).is_some(), "a call outside a request");
    }
}
