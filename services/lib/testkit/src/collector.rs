//! An OTLP collector in the test's process: the exported spans, as a tree for assertions.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::{AnyValue, KeyValue, any_value::Value},
    trace::v1::{span::SpanKind, status::StatusCode},
};
use tokio::{net::TcpListener, sync::Notify, task::JoinHandle, time::timeout};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{
    Request, Response, Status,
    transport::{Identity, Server, ServerTlsConfig},
};

/// The timeout for exported spans; the batch exporter sends every five seconds.
const TIMEOUT: Duration = Duration::from_secs(120);

/// One exported span.
#[derive(Debug, Clone)]
pub struct Span {
    /// 32 hex digits.
    pub trace: String,
    /// 16 hex digits.
    pub id: String,
    /// The parent's id; empty for a root.
    pub parent: String,
    /// The traces of the linked spans.
    pub links: Vec<String>,
    /// "GET /api/posts", "portia.feed.v1.FeedService/ListPosts", "select feed.posts".
    pub name: String,
    /// "server", "client", "internal".
    pub kind: &'static str,
    /// Whether its status is an error.
    pub failed: bool,
    /// The resource's `service.name`.
    pub process: String,
    /// Every attribute of the resource, as text.
    pub resource: BTreeMap<String, String>,
    /// Every attribute, as text.
    pub attributes: BTreeMap<String, String>,
}

/// A collector listening on loopback until it is dropped.
pub struct Collector {
    endpoint: String,
    received: Arc<Received>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct Received {
    spans: Mutex<Vec<Span>>,
    more: Notify,
}

impl Collector {
    /// Listens on a free port.
    pub async fn start() -> Self {
        Self::serve(Server::builder(), "http").await
    }

    /// The same over https, with a certificate for `localhost` and its key, in PEM.
    pub async fn start_encrypted(certificate: &str, key: &str) -> Self {
        let tls = ServerTlsConfig::new().identity(Identity::from_pem(certificate, key));
        Self::serve(Server::builder().tls_config(tls).expect("a certificate"), "https").await
    }

    async fn serve(mut server: Server, scheme: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let received = Arc::<Received>::default();
        let service = TraceServiceServer::new(Intake(Arc::clone(&received)));
        let server = tokio::spawn(async move {
            let incoming = TcpListenerStream::new(listener);
            server.add_service(service).serve_with_incoming(incoming).await.expect("the collector serves");
        });
        Self { endpoint: format!("{scheme}://localhost:{}", address.port()), received, server }
    }

    /// For `OTEL_EXPORTER_OTLP_ENDPOINT`.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// The spans of one trace (32 hex digits), as soon as `complete` accepts them.
    pub async fn trace(&self, trace: &str, complete: impl Fn(&[Span]) -> bool) -> Vec<Span> {
        let waiting = async {
            loop {
                let more = self.received.more.notified();
                let spans = self.so_far(trace);
                if complete(&spans) {
                    return spans;
                }
                more.await;
            }
        };
        let waited = timeout(TIMEOUT, waiting).await;
        waited.unwrap_or_else(|_| panic!("the trace stayed incomplete:\n{}", tree(&self.so_far(trace))))
    }

    /// The spans of one trace that arrived until now.
    #[must_use]
    pub fn so_far(&self, trace: &str) -> Vec<Span> {
        let spans = self.received.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.iter().filter(|span| span.trace == trace).cloned().collect()
    }

    /// The number of traces until now that start with a span of this name.
    #[must_use]
    pub fn roots_of(&self, name: &str) -> usize {
        let spans = self.received.spans.lock().unwrap_or_else(PoisonError::into_inner);
        spans.iter().filter(|span| span.parent.is_empty() && span.name == name).count()
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A trace as text, one span a line, children indented: siblings by name.
#[must_use]
pub fn tree(spans: &[Span]) -> String {
    let mut text = String::new();
    let mut roots: Vec<&Span> =
        spans.iter().filter(|span| !spans.iter().any(|other| other.id == span.parent)).collect();
    roots.sort_by(|a, b| a.name.cmp(&b.name));
    for root in roots {
        branch(spans, root, 0, &mut text);
    }
    text
}

fn branch(spans: &[Span], span: &Span, depth: usize, text: &mut String) {
    let failed = if span.failed { " FAILED" } else { "" };
    writeln!(text, "{:indent$}{} {}{failed}", "", span.kind, span.name, indent = depth * 2)
        .expect("a String takes everything");
    let mut children: Vec<&Span> = spans.iter().filter(|child| child.parent == span.id).collect();
    children.sort_by(|a, b| a.name.cmp(&b.name));
    for child in children {
        branch(spans, child, depth + 1, text);
    }
}

struct Intake(Arc<Received>);

#[tonic::async_trait]
impl TraceService for Intake {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let spans = request.into_inner().resource_spans.into_iter().flat_map(|from| {
            let resource = attributes(from.resource.map(|resource| resource.attributes).unwrap_or_default());
            let process = resource.get("service.name").cloned().unwrap_or_default();
            let spans = from.scope_spans.into_iter().flat_map(|scope| scope.spans);
            spans.map(move |span| Span {
                trace: hex(&span.trace_id),
                id: hex(&span.span_id),
                parent: hex(&span.parent_span_id),
                links: span.links.iter().map(|link| hex(&link.trace_id)).collect(),
                kind: match span.kind() {
                    SpanKind::Server => "server",
                    SpanKind::Client => "client",
                    SpanKind::Producer => "producer",
                    SpanKind::Consumer => "consumer",
                    SpanKind::Internal | SpanKind::Unspecified => "internal",
                },
                failed: span.status.as_ref().is_some_and(|status| status.code() == StatusCode::Error),
                process: process.clone(),
                resource: resource.clone(),
                name: span.name,
                attributes: attributes(span.attributes),
            })
        });
        self.0.spans.lock().unwrap_or_else(PoisonError::into_inner).extend(spans);
        self.0.more.notify_waiters();
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

fn attributes(pairs: Vec<KeyValue>) -> BTreeMap<String, String> {
    pairs.into_iter().map(|pair| (pair.key, text(pair.value))).collect()
}

fn text(value: Option<AnyValue>) -> String {
    match value.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::DoubleValue(number)) => number.to_string(),
        Some(Value::BoolValue(yes)) => yes.to_string(),
        other => format!("{other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes everything");
        text
    })
}
