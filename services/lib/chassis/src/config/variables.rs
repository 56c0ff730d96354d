//! Every variable of Portia. A misspelt one is refused instead of ignored.
//!
//! The list is that of all processes: they often share one environment.

use serde::{
    de::{DeserializeOwned, Deserializer, Error as _, Visitor, value::Error as Stop},
    forward_to_deserialize_any,
};

use super::Error;

const PREFIX: &str = "PORTIA_";

/// The services, each with its address and its Postgres: `AUTH_URL`, `AUTH_DATABASE_URL`, `AUTH_DIRECT_DATABASE_URL`.
const SERVICES: [&str; 7] = ["AUTH", "PROFILE", "SOCIAL_GRAPH", "FEED", "JOBS", "NEWS", "MESSAGING"];

/// The settings, without the prefix, in the order of the alphabet.
const SETTINGS: &[&str] = &[
    "ADMIN_LISTEN",
    "ALLOW_PLAINTEXT",
    "ASHBY_URL",
    "CRAWL",
    "CRAWL_ADMIT",
    "CREDENTIAL_KEYS",
    "DATABASE_CONNECTIONS",
    "DATABASE_IDLE_CONNECTIONS",
    "DATABASE_SYNC",
    "DATABASE_URL",
    "DIRECT_DATABASE_URL",
    "DRAIN_SECONDS",
    "GREENHOUSE_URL",
    "HASHING_THREADS",
    "IN_FLIGHT",
    "JOBS_EVERY_HOURS",
    "JOBS_SOURCES",
    "LEVER_URL",
    "LINK_PREVIEW_ADMIT",
    "LISTEN",
    "LOG",
    "LOG_FORMAT",
    "MIGRATION_DATABASE_URL",
    "NEWS_EVERY_HOURS",
    "NEWS_FEEDS",
    "PASSWORD_POLICY",
    "PICTURES_URL",
    "PICTURE_KEYS",
    "PUBLIC_KEYS",
    "PUBLIC_ORIGIN",
    "PUSH_ADMIT",
    "PUSH_CONTACT",
    "PUSH_SERVICES",
    "RATE_LIMIT_SCALE",
    "REDIS_AUTHORITY",
    "REDIS_PASSWORD_FILE",
    "REDIS_URL",
    "REFLECTION",
    "SECURITY_CONTACT",
    "SERVICE_KEY",
    "SIGNING_KEYS",
    "TLS_DIR",
    "TRUSTED_HOPS",
    "USAJOBS_EMAIL",
    "USAJOBS_KEY",
    "USAJOBS_URL",
    "WEB_DIR",
];

/// Variables of OpenTelemetry, and their fields.
pub(super) const STANDARD: [(&str, &str); 4] = [
    ("OTEL_EXPORTER_OTLP_CERTIFICATE", "otlp_certificate"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "otlp_endpoint"),
    ("OTEL_TRACES_SAMPLER", "traces_sampler"),
    ("OTEL_TRACES_SAMPLER_ARG", "traces_sampler_arg"),
];

/// Refuses variables that no process reads, and names the nearest one.
pub(super) fn check(environment: impl Iterator<Item = (String, String)>) -> Result<(), Error> {
    let mut sentences: Vec<String> = environment
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?.to_owned(), value)))
        .filter(|(name, value)| !is_known(name) && !is_of_tools(name) && !is_service_link(name, value))
        .map(|(name, _)| match nearest(&name) {
            Some(near) => format!("{PREFIX}{name} is unknown; did you mean {PREFIX}{near}?"),
            None => format!("{PREFIX}{name} is unknown."),
        })
        .collect();
    sentences.sort();
    if sentences.is_empty() { Ok(()) } else { Err(Error(sentences.join(" "))) }
}

/// Refuses a struct with a field that has no variable, so that the list is complete.
pub(super) fn check_fields<T: DeserializeOwned>() -> Result<(), Error> {
    let mut fields: &[&str] = &[];
    // The deserializer always fails: it only sees the names.
    T::deserialize(FieldNames(&mut fields)).ok();
    let own = fields.iter().filter(|field| !STANDARD.iter().any(|(_, standard)| standard == *field));
    match own.map(|field| field.to_uppercase()).find(|name| !is_known(name)) {
        Some(name) => Err(Error(format!("{PREFIX}{name} is not in the list of variables."))),
        None => Ok(()),
    }
}

