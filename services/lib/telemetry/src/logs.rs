//! Log lines, as JSON or plain text, with the trace id.

use std::{fmt, panic};

use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    Layer,
    fmt::{
        FmtContext, FormatEvent, FormatFields, MakeWriter,
        format::{DefaultFields, Writer},
        time::{FormatTime as _, SystemTime},
    },
    registry::LookupSpan,
};

use crate::{metrics, propagation};

/// Writes one line per event to `writer`.
pub(crate) fn layer<S, W>(json: bool, writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    tracing_subscriber::fmt::layer().with_writer(writer).event_format(if json { Format::Json } else { Format::Text })
}

enum Format {
    Json,
    Text,
}

impl<S, N> FormatEvent<S, N> for Format
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let span = propagation::current();
        match self {
            Self::Json => {
                let mut line = Line::default();
                event.record(&mut line);
                // Set last: a field called "level" must not forge the level.
                line.set("timestamp", timestamp()?);
                line.set("level", event.metadata().level().as_str());
                if !line.0.contains_key("target") {
                    line.set("target", event.metadata().target());
                }
                if let Some(span) = span {
                    line.set("trace_id", span.trace_id().to_string());
                    line.set("span_id", span.span_id().to_string());
                }
                writeln!(writer, "{}", Value::Object(line.0))
            }
            Self::Text => {
                let metadata = event.metadata();
                write!(writer, "{} {:>5} ", timestamp()?, metadata.level())?;
                write!(writer, "{}: ", metadata.target())?;
                let mut fields = String::new();
                DefaultFields::new().format_fields(Writer::new(&mut fields), event)?;
                write_one_line(&mut writer, &fields)?;
                if let Some(span) = span {
                    write!(writer, " trace={}", span.trace_id())?;
                }
                writeln!(writer)
            }
        }
    }
}

/// Writes control characters escaped: a value neither begins a line nor controls a terminal.
fn write_one_line(writer: &mut Writer<'_>, text: &str) -> fmt::Result {
    for character in text.chars() {
        if character.is_control() {
            write!(writer, "{}", character.escape_default())?;
        } else {
            writer.write_char(character)?;
        }
    }
    Ok(())
}

/// RFC 3339, UTC, microseconds.
fn timestamp() -> Result<String, fmt::Error> {
    let mut text = String::new();
    SystemTime.format_time(&mut Writer::new(&mut text))?;
    Ok(text)
}

/// The fields of an event as a JSON object.
#[derive(Default)]
struct Line(Map<String, Value>);

impl Line {
    fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    fn field(&mut self, field: &Field, value: impl Into<Value>) {
        match field.name() {
            // Records of the crate `log`: only the target is used.
            "log.target" => self.set("target", value),
            name if name.starts_with("log.") => {}
            "target" => {}
            name => self.set(name, value),
        }
    }
}

impl Visit for Line {
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.field(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, value);
    }

    fn record_error(&mut self, field: &Field, error: &(dyn std::error::Error + 'static)) {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        self.field(field, text);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.field(field, format!("{value:?}"));
    }
}

/// Logs every panic with its trace and counts it in `panics_total`, instead of printing it.
///
/// A formatted panic message may quote a text of a member ("byte index 5 is not a char boundary; it is inside ..."),
/// so only constant messages are logged.
pub fn log_panics() {
    panic::set_hook(Box::new(|info| {
        metrics::panicked();
        let message = info.payload().downcast_ref::<&'static str>();
        tracing::error!(
            location = info.location().map(ToString::to_string),
            reason = message.copied(),
            thread = std::thread::current().name(),
            "panicked"
        );
    }));
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing_subscriber::{layer::SubscriberExt as _, registry};

    use super::*;
    use crate::parse_traceparent;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(json: bool, log: impl FnOnce()) -> String {
        let captured = Captured::default();
        let writer = captured.clone();
        let subscriber = registry().with(layer(json, move || writer.clone()));
        tracing::subscriber::with_default(subscriber, log);
        String::from_utf8(captured.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn a_json_line_is_flat_and_contains_the_trace_id() {
        let text = logged(true, || {
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            let _trace = parse_traceparent(parent).attach();
            tracing::warn!(rows = 3, ratio = 0.5, name = "a\"b\n", level = "forged", "kept");
        });
        assert_eq!(text.matches('\n').count(), 1, "one line an event: {text}");
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["message"], "kept");
        assert_eq!(line["level"], "WARN");
        assert_eq!(line["target"], module_path!());
        assert_eq!(line["rows"], 3);
        assert_eq!(line["ratio"], 0.5);
        assert_eq!(line["name"], "a\"b\n");
        assert_eq!(line["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(line["span_id"], "00f067aa0ba902b7");
        assert!(line["timestamp"].as_str().unwrap().ends_with('Z'));
    }

    #[test]
    fn a_text_line_contains_level_target_message_and_fields() {
        let text = logged(false, || tracing::info!(port = 8080, "listening"));
        assert!(text.contains(" INFO telemetry::logs::tests: listening port=8080\n"), "{text}");
    }

    #[test]
    fn a_value_stays_in_its_text_line() {
        let value = "a\nERROR forged\r\u{1b}[2J\u{85}";
        let text = logged(false, || tracing::info!(quoted = value, error = %value, "message: {value}"));
        assert_eq!(text.lines().count(), 1, "{text:?}");
        assert!(text.trim_end().chars().all(|character| !character.is_control()), "{text:?}");
        assert!(text.contains("error=a\\nERROR forged\\r\\u{1b}[2J\\u{85}"), "{text}");
    }
}
