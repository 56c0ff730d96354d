//! The variables of every process: addresses, keys, logs, traces, Postgres.

use super::variable::{Secret, Variable, row};

pub(super) const EVERY: &[Variable] = &[
    row("PORTIA_LISTEN", "processes", "address and port", "`127.0.0.1:50051`", "Where it serves: gRPC, the gateway http"),
    row(
        "PORTIA_ADMIN_LISTEN",
        "processes",
        "address and port",
        "none; in the images `0.0.0.0:9090`",
        "Where it serves `/metrics` and the probes `/startupz`, `/readyz`, `/livez`, over http",
    ),
    row(
        "PORTIA_<SERVICE>_URL",
        "processes",
        "URLs, separated by commas",
        "required for each service that it calls",
        "`https://host:port` of the service; a name may have several addresses. The gateway calls all seven, a service those whose \
         facts it reads",
    ),
    row(
        "PORTIA_PUBLIC_KEYS",
        "processes",
        "file",
        "required",
        "The JWK set with the public keys of auth and of every process; `portia keys` makes it",
    ),
    row(
        "PORTIA_SERVICE_KEY",
        "processes",
        "file",
        "required",
        "The private keys of the process (PEM), the first one signs; read again within seconds",
    )
    .with(Secret::Content),
    row(
        "PORTIA_TLS_DIR",
        "all",
        "folder",
        "none",
        "`tls.crt`, `tls.key` and `ca.crt` of the process; read again when a connection opens. Without it, loopback only",
    )
    .with(Secret::Content),
    row(
        "PORTIA_ALLOW_PLAINTEXT",
        "all",
        "`true` or `false`",
        "`false`",
        "`true` permits unencrypted connections to other machines, which are refused otherwise",
    ),
    row(
        "PORTIA_DRAIN_SECONDS",
        "processes",
        "seconds",
        "`2`",
        "From a failing `/readyz` to the end of listening, so that callers learn of it; 15 on Kubernetes",
    ),
    row("PORTIA_LOG", "all", "filter of tracing", "`info`; `portia` warnings", "What is logged: `info,feed=debug`"),
    row("PORTIA_LOG_FORMAT", "all", "`json` or `text`", "`json`, on a terminal `text`; `portia` `text`", "The form of the log"),
    row("PORTIA_REFLECTION", "services", "`true` or `false`", "`false`", "`true` offers gRPC reflection, for grpcurl"),
];

pub(super) const TRACES: &[Variable] = &[
    row(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "all",
        "URL",
        "none",
        "The collector of traces over gRPC, `https://host:4317`; without it nothing is exported",
    ),
    row(
        "OTEL_EXPORTER_OTLP_CERTIFICATE",
        "all",
        "file",
        "none",
        "The authority of the collector's certificate (PEM), besides those of the system",
    ),
    row(
        "OTEL_EXPORTER_OTLP_HEADERS",
        "all",
        "`name=value`, separated by commas",
        "none",
        "Headers for the collector, such as its token",
    )
    .with(Secret::Value),
    row(
        "OTEL_TRACES_SAMPLER",
        "all",
        "sampler",
        "`parentbased_always_on`",
        "Which traces are recorded: `parentbased_traceidratio` takes a part",
    ),
    row("OTEL_TRACES_SAMPLER_ARG", "all", "0 to 1", "`1`", "That part: `0.01` is every hundredth trace"),
    row(
        "OTEL_RESOURCE_ATTRIBUTES",
        "all",
        "`name=value`, separated by commas",
        "none",
        "More attributes of the process, besides `service.name`, `service.version` and `service.instance.id`",
    ),
];

pub(super) const POSTGRES: &[Variable] = &[
    row(
        "PORTIA_DATABASE_URL",
        "services, portia",
        "Postgres URL",
        "required; `portia` starts a Postgres of its own",
        "The Postgres of all services; on another machine with `?sslmode=verify-full`, and `&sslrootcert=FILE` for a private authority",
    )
    .with(Secret::Value),
    row(
        "PORTIA_<SERVICE>_DATABASE_URL",
        "services, portia",
        "Postgres URL",
        "`PORTIA_DATABASE_URL`",
        "The Postgres of one service, with its role",
    )
    .with(Secret::Value),
    row(
        "PORTIA_DIRECT_DATABASE_URL",
        "services, portia",
        "Postgres URL",
        "none",
        "Postgres itself, when the addresses above are those of PgBouncer in transaction mode",
    )
    .with(Secret::Value),
    row(
        "PORTIA_<SERVICE>_DIRECT_DATABASE_URL",
        "services, portia",
        "Postgres URL",
        "`PORTIA_DIRECT_DATABASE_URL`",
        "The same for one service",
    )
    .with(Secret::Value),
    row(
        "PORTIA_<SERVICE>_STANDBY_DATABASE_URL",
        "services, portia",
        "Postgres URL",
        "none",
        "A standby of this service's Postgres, for what only reads ([standbys.md](standbys.md)); auth has none",
    )
    .with(Secret::Value),
    row(
        "PORTIA_MIGRATION_DATABASE_URL",
        "portia",
        "Postgres URL",
        "the addresses above",
        "Postgres with the role `portia_migrate`, for `portia migrate`. The role of the addresses above must own its schema otherwise",
    )
    .with(Secret::Value),
    row(
        "PORTIA_<SERVICE>_MIGRATION_DATABASE_URL",
        "portia",
        "Postgres URL",
        "`PORTIA_MIGRATION_DATABASE_URL`",
        "The same for a service with a Postgres of its own",
    )
    .with(Secret::Value),
    row(
        "PORTIA_DATABASE_CONNECTIONS",
        "services",
        "connections",
        "`10`",
        "The most of one process, one of which listens for notifications; `portia` always has 10 for each service",
    ),
    row(
        "PORTIA_DATABASE_IDLE_CONNECTIONS",
        "services",
        "connections",
        "all; with a pooler `2`",
        "Those that an idle process keeps open",
    ),
    row(
        "PORTIA_DATABASE_SYNC",
        "portia",
        "`on` or `off`",
        "`on`",
        "`off`, for tests: the private Postgres does not wait for the disk, and a power failure loses the data",
    ),
];
