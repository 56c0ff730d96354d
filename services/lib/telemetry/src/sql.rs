//! A span for every SQL statement, from the log event of sqlx at its end.
//!
//! sqlx has no spans but one `sqlx::query` event per statement with text and duration, so no query is wrapped by hand.
//! Statements outside a sampled trace create no span, and without an exporter the layer is not installed.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanKind, TraceContextExt as _, Tracer as _},
};
use opentelemetry_sdk::trace::SdkTracer;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
};
use tracing_subscriber::{Layer, filter::filter_fn, layer, registry::LookupSpan};

/// The log target of sqlx statements.
const TARGET: &str = "sqlx::query";
/// The maximum length of a summary.
const SUMMARY_WORDS: usize = 12;

/// Converts statement events of sqlx to child spans of the current span.
pub(crate) fn layer<S>(tracer: SdkTracer) -> impl Layer<S> + Send + Sync
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    SqlSpans { tracer }.with_filter(
        filter_fn(|metadata| metadata.target() == TARGET)
            // sqlx logs at debug, and slow statements at warn.
            .with_max_level_hint(LevelFilter::DEBUG),
    )
}

struct SqlSpans {
    tracer: SdkTracer,
}

impl<S: Subscriber> Layer<S> for SqlSpans {
    fn on_event(&self, event: &Event<'_>, _: layer::Context<'_, S>) {
        let parent = Context::current();
        if !parent.span().span_context().is_sampled() {
            return;
        }
        let mut statement = Statement::default();
        event.record(&mut statement);

        let end = SystemTime::now();
        let start = end.checked_sub(statement.elapsed).unwrap_or(end);
        let summary = summary(statement.text());
        let mut attributes = vec![
            KeyValue::new("db.system.name", "postgresql"),
            KeyValue::new("db.query.summary", summary.clone()),
            KeyValue::new("db.response.returned_rows", statement.rows_returned),
        ];
        if let Some(operation) = summary.split(' ').next() {
            attributes.push(KeyValue::new("db.operation.name", operation.to_owned()));
        }
        self.tracer
            .span_builder(summary)
            .with_kind(SpanKind::Client)
            .with_start_time(start)
            .with_attributes(attributes)
            .start_with_context(&self.tracer, &parent)
            .end_with_timestamp(end);
    }
}

/// A `sqlx::query` event. It contains the whole text only when the summary is shorter.
#[derive(Default)]
struct Statement {
    first_words: String,
    whole: String,
    elapsed: Duration,
    rows_returned: i64,
}

impl Statement {
    fn text(&self) -> &str {
        if self.whole.is_empty() { &self.first_words } else { &self.whole }
    }
}

impl Visit for Statement {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.first_words),
            "db.statement" => value.clone_into(&mut self.whole),
            _ => {}
        }
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        if field.name() == "elapsed_secs" {
            self.elapsed = Duration::try_from_secs_f64(value).unwrap_or_default();
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows_returned" {
            self.rows_returned = i64::try_from(value).unwrap_or(i64::MAX);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

/// The verbs and tables of a statement, "insert feed.posts select feed.members": `db.query.summary` of the conventions.
///
/// A table is recognised by the dot, because SQL always names the schema. Literals are never part of it.
fn summary(sql: &str) -> String {
    let mut summary: Vec<String> = Vec::new();
    let (mut before, mut last) = (String::new(), String::new());
    for word in sql.split_whitespace() {
        let word = word.trim_start_matches('(').to_ascii_lowercase();
        let verb = matches!(word.as_str(), "select" | "insert" | "delete" | "update")
            // `on conflict do update` and `for update` belong to the preceding verb.
            && !matches!(last.as_str(), "do" | "for" | "key");
        let table = matches!(last.as_str(), "from" | "join" | "into" | "update")
            && before != "distinct"
            && !before.contains("extract(");
        if verb {
            summary.push(word.clone());
        } else if table && let Some(name) = table_name(&word) {
            summary.push(name.to_owned());
        }
        if summary.len() == SUMMARY_WORDS {
            break;
        }
        before = std::mem::replace(&mut last, word);
    }
    if summary.is_empty() {
        // begin, commit, listen, set: the first word is the summary.
        let first = sql.split_whitespace().next().unwrap_or("sql");
        summary.push(first.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase());
    }
    summary.join(" ")
}

fn table_name(word: &str) -> Option<&str> {
    let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(word.len());
    word.get(..end).filter(|name| name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn a_summary_contains_verbs_and_tables() {
        for (sql, expected) in [
            (
                "select id, content\nfrom feed.posts p\njoin feed.members m on m.id = p.author",
                "select feed.posts feed.members",
            ),
            (
                "INSERT INTO feed.likes(post_id, member_id) values ($1, $2) on conflict (post_id) do update set at = $3",
                "insert feed.likes",
            ),
            ("update feed.posts set like_count = like_count + 1 where id = $1", "update feed.posts"),
            ("delete from auth.sessions where id = $1", "delete auth.sessions"),
            (
                "with n as (select id from feed.outbox for update skip locked) update feed.outbox o set seq = 1 from n",
                "select feed.outbox update feed.outbox",
            ),
            ("insert into auth.audit (what) select kind from auth.kinds", "insert auth.audit select auth.kinds"),
            ("select extract(epoch from p.at) from feed.posts p where p.a is distinct from p.b", "select feed.posts"),
            ("BEGIN", "begin"),
            ("select 'from secret.password'", "select"),
            ("", "sql"),
        ] {
            assert_eq!(summary(sql), expected, "{sql}");
        }
    }
}
