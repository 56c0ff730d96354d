//! The metrics of every process: rate, errors and duration of RPCs and routes, requests in progress, caches, build and panics.

use std::{
    collections::HashMap,
    sync::{OnceLock, PoisonError, RwLock},
    time::Duration,
};

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tonic::Code;

use crate::series::{self, Family};

/// Seconds: from an in-process call (0.1 ms) to the longest deadline (5 s). The objectives are among them: 0.3 for reads, 0.8 for
/// writes, 2 for facts (deploy/observability).
const DURATION_BUCKETS: [f64; 15] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 0.8, 1.0, 2.0, 5.0, 10.0];

/// The commit of the build, in images; empty elsewhere, because it would compile everything again after each commit.
pub(crate) const REVISION: Option<&str> = option_env!("GIT_COMMIT");

/// The maximum of RPCs with a time series of their own: a client can invent more names.
const MAX_RPCS: usize = 500;

static SERVED: Family =
    Family::new(["rpc_server_requests_total", "rpc_server_duration_seconds"], &["service", "method"], "code", MAX_RPCS);
static CALLED: Family =
    Family::new(["rpc_client_requests_total", "rpc_client_duration_seconds"], &["service"], "code", MAX_RPCS);
static HTTP: Family = Family::new(
    ["http_server_requests_total", "http_server_duration_seconds"],
    &["method", "route"],
    "status",
    usize::MAX,
);

/// Installs the Prometheus recorder of the process; `None` when there is one.
pub(crate) fn install() -> Option<PrometheusHandle> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("duration_seconds".to_owned()), &DURATION_BUCKETS)
        .ok()?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).ok()?;
    series::keep();

    describe_counter!("rpc_server_requests_total", "Finished RPCs, by service, method and gRPC code");
    describe_histogram!("rpc_server_duration_seconds", "Seconds from the headers of an RPC to its trailers");
    describe_counter!("http_server_requests_total", "Finished HTTP requests, by method, route and status");
    describe_histogram!(
        "http_server_duration_seconds",
        "Seconds from the headers of a request to those of the response"
    );
    describe_counter!("rpc_client_requests_total", "Finished calls of other services, by service and gRPC code");
    describe_histogram!("rpc_client_duration_seconds", "Seconds from a call of another service to its trailers");
    describe_counter!(
        "rpc_client_refused_total",
        "Calls refused before they were sent, by the breaker or the bulkhead"
    );
    for by in ["breaker", "bulkhead"] {
        counter!("rpc_client_refused_total", "by" => by).increment(0);
    }
    describe_gauge!("rpc_server_in_flight", "RPCs in progress, without streams");
    describe_gauge!("http_server_in_flight", "HTTP requests in progress, until the headers of the response");
    describe_counter!("cache_requests_total", "Entries looked for in a cache of this process, by result");
    describe_gauge!("portia_build_info", "1, with the version and the commit of the build");
    let revision = REVISION.filter(|revision| !revision.is_empty()).unwrap_or("unknown");
    gauge!("portia_build_info", "version" => env!("CARGO_PKG_VERSION"), "revision" => revision).set(1);
    #[cfg(target_os = "linux")]
    metrics_process::Collector::default().describe();
    describe_counter!("panics_total", "Panics");
    // A series that appears with the first panic has no rate for an alert.
    counter!("panics_total").increment(0);
    Some(handle)
}

/// Records a finished RPC.
pub(crate) fn rpc(service: &str, method: &str, code: Code, name: &'static str, took: Duration) {
    SERVED.record(&[service, method], (code as u16, || name.into()), took);
}

/// Records a finished call of another service. Its methods are series of that service.
pub(crate) fn rpc_client(service: &str, code: Code, name: &'static str, took: Duration) {
    CALLED.record(&[service], (code as u16, || name.into()), took);
}

/// Something in progress, counted by a gauge until it is dropped.
pub(crate) struct InFlight(Gauge);

impl InFlight {
    pub(crate) fn rpc() -> Self {
        static HANDLE: OnceLock<Gauge> = OnceLock::new();
        Self::counted(&HANDLE, || gauge!("rpc_server_in_flight"))
    }

    pub(crate) fn http() -> Self {
        static HANDLE: OnceLock<Gauge> = OnceLock::new();
        Self::counted(&HANDLE, || gauge!("http_server_in_flight"))
    }

    fn counted(handle: &OnceLock<Gauge>, create: impl FnOnce() -> Gauge) -> Self {
        let gauge = if series::is_kept() { handle.get_or_init(create).clone() } else { create() };
        gauge.increment(1);
        Self(gauge)
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}

/// Records how many entries were found in a cache of this process, and how many were not.
pub fn cache_requests(cache: &'static str, hits: usize, misses: usize) {
    static KNOWN: RwLock<Option<HashMap<&'static str, [Counter; 2]>>> = RwLock::new(None);
    let record = |[hit, miss]: &[Counter; 2]| {
        hit.increment(hits as u64);
        miss.increment(misses as u64);
    };
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(counters) = known.as_ref().and_then(|known| known.get(cache)) {
        return record(counters);
    }
    drop(known);
    let of = |result: &'static str| counter!("cache_requests_total", "cache" => cache, "result" => result);
    let counters = ["hit", "miss"].map(of);
    record(&counters);
    if series::is_kept() {
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(cache, counters);
    }
}

/// Sets the metrics of the process: CPU time, memory, open files.
pub(crate) fn collect_process() {
    #[cfg(target_os = "linux")]
    metrics_process::Collector::default().collect();
}

/// Records a finished HTTP request. `route` is the template of the router.
pub(crate) fn http(method: &'static str, route: &str, status: u16, took: Duration) {
    HTTP.record(&[method, route], (status, || status.to_string().into()), took);
}

/// Records a panic.
pub(crate) fn panicked() {
    counter!("panics_total").increment(1);
}
