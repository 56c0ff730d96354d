//! Spans of work in the trace of an earlier request, recorded when the work is done.

use std::{sync::OnceLock, time::SystemTime};

use opentelemetry::{
    KeyValue,
    trace::{Span as _, SpanKind, TraceContextExt as _, Tracer as _},
};
use opentelemetry_sdk::trace::SdkTracer;

use crate::propagation::parse_traceparent;

/// Set when this process exports spans.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// From now on, spans are recorded with this tracer.
pub(crate) fn export(tracer: SdkTracer) {
    // Telemetry starts once.
    let _ = TRACER.set(tracer);
}

/// Work on a message that an earlier request has stored with its `traceparent`.
#[derive(Debug)]
pub struct PastWork<'a> {
    /// "publish", "deliver": the name of the span before the kind of message.
    pub operation: &'static str,
    /// `messaging.operation.type`: "send", "process".
    pub operation_type: &'static str,
    /// The kind of message.
    pub kind: &'a str,
    /// The service that did it.
    pub service: &'a str,
    /// Where the message comes from.
    pub source: &'a str,
    /// Its number.
    pub id: i64,
    /// The stored `traceparent`.
    pub traceparent: &'a str,
}

impl PastWork<'_> {
    /// Records a span from `began` to the present, if the trace is recorded.
    pub fn record(&self, began: SystemTime) {
        // The flag of a sampled trace: a text that is none costs nothing.
        let Some(tracer) = TRACER.get().filter(|_| self.traceparent.ends_with("-01")) else { return };
        let parent = parse_traceparent(self.traceparent);
        if !parent.span().span_context().is_sampled() {
            return;
        }
        let kind = if self.operation_type == "send" { SpanKind::Producer } else { SpanKind::Consumer };
        let attributes = vec![
            KeyValue::new("portia.service", self.service.to_owned()),
            KeyValue::new("messaging.system", "portia_outbox"),
            KeyValue::new("messaging.operation.name", self.operation),
            KeyValue::new("messaging.operation.type", self.operation_type),
            KeyValue::new("messaging.destination.name", self.source.to_owned()),
            KeyValue::new("messaging.message.id", self.id.to_string()),
        ];
        let span = tracer.span_builder(format!("{} {}", self.operation, self.kind));
        let span = span.with_kind(kind).with_start_time(began).with_attributes(attributes);
        span.start_with_context(tracer, &parent).end();
    }
}
