//! Configuration: `PORTIA_*` environment variables, parsed whole before anything is bound.

mod encryption;
pub mod variables;

use std::{
    collections::BTreeMap, net::SocketAddr, ops::RangeInclusive, path::PathBuf, str::FromStr as _, time::Duration,
};

use figment::{
    Figment,
    providers::{Env, Serialized},
};
use serde::{Deserialize, de::DeserializeOwned};
use sqlx::postgres::PgConnectOptions;

pub use encryption::Encryption;

/// A setting is missing or invalid; the sentence names the variable.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

/// The source of settings. Each process and service extracts its own struct of documented fields.
#[derive(Clone, Debug, Default)]
pub struct Source(Figment);

impl Source {
    /// The environment: `PORTIA_LISTEN` is the field `listen`. An empty variable is unset.
    ///
    /// # Errors
    /// Names a variable that Portia does not know, with the nearest one.
    pub fn environment() -> Result<Self, Error> {
        let readable = std::env::vars_os();
        variables::check(
            readable.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )?;
        let empty: Vec<String> = std::env::vars_os()
            .filter(|(_, value)| value.is_empty())
            .filter_map(|(name, _)| name.into_string().ok())
            .filter_map(|name| name.strip_prefix("PORTIA_").map(str::to_lowercase))
            .collect();
        let ignored: Vec<&str> = empty.iter().map(String::as_str).collect();
        let own = Env::prefixed("PORTIA_").ignore(&ignored);
        // Read as texts: figment would parse a key of digits as a number.
        let set: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let standard: BTreeMap<&str, &String> = set
            .iter()
            .filter_map(|(name, value)| {
                let (_, field) = variables::STANDARD.iter().find(|(standard, _)| standard == name)?;
                Some((*field, value))
            })
            .collect();
        let aws: BTreeMap<String, &String> = set
            .iter()
            .filter(|(name, _)| name.starts_with("AWS_"))
            .map(|(name, value)| (name.to_lowercase(), value))
            .collect();
        Ok(Self(Figment::from(Serialized::defaults(standard)).merge(own).merge(("aws", aws))))
    }

    /// Adds a setting with precedence, for tests and standalone.
    #[must_use]
    pub fn with(self, field: &str, value: impl serde::Serialize) -> Self {
        Self(self.0.merge((field, value)))
    }

    /// Extracts a struct of settings.
    ///
    /// # Errors
    /// Names the variable that is missing or invalid, or a field that the list of variables lacks.
    pub fn extract<T: DeserializeOwned>(&self) -> Result<T, Error> {
        variables::check_fields::<T>()?;
        self.0.extract().map_err(|errors| {
            let sentences: Vec<String> = errors
                .into_iter()
                .map(|error| {
                    let variable = error.path.first().map(|field| format!("PORTIA_{}", field.to_uppercase()));
                    match variable {
                        Some(variable) => format!("{variable}: {}", error.kind),
                        None => error.kind.to_string().replace("missing field `", "not set: `PORTIA_").to_string(),
                    }
                })
                .collect();
            Error(format!("The configuration cannot be used. {}", sentences.join("; ")))
        })
    }

