//! The metrics every process has: rate, errors and duration of each RPC and route, and panics.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{PoisonError, RwLock},
    time::Duration,
};

use metrics::{counter, describe_counter, describe_histogram, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Seconds. From an in-process call (0.1 ms) to the longest deadline any request has (5 s).
const DURATION_BUCKETS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// More RPCs than one process will ever serve.
const RPCS: usize = 500;

/// Makes Prometheus the process's recorder; `None` when another one is already.
pub(crate) fn install() -> Option<PrometheusHandle> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("duration_seconds".to_owned()), &DURATION_BUCKETS)
        .ok()?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).ok()?;

    describe_counter!("rpc_server_requests_total", "RPCs answered, by service, method and gRPC code");
    describe_histogram!("rpc_server_duration_seconds", "From an RPC's headers to its last trailer");
    describe_counter!("http_server_requests_total", "HTTP requests answered, by method, route and status");
    describe_histogram!("http_server_duration_seconds", "From a request's headers to its answer's");
    describe_counter!("panics_total", "Panics, wherever they were caught");
    // A series which appears with the first panic has no rate to alert on.
    counter!("panics_total").increment(0);
    Some(handle)
}

/// One answered RPC.
pub(crate) fn rpc(service: &str, method: &str, code: &'static str, took: Duration) {
    let (service, method) = if known(service, method) { (service, method) } else { ("other", "other") };
    let (service, method) = (service.to_owned(), method.to_owned());
    counter!("rpc_server_requests_total", "service" => service.clone(), "method" => method.clone(), "code" => code)
        .increment(1);
    histogram!("rpc_server_duration_seconds", "service" => service, "method" => method).record(took);
}

/// Whether an RPC gets series of its own: the first [`RPCS`] names do. Whoever reaches the port may invent more.
fn known(service: &str, method: &str) -> bool {
    static KNOWN: RwLock<BTreeMap<String, BTreeSet<String>>> = RwLock::new(BTreeMap::new());
    let seen = |known: &BTreeMap<String, BTreeSet<String>>| known.get(service).is_some_and(|all| all.contains(method));
    if seen(&KNOWN.read().unwrap_or_else(PoisonError::into_inner)) {
        return true;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let room = known.values().map(BTreeSet::len).sum::<usize>() < RPCS;
    if room {
        known.entry(service.to_owned()).or_default().insert(method.to_owned());
    }
    room || seen(&known)
}

/// One answered HTTP request; `route` is the router's, not the client's.
pub(crate) fn http(method: &'static str, route: &str, status: u16, took: Duration) {
    let route = route.to_owned();
    counter!("http_server_requests_total", "method" => method, "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    histogram!("http_server_duration_seconds", "method" => method, "route" => route).record(took);
}

/// One panic.
pub(crate) fn panicked() {
    counter!("panics_total").increment(1);
}
