//! Every variable of Portia. A misspelt one is refused instead of ignored.
//!
//! It lists the variables of all processes, because they often share one environment.

mod features;
mod processes;
mod table;
mod variable;

use serde::{
    de::{DeserializeOwned, Deserializer, Error as _, Visitor, value::Error as Stop},
    forward_to_deserialize_any,
};

pub use table::{all, default_of, page};
pub use variable::{Secret, Variable};

use super::Error;

const PREFIX: &str = "PORTIA_";

/// Stands for each of [`SERVICES`] in a name.
const OF_SERVICE: &str = "<SERVICE>";

/// The services in names of variables.
const SERVICES: [&str; 7] = ["AUTH", "PROFILE", "SOCIAL_GRAPH", "FEED", "JOBS", "NEWS", "MESSAGING"];

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
    known().any(|known| known == name)
}

/// Lists the names without the prefix, with the name of each service filled in.
fn known() -> impl Iterator<Item = String> {
    all().filter_map(|variable| variable.name.strip_prefix(PREFIX)).flat_map(|name| {
        let services = if name.contains(OF_SERVICE) { &SERVICES[..] } else { &[""] };
        services.iter().map(move |service| name.replace(OF_SERVICE, service))
    })
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

/// Returns the known name with the fewest differences, unless it is another word.
fn nearest(name: &str) -> Option<String> {
    let by_distance = known().map(|known| (strsim::osa_distance(&known, name), known));
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
    fn each_name_is_there_once() {
        let mut names: Vec<String> = known().collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().any(|name| name == "SOCIAL_GRAPH_MIGRATION_DATABASE_URL"));
        for (standard, _) in STANDARD {
            assert!(all().any(|variable| variable.name == standard), "{standard}");
        }
    }
}