    /// One optional text setting.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<String> {
        self.0.extract_inner(field).ok()
    }

    /// The standard variables for S3 (`AWS_REGION` is `aws_region`).
    #[must_use]
    pub fn aws(&self) -> BTreeMap<String, String> {
        self.0.extract_inner("aws").unwrap_or_default()
    }

    /// Whether a setting is present.
    #[must_use]
    pub fn is_set(&self, field: &str) -> bool {
        self.0.find_value(field).is_ok()
    }

    /// The database of a service: `PORTIA_<SERVICE>_DATABASE_URL`, else `PORTIA_DATABASE_URL`.
    ///
    /// # Errors
    /// When neither is set, the value is not a Postgres URL, or the connection to another machine would not be encrypted.
    pub fn database(&self, service: &str) -> Result<PgConnectOptions, Error> {
        let own = format!("{}_database_url", field_name(service));
        let url = self.text(&own).or_else(|| self.text("database_url")).ok_or_else(|| {
            Error(format!("Set PORTIA_DATABASE_URL or PORTIA_{} to the address of a Postgres.", own.to_uppercase()))
        })?;
        self.postgres(&format!("PORTIA_{} or PORTIA_DATABASE_URL", own.to_uppercase()), &url)
    }

    /// The options of a Postgres address, encrypted as the settings demand.
    fn postgres(&self, variable: &str, url: &str) -> Result<PgConnectOptions, Error> {
        let options =
            PgConnectOptions::from_str(url).map_err(|_| Error(format!("{variable} is no Postgres address.")))?;
        Encryption::check_database(self, &options)?;
        Ok(options)
    }

    /// The address of Postgres itself when [`Self::database`] is a connection pooler:
    /// `PORTIA_<SERVICE>_DIRECT_DATABASE_URL`, else `PORTIA_DIRECT_DATABASE_URL`.
    ///
    /// # Errors
    /// When the value is not a Postgres URL, or one of another machine without verified encryption.
    pub fn direct_database(&self, service: &str) -> Result<Option<PgConnectOptions>, Error> {
        let own = format!("{}_direct_database_url", field_name(service));
        let Some(url) = self.text(&own).or_else(|| self.text("direct_database_url")) else { return Ok(None) };
        self.postgres("PORTIA_DIRECT_DATABASE_URL", &url).map(Some)
    }

    /// The standby of a service's Postgres: `PORTIA_<SERVICE>_STANDBY_DATABASE_URL`.
    ///
    /// # Errors
    /// As [`Self::direct_database`].
    pub fn standby_database(&self, service: &str) -> Result<Option<PgConnectOptions>, Error> {
        let own = format!("{}_standby_database_url", field_name(service));
        let Some(url) = self.text(&own) else { return Ok(None) };
        self.postgres(&format!("PORTIA_{}", own.to_uppercase()), &url).map(Some)
    }

    /// The database of migrations of a service: `PORTIA_<SERVICE>_MIGRATION_DATABASE_URL`, else
    /// `PORTIA_MIGRATION_DATABASE_URL`, whose role may take the roles of all owners, else Postgres itself.
    ///
    /// # Errors
    /// As [`Self::database`].
    pub fn migration_database(&self, service: &str) -> Result<PgConnectOptions, Error> {
        let own = format!("{}_migration_database_url", field_name(service));
        for field in [own.as_str(), "migration_database_url"] {
            if let Some(url) = self.text(field) {
                return self.postgres(&format!("PORTIA_{}", field.to_uppercase()), &url);
            }
        }
        self.direct_database(service)?.map_or_else(|| self.database(service), Ok)
    }

    /// Which traces are recorded: `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`; all when unset.
    ///
    /// # Errors
    /// When they are no sampler of the specification.
    pub fn sampling(&self) -> Result<telemetry::Sampling, Error> {
        let Some(name) = self.text("traces_sampler") else { return Ok(telemetry::Sampling::default()) };
        telemetry::Sampling::parse(&name, self.text("traces_sampler_arg").as_deref())
            .map_err(|error| Error(format!("OTEL_TRACES_SAMPLER: {error}.")))
    }
}

/// The name of a service in fields and variables: `social_graph` for `social-graph`.
#[must_use]
pub fn field_name(service: &str) -> String {
    service.replace('-', "_")
}

/// The settings of every process.
#[derive(Clone, Debug, Deserialize)]
pub struct Process {
    /// The listen address: gRPC for a service, HTTP for the gateway.
    #[serde(default = "default_listen")]
    pub listen: SocketAddr,
    /// The address of metrics, liveness and readiness; not served when unset.
    pub admin_listen: Option<SocketAddr>,
    /// The path of the JWK set with the public keys of auth and of every process.
    pub public_keys: PathBuf,
    /// The path of the Ed25519 private key of this process (PKCS#8 PEM).
    pub service_key: PathBuf,
    /// The logged events, as filter of tracing-subscriber: `info`, `feed=debug,info`.
    #[serde(default = "default_log")]
    pub log: String,
    /// `json` or `text`; by default JSON unless standard error is a terminal.
    pub log_format: Option<String>,
    /// The collector of traces (`OTEL_EXPORTER_OTLP_ENDPOINT`). Nothing is exported when unset.
    pub otlp_endpoint: Option<String>,
    /// The PEM file with the authority of an https collector (`OTEL_EXPORTER_OTLP_CERTIFICATE`).
    pub otlp_certificate: Option<PathBuf>,
    /// Whether the gRPC server offers reflection, for grpcurl.
    #[serde(default)]
    pub reflection: bool,
    /// Seconds between failing readiness probes and refusing connections.
    #[serde(default = "default_drain")]
    pub drain_seconds: u64,
    /// Connections to Postgres, at most.
    #[serde(default = "default_connections")]
    pub database_connections: u32,
    /// Those that an idle process keeps. By default all, because opening one can take longer than a request may; two with a pooler, which
    /// opens none.
    pub database_idle_connections: Option<u32>,
}

