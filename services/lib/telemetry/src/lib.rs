//! The telemetry of a process: traces to OTLP, logs to standard error, metrics for Prometheus. No business term.
//!
//! One [`start`] per process, also in standalone: there `portia.service` of a server span names the service.
//! Trace ids exist without an exporter too, because every response carries one as `x-request-id`.
//! Telemetry never contains a body, a cookie, a secret or a text of a member.

mod grpc;
mod http;
mod logs;
mod metrics;
mod past_work;
mod propagation;
mod request_span;
mod rpc_call;
mod sampling;
mod series;
mod sql;

use std::{fs, io, path::PathBuf, time::Duration};

use metrics_exporter_prometheus::PrometheusHandle;
use opentelemetry::{KeyValue, trace::TracerProvider as _};
use opentelemetry_otlp::{
    ExporterBuildError, SpanExporter, WithExportConfig as _, WithTonicConfig as _,
    tonic_types::transport::{Certificate, ClientTlsConfig},
};
use opentelemetry_sdk::{
    Resource,
    trace::{IdGenerator as _, RandomIdGenerator, Sampler, SdkTracer, SdkTracerProvider},
};
use tokio::{runtime::Handle, task::AbortHandle};
use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt as _, filter_fn},
    layer::SubscriberExt as _,
    registry::LookupSpan,
    util::SubscriberInitExt as _,
};

pub use self::{
    grpc::{GrpcClient, GrpcClientLayer, GrpcServer, GrpcServerLayer, ObservedBody},
    http::{HttpServer, HttpServerLayer, REQUEST_ID},
    logs::log_panics,
    metrics::cache_requests,
    past_work::PastWork,
    propagation::{add_link, current_trace_id, current_traceparent, extract, inject, parse_traceparent, set_parent},
    rpc_call::names as rpc_names,
    sampling::{InvalidSampler, Sampling},
};

/// The interval at which samples are merged into their histograms. Without it they accumulate between scrapes.
const METRICS_UPKEEP: Duration = Duration::from_secs(5);
/// The timeout of an export, also of the last one at shutdown.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// The telemetry settings of a process.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The resource's `service.name`: "feed", "gateway", "portia" (standalone).
    pub service_name: String,
    /// One JSON object per line instead of plain text.
    pub json: bool,
    /// The logged events, in the directive syntax of `tracing`: "info,feed=debug".
    pub filter: String,
    /// The gRPC OTLP collector, "https://collector:4317". Without it nothing is recorded or exported.
    pub otlp_endpoint: Option<String>,
    /// The PEM file with the authority of the collector's certificate, for https. The authorities of the system are
    /// trusted too.
    pub otlp_certificate: Option<PathBuf>,
    /// Which traces are recorded.
    pub sampling: Sampling,
}

impl Settings {
    /// Plain text logs from `info` up; no export.
    pub fn new(service_name: impl Into<String>) -> Self {
        Self {
            service_name: service_name.into(),
            json: false,
            filter: "info".to_owned(),
            otlp_endpoint: None,
            otlp_certificate: None,
            sampling: Sampling::default(),
        }
    }
}