fn is_known(name: &str) -> bool {
    SETTINGS.binary_search(&name).is_ok() || of_services().any(|known| known == name)
}

fn of_services() -> impl Iterator<Item = String> {
    let suffixes = ["URL", "DATABASE_URL", "DIRECT_DATABASE_URL"];
    SERVICES.iter().flat_map(move |service| suffixes.map(|suffix| format!("{service}_{suffix}")))
}

/// Variables of tests and of tools, which start processes with their own environment.
fn is_of_tools(name: &str) -> bool {
    name.starts_with("TEST_") || name == "URL"
}

/// Kubernetes describes every Service in these variables: one named `portia-feed` in `PORTIA_FEED_SERVICE_HOST`,
/// `PORTIA_FEED_PORT=tcp://..` and `PORTIA_FEED_PORT_50051_TCP_ADDR`.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    let of_port = ["_TCP_", "_UDP_", "_SCTP_"].iter().any(|protocol| name.contains(protocol));
    name.ends_with("SERVICE_HOST")
        || name.contains("SERVICE_PORT")
        || (name.contains("PORT") && is_address)
        || (name.contains("PORT_") && of_port)
}

/// The known name with the fewest differences, unless it is another word.
fn nearest(name: &str) -> Option<String> {
    let known = SETTINGS.iter().map(|known| (*known).to_owned()).chain(of_services());
    let by_distance = known.map(|known| (strsim::osa_distance(&known, name), known));
    let (distance, near) = by_distance.min_by_key(|(distance, _)| *distance)?;
    (distance * 2 <= name.len()).then_some(near)
}

/// A deserializer that records the names of the fields of a struct.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        Err(Stop::custom("not a struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Stop> {
        *self.0 = fields;
        Err(Stop::custom("only the names are wanted"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn checked(variables: &[(&str, &str)]) -> Result<(), String> {
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        check(owned).map_err(|error| error.0)
    }

    #[test]
    fn an_unknown_variable_is_refused_with_the_nearest_name() {
        let error = checked(&[("PORTIA_LISTNE", "1"), ("PORTIA_SOCIALGRAPH_URL", "1"), ("PORTIA_X", "1")]).unwrap_err();
        assert_eq!(
            error,
            "PORTIA_LISTNE is unknown; did you mean PORTIA_LISTEN? \
             PORTIA_SOCIALGRAPH_URL is unknown; did you mean PORTIA_SOCIAL_GRAPH_URL? PORTIA_X is unknown."
        );
    }

    #[test]
    fn variables_of_others_are_accepted() {
        let variables = [
            ("PATH", "/bin"),
            ("PORTIA_LISTEN", "1"),
            ("PORTIA_LISTNE", ""),
            ("PORTIA_FEED_DATABASE_URL", "1"),
            ("PORTIA_TEST_DATABASE_URL", "1"),
            ("PORTIA_FEED_SERVICE_HOST", "10.0.0.1"),
            ("PORTIA_FEED_SERVICE_PORT_GRPC", "50051"),
            ("PORTIA_FEED_PORT", "tcp://10.0.0.1:50051"),
            ("PORTIA_FEED_PORT_50051_TCP_PROTO", "tcp"),
        ];
        checked(&variables).unwrap();
        assert!(checked(&[("PORTIA_PORT", "8080")]).is_err());
    }

    #[test]
    fn a_field_without_a_variable_is_refused() {
        #[derive(serde::Deserialize)]
        #[expect(dead_code, reason = "only the names are read")]
        struct Settings {
            listen: String,
            colour: String,
        }
        assert_eq!(check_fields::<Settings>().unwrap_err().0, "PORTIA_COLOUR is not in the list of variables.");
    }

    #[test]
    fn the_list_is_that_of_the_documentation() {
        assert!(SETTINGS.is_sorted());
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../deploy/README.md")).unwrap();
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let documented: BTreeSet<&str> =
            words.filter_map(|word| word.strip_prefix(PREFIX)).filter(|name| !name.is_empty()).collect();
        for name in &documented {
            assert!(is_known(name) || is_of_tools(name), "{PREFIX}{name} is documented only");
        }
        for name in SETTINGS {
            let is_mirror = ["ASHBY_URL", "USAJOBS_URL"].contains(name);
            assert!(documented.contains(name) || is_mirror, "{PREFIX}{name} is not documented");
        }
    }
}