impl Process {
    /// The time between failing readiness probes and refusing connections.
    #[must_use]
    pub const fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }

    /// The minimum and maximum of connections to Postgres, or to its pooler.
    #[must_use]
    pub fn connections(&self, is_pooled: bool) -> RangeInclusive<u32> {
        let idle = if is_pooled { POOLED_IDLE_CONNECTIONS } else { self.database_connections };
        self.database_idle_connections.unwrap_or(idle).min(self.database_connections)..=self.database_connections
    }
}

/// The connections of an idle process to a pooler.
const POOLED_IDLE_CONNECTIONS: u32 = 2;

fn default_listen() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 50051))
}

fn default_log() -> String {
    "info".to_owned()
}

const fn default_drain() -> u64 {
    2
}

const fn default_connections() -> u32 {
    10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        Source::default().with("public_keys", "/keys/public.json").with("service_key", "/keys/feed.pem")
    }

    #[test]
    fn defaults_suit_one_machine_and_are_those_of_the_manual() {
        let process: Process = source().extract().unwrap();
        assert!(process.listen.ip().is_loopback());
        for (name, value) in [
            ("PORTIA_LISTEN", process.listen.to_string()),
            ("PORTIA_LOG", process.log),
            ("PORTIA_REFLECTION", process.reflection.to_string()),
            ("PORTIA_DRAIN_SECONDS", process.drain_seconds.to_string()),
            ("PORTIA_DATABASE_CONNECTIONS", process.database_connections.to_string()),
        ] {
            assert_eq!(variables::default_of(name), Some(value), "{name}");
        }
    }

    #[test]
    fn an_invalid_setting_is_named() {
        let error = source().with("listen", "nowhere").extract::<Process>().unwrap_err();
        assert!(error.0.contains("PORTIA_LISTEN"), "{error}");
        let error = Source::default().extract::<Process>().unwrap_err();
        assert!(error.0.contains("PORTIA_public_keys") || error.0.contains("PORTIA_PUBLIC_KEYS"), "{error}");
    }

    #[test]
    fn the_database_of_a_service_has_precedence() {
        let source = Source::default()
            .with("database_url", "postgres://common/portia?sslmode=verify-full")
            .with("social_graph_database_url", "postgres://own/portia?sslmode=verify-full");
        assert_eq!(source.database("social-graph").unwrap().get_host(), "own");
        assert_eq!(source.database("feed").unwrap().get_host(), "common");
        assert!(source.direct_database("feed").unwrap().is_none());
        let source = source.with("direct_database_url", "postgres://direct/portia?sslmode=verify-full");
        assert_eq!(source.direct_database("feed").unwrap().unwrap().get_host(), "direct");
        assert_eq!(source.migration_database("feed").unwrap().get_host(), "direct");
        let source = source.with("migration_database_url", "postgres://migrate/portia?sslmode=verify-full");
        assert_eq!(source.migration_database("feed").unwrap().get_host(), "migrate");
        let source = source.with("feed_migration_database_url", "postgres://moved/portia?sslmode=verify-full");
        assert_eq!(source.migration_database("feed").unwrap().get_host(), "moved");
        assert_eq!(source.migration_database("news").unwrap().get_host(), "migrate");
    }

    #[test]
    fn the_sampler_is_that_of_the_standard_variables() {
        assert_eq!(Source::default().sampling().unwrap(), telemetry::Sampling::default());
        let source = Source::default().with("traces_sampler", "parentbased_traceidratio");
        let quarter = source.clone().with("traces_sampler_arg", "0.25").sampling().unwrap();
        assert_eq!(quarter, telemetry::Sampling::parse("parentbased_traceidratio", Some("0.25")).unwrap());
        let error = source.with("traces_sampler_arg", "many").sampling().unwrap_err();
        assert!(error.0.contains("OTEL_TRACES_SAMPLER: \"many\""), "{error}");
    }

    #[test]
    fn an_idle_process_keeps_fewer_connections_to_a_pooler() {
        let process: Process = source().extract().unwrap();
        assert_eq!((process.connections(false), process.connections(true)), (10..=10, 2..=10));
        let process: Process = source().with("database_idle_connections", 4).extract().unwrap();
        assert_eq!((process.connections(false), process.connections(true)), (4..=10, 4..=10));
        let process: Process = source().with("database_connections", 1).extract().unwrap();
        assert_eq!(process.connections(true), 1..=1);
    }
}
