//! Which process may call which RPC, and which one reads whose facts: the gateway calls the contracts, consumers read facts, and
//! anything else is refused.
//!
//! The only library that knows the names of the services: identity, the layers of a server and the outbox read them
//! here.

/// The gateway, the only process that calls the contracts and acts for members.
pub const GATEWAY: &str = "gateway";

/// The gRPC service of facts, which every service serves for its own facts.
const OUTBOX: &str = "portia.outbox.v1.Outbox";
/// The RPC of a watcher, which has no cursor.
const TAIL: &str = "Tail";
/// The RPCs of a consumer, which has one.
const OUTBOX_RPCS: [&str; 3] = [TAIL, "Snapshot", "GetPosition"];

/// A service, and the processes that read its facts.
#[derive(Debug)]
struct Service {
    /// The name of its process.
    name: &'static str,
    /// Its gRPC service.
    contract: &'static str,
    /// The processes that consume its facts.
    consumers: &'static [&'static str],
    /// Whether the gateway watches its facts, for caches.
    is_watched: bool,
}

/// The services. The gateway may call every RPC of their contracts; only the readers of facts differ.
const SERVICES: [Service; 7] = [
    Service {
        name: "auth",
        contract: "portia.auth.v1.AuthService",
        consumers: &["feed", "jobs", "messaging", "news", "profile", "social-graph"],
        is_watched: true,
    },
    Service {
        name: "profile",
        contract: "portia.profile.v1.ProfileService",
        consumers: &["feed", "messaging", "social-graph"],
        is_watched: true,
    },
    Service {
        name: "social-graph",
        contract: "portia.social_graph.v1.SocialGraphService",
        consumers: &["feed", "messaging", "profile"],
        is_watched: true,
    },
    Service {
        name: "feed",
        contract: "portia.feed.v1.FeedService",
        consumers: &["auth", "jobs", "messaging", "social-graph"],
        is_watched: true,
    },
    Service { name: "jobs", contract: "portia.jobs.v1.JobsService", consumers: &["messaging"], is_watched: true },
    Service { name: "news", contract: "portia.news.v1.NewsService", consumers: &[], is_watched: false },
    Service { name: "messaging", contract: "portia.messaging.v1.MessagingService", consumers: &[], is_watched: true },
];

/// The names of the services: the audiences of tokens.
pub fn services() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().map(|service| service.name)
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
    sources_of(process).any(|known| known == source)
}

/// The services whose facts `process` consumes.
pub fn sources_of(process: &str) -> impl Iterator<Item = &'static str> {
    SERVICES.iter().filter(move |service| service.consumers.contains(&process)).map(|service| service.name)
}

/// Whether `process` may watch the facts of `source`, without a cursor.
#[must_use]
pub fn may_watch(process: &str, source: &str) -> bool {
    process == GATEWAY && SERVICES.iter().any(|service| service.name == source && service.is_watched)
}

/// The permitted calls of one service.
#[derive(Debug)]
pub struct Policy(Option<&'static Service>);

impl Policy {
    /// Returns the policy of a service. The policy of an unknown service permits nothing.
    #[must_use]
    pub fn of(service: &str) -> Self {
        Self(SERVICES.iter().find(|known| known.name == service))
    }

    /// The gRPC service that the gateway may call; `None` for an unknown service.
    #[must_use]
    pub fn contract(&self) -> Option<&'static str> {
        self.0.map(|service| service.contract)
    }

    /// Whether `process` may call the RPC of a path: `/portia.feed.v1.FeedService/ListPosts`.
    #[must_use]
    pub fn permits(&self, process: &str, path: &str) -> bool {
        let call = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        match (self.0, call) {
            (Some(service), Some((OUTBOX, rpc))) => {
                let reads = service.consumers.contains(&process) && OUTBOX_RPCS.contains(&rpc);
                reads || rpc == TAIL && may_watch(process, service.name)
            }
            (Some(service), Some((contract, _))) => process == GATEWAY && contract == service.contract,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_alone_calls_the_contract_of_a_service() {
        let feed = Policy::of("feed");
        assert!(feed.permits("gateway", "/portia.feed.v1.FeedService/ListPosts"));
        for (process, path) in [
            ("jobs", "/portia.feed.v1.FeedService/ListPosts"),
            ("feed", "/portia.feed.v1.FeedService/ListPosts"),
            ("gateway", "/portia.jobs.v1.JobsService/ListJobs"),
            ("gateway", "portia.feed.v1.FeedService/ListPosts"),
            ("gateway", "/portia.outbox.v1.Outbox/Other"),
            ("jobs", "/portia.outbox.v1.Outbox/Other"),
            ("gateway", "/"),
            ("gateway", ""),
        ] {
            assert!(!feed.permits(process, path), "{process} {path}");
        }
        let unknown = Policy::of("unknown");
        assert!(!unknown.permits("gateway", "/portia.feed.v1.FeedService/ListPosts"));
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
    fn the_rows_name_services_once() {
        let mut names: Vec<_> = services().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SERVICES.len());
        for service in &SERVICES {
            assert!(service.consumers.iter().all(|name| services().any(|known| known == *name)), "{}", service.name);
        }
    }
}