/// Why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The filter is not in the directive syntax of `tracing`.
    #[error("the log filter is invalid")]
    Filter(#[source] tracing_subscriber::filter::ParseError),
    /// The file with the authority of the collector is not readable.
    #[error("the certificate of the OTLP collector cannot be read")]
    Certificate(#[source] io::Error),
    /// The endpoint is no URL.
    #[error("the OTLP endpoint is invalid")]
    Exporter(#[source] ExporterBuildError),
    /// `start` ran outside tokio, which the exporter and the metrics upkeep need.
    #[error("telemetry must start inside a tokio runtime")]
    NoRuntime,
    /// Subscriber and recorder are global: a process starts telemetry once.
    #[error("telemetry is already started in this process")]
    AlreadyStarted,
}

/// The running telemetry of this process. Clones share it.
#[derive(Clone)]
pub struct Telemetry {
    provider: SdkTracerProvider,
    metrics: PrometheusHandle,
    upkeep: AbortHandle,
}

/// The filter of log lines. Only a directive of its own turns the security log off.
fn log_filter(directives: &str) -> Result<EnvFilter, Error> {
    let filter = EnvFilter::builder().parse(directives).map_err(Error::Filter)?;
    let names_security = directives.split(',').any(|directive| directive.trim().starts_with("security="));
    if names_security { Ok(filter) } else { Ok(filter.add_directive("security=info".parse().map_err(Error::Filter)?)) }
}

/// Installs subscriber, trace provider and metrics recorder for the whole process. Call inside tokio, once.
pub fn start(settings: Settings) -> Result<Telemetry, Error> {
    let runtime = Handle::try_current().map_err(|_| Error::NoRuntime)?;
    let filter = log_filter(&settings.filter)?;
    let exporting = settings.otlp_endpoint.is_some();
    let provider = provider(&settings)?;
    let tracer = provider.tracer("portia");

    tracing_subscriber::registry()
        .with(
            logs::layer(settings.json, io::stderr)
                // Logs contain no spans, so formatting them would be wasted work in every request.
                .with_filter(
                    filter.and(filter_fn(|metadata| metadata.is_event()).with_max_level_hint(LevelFilter::TRACE)),
                ),
        )
        .with(spans(tracer.clone(), exporting))
        .try_init()
        .map_err(|_| Error::AlreadyStarted)?;

    if exporting {
        request_span::export(settings.sampling.follows_callers());
        past_work::export(tracer);
    }

    let metrics = metrics::install().ok_or(Error::AlreadyStarted)?;
    let upkeep = runtime.spawn({
        let metrics = metrics.clone();
        async move {
            let mut tick = tokio::time::interval(METRICS_UPKEEP);
            loop {
                tick.tick().await;
                metrics.run_upkeep();
            }
        }
    });
    Ok(Telemetry { provider, metrics, upkeep: upkeep.abort_handle() })
}

impl Telemetry {
    /// Every metric in the text format of Prometheus, for the admin port.
    pub fn render_metrics(&self) -> String {
        metrics::collect_process();
        self.metrics.render()
    }

    /// Exports the recorded spans, so that a test does not wait for the batch.
    pub async fn flush(&self) {
        let provider = self.provider.clone();
        let flushed = tokio::task::spawn_blocking(move || provider.force_flush()).await;
        if let Ok(Err(error)) = flushed {
            tracing::warn!(%error, "spans could not be exported");
        }
    }

    /// Exports the remaining spans and stops. Blocks its thread, so it runs outside the tokio workers.
    pub async fn shutdown(&self) {
        self.upkeep.abort();
        let provider = self.provider.clone();
        let stopped = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(EXPORT_TIMEOUT)).await;
        if let Ok(Err(error)) = stopped {
            tracing::warn!(%error, "the last spans could not be exported");
        }
    }
}

/// Without an endpoint, spans get ids and are not recorded; requests have no spans at all (request_span.rs).
fn provider(settings: &Settings) -> Result<SdkTracerProvider, Error> {
    let builder = SdkTracerProvider::builder();
    let Some(endpoint) = &settings.otlp_endpoint else {
        return Ok(builder.with_sampler(Sampler::AlwaysOff).build());
    };
    let mut exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(EXPORT_TIMEOUT);
    if endpoint.starts_with("https://") {
        let mut tls = ClientTlsConfig::new().with_native_roots();
        if let Some(file) = &settings.otlp_certificate {
            tls = tls.ca_certificate(Certificate::from_pem(fs::read(file).map_err(Error::Certificate)?));
        }
        exporter = exporter.with_tls_config(tls);
    }
    let exporter = exporter.build().map_err(Error::Exporter)?;
    Ok(builder
        .with_sampler(settings.sampling.sampler())
        .with_resource(resource(&settings.service_name))
        .with_batch_exporter(exporter)
        .build())
}

/// The process, besides the attributes of `OTEL_RESOURCE_ATTRIBUTES`. Replicas of a service differ in `service.instance.id`.
fn resource(service_name: &str) -> Resource {
    let version = match metrics::REVISION {
        Some(revision) => format!("{}+{revision}", env!("CARGO_PKG_VERSION")),
        None => env!("CARGO_PKG_VERSION").to_owned(),
    };
    let instance = RandomIdGenerator::default().new_trace_id().to_string();
    Resource::builder()
        .with_service_name(service_name.to_owned())
        .with_attribute(KeyValue::new("service.namespace", "portia"))
        .with_attribute(KeyValue::new("service.version", version))
        .with_attribute(KeyValue::new("service.instance.id", instance))
        .build()
}

/// The layers that convert the spans of tracing, and the statements of sqlx, to OpenTelemetry spans.
fn spans<S>(tracer: SdkTracer, exporting: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let statements = sql::layer(tracer.clone());
    let spans = tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_location(false)
        .with_target(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        // The spans of libraries (h2, hyper, tower) are debug and finer.
        .with_filter(LevelFilter::INFO);
    // Boxed: a filtered layer combined with an `Option` that is `None` disables itself (tracing-subscriber 0.3.23).
    if exporting { spans.and_then(statements).boxed() } else { spans.boxed() }
}

#[cfg(test)]
mod tests {
    use tracing::subscriber::with_default;
    use tracing_subscriber::registry;

    use super::*;

    #[test]
    fn without_a_collector_there_are_trace_ids_and_nothing_is_recorded() {
        let tracer = provider(&Settings::new("feed")).unwrap().tracer("test");
        with_default(registry().with(spans(tracer, false)), || {
            assert_eq!(current_trace_id(), None);
            let outer = tracing::info_span!("outer");
            let entered = outer.enter();
            let id = current_trace_id().unwrap();
            assert_eq!(id.len(), 32);
            let traceparent = current_traceparent().unwrap();
            assert!(traceparent.starts_with(&format!("00-{id}-")) && traceparent.ends_with("-00"), "{traceparent}");
            let inner = tracing::info_span!("inner");
            assert_eq!(inner.in_scope(current_trace_id).as_ref(), Some(&id), "one trace");
            let library = tracing::debug_span!("library");
            assert_eq!(
                library.in_scope(current_traceparent),
                Some(traceparent),
                "a library span does not change the context"
            );
            drop(entered);

            let continued = tracing::info_span!(parent: None, "continued");
            set_parent(&continued, parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
            assert_eq!(continued.in_scope(current_trace_id).as_deref(), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
        });
    }

    #[test]
    fn only_a_directive_of_its_own_turns_the_security_log_off() {
        for (directives, expected) in [
            ("off", "security=info"),
            ("warn", "security=info"),
            ("error,securityx=off", "security=info"),
            ("error,security=off", "security=off"),
            ("security=error", "security=error"),
        ] {
            let filter = log_filter(directives).unwrap().to_string();
            assert!(filter.split(',').any(|directive| directive == expected), "{directives}: {filter}");
            assert_eq!(filter.matches("security=").count(), 1, "{directives}: {filter}");
        }
    }

    #[tokio::test]
    async fn invalid_settings_are_refused() {
        let settings = |filter: &str, endpoint: &str| Settings {
            filter: filter.to_owned(),
            otlp_endpoint: Some(endpoint.to_owned()),
            ..Settings::new("feed")
        };
        assert!(matches!(start(settings("feed=loud", "http://127.0.0.1:1")), Err(Error::Filter(_))));
        let without_file =
            Settings { otlp_certificate: Some("/nowhere".into()), ..settings("info", "https://127.0.0.1:1") };
        assert!(matches!(start(without_file), Err(Error::Certificate(_))));
        assert!(matches!(start(settings("info", "not an address")), Err(Error::Exporter(_))));
    }
}
