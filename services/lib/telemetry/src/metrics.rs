//! The metrics of every process: rate, errors and duration of RPCs and routes, requests in progress, caches, build and panics.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{PoisonError, RwLock},
    time::Duration,
};

use metrics::{Gauge, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Seconds: from an in-process call (0.1 ms) to the longest deadline (5 s). The objectives are among them: 0.3 for reads, 0.8 for
/// writes, 2 for facts (deploy/observability).
const DURATION_BUCKETS: [f64; 15] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 0.8, 1.0, 2.0, 5.0, 10.0];

/// The commit of the build, in images; empty elsewhere, because it would compile everything again after each commit.
const REVISION: Option<&str> = option_env!("GIT_COMMIT");

/// The maximum of RPCs with a time series of their own.
const MAX_RPCS: usize = 500;

/// Installs the Prometheus recorder of the process; `None` when there is one.
pub(crate) fn install() -> Option<PrometheusHandle> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("duration_seconds".to_owned()), &DURATION_BUCKETS)
        .ok()?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).ok()?;

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
pub(crate) fn rpc(service: &str, method: &str, code: &'static str, took: Duration) {
    let (service, method) = if known(service, method) { (service, method) } else { ("other", "other") };
    let (service, method) = (service.to_owned(), method.to_owned());
    counter!("rpc_server_requests_total", "service" => service.clone(), "method" => method.clone(), "code" => code)
        .increment(1);
    histogram!("rpc_server_duration_seconds", "service" => service, "method" => method).record(took);
}

/// Records a finished call of another service. Its methods are series of that service.
pub(crate) fn rpc_client(service: &str, code: &'static str, took: Duration) {
    let service = service.to_owned();
    counter!("rpc_client_requests_total", "service" => service.clone(), "code" => code).increment(1);
    histogram!("rpc_client_duration_seconds", "service" => service).record(took);
}

/// Something in progress, counted by a gauge until it is dropped.
pub(crate) struct InFlight(Gauge);

impl InFlight {
    pub(crate) fn rpc() -> Self {
        Self::counted(gauge!("rpc_server_in_flight"))
    }

    pub(crate) fn http() -> Self {
        Self::counted(gauge!("http_server_in_flight"))
    }

    fn counted(gauge: Gauge) -> Self {
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
    counter!("cache_requests_total", "cache" => cache, "result" => "hit").increment(hits as u64);
    counter!("cache_requests_total", "cache" => cache, "result" => "miss").increment(misses as u64);
}

/// Sets the metrics of the process: CPU time, memory, open files.
pub(crate) fn collect_process() {
    #[cfg(target_os = "linux")]
    metrics_process::Collector::default().collect();
}

/// Whether an RPC gets its own series: the first [`MAX_RPCS`] names do. A client can invent more.
fn known(service: &str, method: &str) -> bool {
    static KNOWN: RwLock<BTreeMap<String, BTreeSet<String>>> = RwLock::new(BTreeMap::new());
    let seen = |known: &BTreeMap<String, BTreeSet<String>>| known.get(service).is_some_and(|all| all.contains(method));
    if seen(&KNOWN.read().unwrap_or_else(PoisonError::into_inner)) {
        return true;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let room = known.values().map(BTreeSet::len).sum::<usize>() < MAX_RPCS;
    if room {
        known.entry(service.to_owned()).or_default().insert(method.to_owned());
    }
    room || seen(&known)
}

/// Records a finished HTTP request. `route` is the template of the router.
pub(crate) fn http(method: &'static str, route: &str, status: u16, took: Duration) {
    let route = route.to_owned();
    counter!("http_server_requests_total", "method" => method, "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    histogram!("http_server_duration_seconds", "method" => method, "route" => route).record(took);
}

/// Records a panic.
pub(crate) fn panicked() {
    counter!("panics_total").increment(1);
}
