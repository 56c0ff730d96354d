//! A span for every SQL statement and every long wait for a connection, from the events of sqlx and of the crate `db`.
//!
//! sqlx has no spans but one `sqlx::query` event per statement with text and duration, so no query is wrapped by hand. Whether it
//! failed is known only when its error is translated: the span of the newest statement stays open until then, until the next
//! statement or until the end of the request. Outside a sampled trace nothing is created, and without an exporter the layer is not
//! installed.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _},
};
use opentelemetry_sdk::trace::{SdkTracer, Span};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span::Id,
};
use tracing_subscriber::{Layer, filter::filter_fn, layer, registry::LookupSpan};

/// The target of the events of sqlx.
const STATEMENT: &str = "sqlx::query";
/// The target of the events of `db` about a failed statement, with its SQLSTATE.
const FAILURE: &str = "db::failure";
/// The target of the events of `db` about a wait for a connection, with its duration.
const WAIT: &str = "db::wait";
/// The maximum length of a summary.
const SUMMARY_WORDS: usize = 12;

/// Converts events about the database to child spans of the current span.
pub(crate) fn layer<S>(tracer: SdkTracer) -> impl Layer<S> + Send + Sync
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    SqlSpans { tracer }.with_filter(
        filter_fn(|metadata| {
            if metadata.is_span() {
                is_own_span(metadata)
            } else {
                [STATEMENT, FAILURE, WAIT].contains(&metadata.target())
            }
        })
        // sqlx logs at debug, and slow statements at warn.
        .with_max_level_hint(LevelFilter::DEBUG),
    )
}

/// The spans of libraries are debug and finer.
fn is_own_span(metadata: &Metadata<'_>) -> bool {
    *metadata.level() <= LevelFilter::INFO
}

struct SqlSpans {
    tracer: SdkTracer,
}

/// The newest statement of a request, kept with the span of the request.
struct Newest {
    span: Span,
    end: SystemTime,
}

impl Newest {
    fn finish(mut self) {
        self.span.end_with_timestamp(self.end);
    }

    fn fail(&mut self, sqlstate: String) {
        self.span.set_status(Status::error(""));
        self.span.set_attribute(KeyValue::new("error.type", sqlstate.clone()));
        self.span.set_attribute(KeyValue::new("db.response.status_code", sqlstate));
    }
}

impl<S> Layer<S> for SqlSpans
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn on_event(&self, event: &Event<'_>, context: layer::Context<'_, S>) {
        let parent = Context::current();
        if !parent.span().span_context().is_sampled() {
            return;
        }
        let Some(request) = context.lookup_current() else { return };
        let mut noted = Noted::default();
        event.record(&mut noted);
        match event.metadata().target() {
            FAILURE => {
                if let Some(newest) = request.extensions_mut().get_mut::<Newest>() {
                    newest.fail(noted.sqlstate);
                }
            }
            WAIT => self.wait(&parent, &noted).finish(),
            _ => {
                let before = request.extensions_mut().replace(self.statement(&parent, &noted));
                before.into_iter().for_each(Newest::finish);
            }
        }
    }

    fn on_close(&self, id: Id, context: layer::Context<'_, S>) {
        let newest = context.span(&id).and_then(|request| request.extensions_mut().remove::<Newest>());
        newest.into_iter().for_each(Newest::finish);
    }
}

impl SqlSpans {
    fn statement(&self, parent: &Context, noted: &Noted) -> Newest {
        let summary = summary(noted.text());
        let mut attributes = vec![
            KeyValue::new("db.system.name", "postgresql"),
            KeyValue::new("db.query.summary", summary.clone()),
            KeyValue::new("db.response.returned_rows", noted.rows_returned),
        ];
        if let Some(operation) = summary.split(' ').next() {
            attributes.push(KeyValue::new("db.operation.name", operation.to_owned()));
        }
        if let Some((_, table)) = summary.split_once(' ')
            && !table.contains(' ')
        {
            attributes.push(KeyValue::new("db.collection.name", table.to_owned()));
        }
        self.began_before(parent, summary, SpanKind::Client, noted.elapsed, attributes)
    }

    /// Creates the span of a wait, which is no call of the database and so no span of a client.
    fn wait(&self, parent: &Context, noted: &Noted) -> Newest {
        let pool = KeyValue::new("db.client.connection.pool.name", noted.pool.clone());
        let mut wait = self.began_before(
            parent,
            "wait for a connection".to_owned(),
            SpanKind::Internal,
            noted.elapsed,
            vec![pool],
        );
        if noted.is_failed {
            wait.span.set_status(Status::error(""));
            wait.span.set_attribute(KeyValue::new("error.type", "timeout"));
        }
        wait
    }

    /// A span that ends now.
    fn began_before(
        &self,
        parent: &Context,
        name: String,
        kind: SpanKind,
        elapsed: Duration,
        attributes: Vec<KeyValue>,
    ) -> Newest {
        let end = SystemTime::now();
        let start = end.checked_sub(elapsed).unwrap_or(end);
        let builder = self.tracer.span_builder(name).with_kind(kind).with_start_time(start).with_attributes(attributes);
        Newest { span: builder.start_with_context(&self.tracer, parent), end }
    }
}

/// The fields of an event. The event of a statement contains the whole text only when the summary is shorter.
#[derive(Default)]
struct Noted {
    first_words: String,
    whole: String,
    elapsed: Duration,
    rows_returned: i64,
    sqlstate: String,
    pool: String,
    is_failed: bool,
}

impl Noted {
    fn text(&self) -> &str {
        if self.whole.is_empty() { &self.first_words } else { &self.whole }
    }
}

impl Visit for Noted {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.first_words),
            "db.statement" => value.clone_into(&mut self.whole),
            "sqlstate" => value.clone_into(&mut self.sqlstate),
            "pool" => value.clone_into(&mut self.pool),
            _ => {}
        }
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        if field.name() == "failed" {
            self.is_failed = value;
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
