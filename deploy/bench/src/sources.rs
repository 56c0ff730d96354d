//! A local feed and a local job board for crawls, with a count of the requests.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use serde_json::json;
use tokio::{net::TcpListener, task::JoinHandle};

use crate::world::{rng::Rng, words};

/// The content type and body of a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// `application/json`, `application/rss+xml`.
    pub media: &'static str,
    /// Its text.
    pub body: Bytes,
}

/// Pages by a part of their path, with the number of requests.
#[derive(Debug, Default)]
struct Pages {
    pages: HashMap<String, Page>,
    request_counts: HashMap<String, usize>,
}

/// The server; it ends when the value is dropped.
#[derive(Debug)]
pub struct Sources {
    /// Its address.
    pub address: SocketAddr,
    pages: Arc<Mutex<Pages>>,
    server: JoinHandle<()>,
}

impl Sources {
    /// Serves no page yet: every path is unavailable (503).
    ///
    /// # Errors
    /// When there is no port.
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let pages = Arc::<Mutex<Pages>>::default();
        let router = Router::new().fallback(serve).with_state(Arc::clone(&pages));
        let server = tokio::spawn(async move {
            // It serves until it is dropped; an error concerns one connection only.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self { address, pages, server })
    }

    /// Serves this page at every path with this part; without a page the path is unavailable.
    pub fn serve(&self, part: &str, page: Option<Page>) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        match page {
            Some(page) => pages.pages.insert(part.to_owned(), page),
            None => pages.pages.remove(part),
        };
    }

    /// The number of requests to paths with this part.
    #[must_use]
    pub fn request_count(&self, part: &str) -> usize {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.request_counts.iter().filter(|(path, _)| path.contains(part)).map(|(_, times)| times).sum()
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(State(pages): State<Arc<Mutex<Pages>>>, uri: Uri) -> Response {
    let mut pages = pages.lock().unwrap_or_else(PoisonError::into_inner);
    *pages.request_counts.entry(uri.path().to_owned()).or_default() += 1;
    match pages.pages.iter().find(|(part, _)| uri.path().contains(part.as_str())) {
        Some((_, page)) => ([(header::CONTENT_TYPE, page.media)], page.body.clone()).into_response(),
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// An RSS feed of so many articles, newest first, in the usual format: HTML in CDATA, categories, a guid.
#[must_use]
pub fn feed(stories: u32) -> Page {
    use std::fmt::Write as _;

    let mut rng = Rng::of(61);
    let now = primitives::clock::Clock::system().now();
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>Bench</title>\
         <link>https://bench.example/</link><description>Stories</description>",
    );
    for number in 0..stories {
        let at = now - chrono::TimeDelta::minutes(7 * i64::from(number));
        let (headline, prose) = (words::headline(&mut rng, number), words::prose(&mut rng, 16, number));
        // Writing into a String cannot fail.
        let _ = write!(
            text,
            "<item><title>{headline}</title><link>https://bench.example/stories/{number}?utm_source=rss</link>\
             <guid isPermaLink=\"false\">story-{number}</guid><pubDate>{}</pubDate><category>Courts</category>\
             <description><![CDATA[<p>{prose}</p><p><a href=\"https://bench.example/{number}\">More</a></p>]]>\
             </description></item>",
            at.to_rfc2822(),
        );
    }
    text.push_str("</channel></rss>");
    Page { media: "application/rss+xml", body: text.into() }
}

/// A Greenhouse board of so many legal postings, in the format of `boards/{token}/jobs?content=true`: HTML, escaped
/// twice.
#[must_use]
pub fn board(postings: u32) -> Page {
    const PLACES: [&str; 5] = ["New York, NY", "Washington, DC", "San Francisco, CA", "Remote", "Chicago, IL"];
    let mut rng = Rng::of(62);
    let now = primitives::clock::Clock::system().now();
    let jobs: Vec<_> = (0..postings)
        .map(|number| {
            let at = (now - chrono::TimeDelta::minutes(i64::from(number))).to_rfc3339();
            let paragraphs: String = (0..6)
                .map(|_| format!("&lt;p&gt;{}&lt;/p&gt;&lt;ul&gt;&lt;li&gt;J.D.&lt;/li&gt;&lt;/ul&gt;", words::prose(&mut rng, 9, number)))
                .collect();
            json!({
                "id": 4_000_000 + number,
                "internal_job_id": 3_000_000 + number,
                "title": format!("Staff Attorney, {} No. {number}", rng.choose(&words::FIELDS)),
                "absolute_url": format!("https://boards.bench.example/bench/jobs/{}", 4_000_000 + number),
                "location": { "name": rng.choose(&PLACES) },
                "updated_at": at,
                "first_published": at,
                "requisition_id": number.to_string(),
                "metadata": null,
                "company_name": "Bench LLP",
                "content": paragraphs,
                "departments": [{ "id": 1, "name": "Legal", "child_ids": [], "parent_id": null }],
                "offices": [{ "id": 2, "name": "Main", "location": "New York, NY", "child_ids": [], "parent_id": null }],
            })
        })
        .collect();
    let total = jobs.len();
    Page { media: "application/json", body: json!({ "jobs": jobs, "meta": { "total": total } }).to_string().into() }
}
