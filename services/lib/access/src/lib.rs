//! Which process may call which RPC, and which one reads whose facts. What the table does not permit is refused.
//!
//! The one library that knows the names of the services: identity, the layers of a server and the outbox read them here.

mod table;

use std::collections::HashMap;

/// The gateway, the only process that acts for members.
pub const GATEWAY: &str = "gateway";

/// The gRPC service of facts, which every service serves for its own facts.
const OUTBOX: &str = "portia.outbox.v1.Outbox";
/// The RPCs of a consumer of facts, which has a cursor. A watcher, which has none, needs the first one only.
const OUTBOX_RPCS: [&str; 3] = ["Tail", "Snapshot", "GetPosition"];

/// What a service offers, and to which processes.
struct Service {
    /// The name of its process.
    name: &'static str,
    /// Its gRPC service.
    contract: &'static str,
    /// The callers, each with the RPCs that it may call.
    calls: &'static [(&'static str, &'static [&'static str])],
    /// The processes that consume its facts.
    consumers: &'static [&'static str],
    /// The processes that watch its facts, for caches.
    watchers: &'static [&'static str],
}

/// The names of the services: the audiences of tokens.
pub fn services() -> impl Iterator<Item = &'static str> {
    table::SERVICES.iter().map(|service| service.name)
}

/// The names of all processes: the services and the gateway.
pub fn processes() -> impl Iterator<Item = &'static str> {
    services().chain([GATEWAY])
}

/// The name of a service as a constant; `None` for another text.
#[must_use]
pub fn service(name: &str) -> Option<&'static str> {
    services().find(|service| *service == name)
}

/// Whether a process may present the token of a member beside its own.
#[must_use]
pub fn may_act_for_members(process: &str) -> bool {
    process == GATEWAY
}

/// Whether `process` may consume the facts of `source`, with a cursor.
#[must_use]
pub fn may_consume(process: &str, source: &str) -> bool {
    table::SERVICES.iter().any(|service| service.name == source && service.consumers.contains(&process))
}

/// Whether `process` may watch the facts of `source`, without a cursor.
#[must_use]
pub fn may_watch(process: &str, source: &str) -> bool {
    table::SERVICES.iter().any(|service| service.name == source && service.watchers.contains(&process))
}

/// The permitted calls of one service.
#[derive(Debug)]
pub struct Policy(HashMap<String, Vec<&'static str>>);

impl Policy {
    /// The policy of a service. That of an unknown service permits nothing.
    #[must_use]
    pub fn of(service: &str) -> Self {
        let mut callers: HashMap<String, Vec<&'static str>> = HashMap::new();
        let mut permit = |contract: &str, rpc: &str, caller| {
            callers.entry(format!("/{contract}/{rpc}")).or_default().push(caller);
        };
        for service in table::SERVICES.iter().filter(|known| known.name == service) {
            for (caller, rpcs) in service.calls {
                rpcs.iter().for_each(|rpc| permit(service.contract, rpc, *caller));
            }
            for consumer in service.consumers {
                OUTBOX_RPCS.iter().for_each(|rpc| permit(OUTBOX, rpc, *consumer));
            }
            for watcher in service.watchers {
                permit(OUTBOX, "Tail", *watcher);
            }
        }
        Self(callers)
    }

    /// Whether `process` may call the RPC of a path: `/portia.feed.v1.FeedService/ListPosts`.
    #[must_use]
    pub fn permits(&self, process: &str, path: &str) -> bool {
        self.0.get(path).is_some_and(|callers| callers.contains(&process))
    }

    /// The paths of all RPCs that have a row.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_permits_its_rows_only() {
        let feed = Policy::of("feed");
        assert!(feed.permits("gateway", "/portia.feed.v1.FeedService/ListPosts"));
        assert!(!feed.permits("jobs", "/portia.feed.v1.FeedService/ListPosts"));
        assert!(!feed.permits("gateway", "/portia.feed.v1.FeedService/Unknown"));
        assert!(!feed.permits("gateway", "/portia.jobs.v1.JobsService/ListJobs"), "an RPC of another service");
        assert_eq!(Policy::of("unknown").paths().count(), 0);
    }

    #[test]
    fn a_consumer_takes_snapshots_and_a_watcher_follows_only() {
        let feed = Policy::of("feed");
        for (process, tail, snapshot) in
            [("jobs", true, true), ("gateway", true, false), ("news", false, false), ("feed", false, false)]
        {
            assert_eq!(feed.permits(process, "/portia.outbox.v1.Outbox/Tail"), tail, "{process}");
            assert_eq!(feed.permits(process, "/portia.outbox.v1.Outbox/Snapshot"), snapshot, "{process}");
            assert_eq!(feed.permits(process, "/portia.outbox.v1.Outbox/GetPosition"), snapshot, "{process}");
            assert_eq!((may_consume(process, "feed"), may_watch(process, "feed")), (snapshot, process == "gateway"));
        }
    }

    #[test]
    fn the_rows_name_processes_and_each_rpc_once() {
        let known = |process: &&str| processes().any(|name| name == *process);
        for service in &table::SERVICES {
            assert!(service.calls.iter().all(|(caller, _)| known(caller)), "{}", service.name);
            assert!(service.consumers.iter().chain(service.watchers).all(known), "{}", service.name);
            assert!(Policy::of(service.name).0.values().all(|callers| callers.len() <= processes().count()));
            let mut rows: Vec<_> =
                service.calls.iter().flat_map(|(caller, rpcs)| rpcs.iter().map(move |rpc| (caller, rpc))).collect();
            let count = rows.len();
            rows.sort_unstable();
            rows.dedup();
            assert_eq!(rows.len(), count, "{} names an RPC twice", service.name);
        }
    }
}
